/** The tools of the MCP server. They are made from the operations of the management API that the contract offers as tools. */
import { found, type ApplicationCall, type Caller } from '../manage/action.js';
import type { Manage } from '../manage/index.js';
import { OPERATIONS, parametersSchema, type Operation } from '../manage/operations.js';
import { hasScope, keyActor, type ManagementKey } from '../management-keys/management-key.js';
import { isObject } from '../../platform/json.js';
import { ForbiddenError } from '../access/actor.js';
import { SettingError } from '../settings/bounded-setting.js';
import { webhookIdFor } from '../webhooks/webhook.js';

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly isReadOnly: boolean;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Whether a key has the tool. Keys do not see the other tools. */
  isFor(key: ManagementKey): boolean;
  call(key: ManagementKey, parameters: object): Promise<object>;
}

const callerOf = (key: ManagementKey, { area }: Operation): Caller => ({
  actor: keyActor(key, area),
  accountId: key.accountId,
});

/** Keeps only these fields of the objects in the lists of a result: the others are secrets, recipients or of no use to a model. */
function only(fields: readonly string[], data: object): object {
  const shown = (item: object) => Object.fromEntries(Object.entries(item).filter(([name]) => fields.includes(name)));
  const lists = Object.entries(data).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? value.map(shown) : value,
  ]);
  return Object.fromEntries(lists) as object;
}

const operationTool = (manage: Manage, operation: Operation): Tool => {
  const { name, summary, area, right, tool } = operation;
  return {
    name,
    title: summary,
    description: tool!.text,
    isReadOnly: right === 'read',
    inputSchema: parametersSchema(operation),
    isFor: (key) => hasScope(key, area, right),
    async call(key, parameters) {
      const data = await manage.perform(name, callerOf(key, operation), parameters);
      return tool!.fields ? only(tool!.fields, data) : data;
    },
  };
};

const PROPOSED = OPERATIONS.filter(({ page }) => page !== undefined);
const PROPOSED_NAMES = PROPOSED.map(({ name }) => name);

/**
 * Returns the IDs of the objects that a change names, which pages need instead of the IDs that callers chose. Throws if there
 * is no such object.
 */
async function pageIds(manage: Manage, operation: Operation, caller: Caller, parameters: Record<string, unknown>) {
  const { call } = await manage.prepare(operation.name, caller, parameters);
  const { application } = call as Partial<ApplicationCall>;
  const { webhook, provider, template, channel, language } = parameters as Record<string, string | undefined>;
  const ids: Record<string, unknown> = { ...parameters, application: application?.appKey };
  if (application && webhook !== undefined) {
    const { webhooks } = await manage.perform('listWebhooks', caller, { application: application.appKey });
    ids.webhook = webhookIdFor(application, webhook);
    found(
      webhooks.find(({ webhookId }) => webhookId === ids.webhook),
      `webhook ${webhook}`,
    );
  }
  if (provider !== undefined) ids.provider = (await manage.perform('getProvider', caller, { provider })).id;
  if (application && template !== undefined)
    await manage.perform('getTemplate', caller, { application: application.appKey, template, channel, language });
  return ids;
}

/** Returns the path of the page on which a person makes the change. `ids`: of {@link pageIds}. */
function pageOf({ page, parameters: described }: Operation, ids: Readonly<Record<string, unknown>>): string {
  const special = Object.keys(ids).flatMap((name) => described[name]?.['x-page'] ?? [])[0];
  return (special ?? page!).replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = String(ids[name]);
    return encodeURIComponent(name === 'channel' ? value.toLowerCase() : value);
  });
}

/** A tool that checks a change, and returns the page on which a person can make it. It changes and stores nothing. */
const proposalTool = (manage: Manage, dashboardUrl: string): Tool => ({
  name: 'proposeChange',
  title: 'Propose a change for a person to make',
  description: `Changes nothing. Checks a change of settings, and returns the link to the page of the dashboard on which a person can make it. Show the person the link and the values. ${PROPOSED.map(({ name, summary, parameters }) => `${name}: ${summary} Parameters: ${Object.keys(parameters).join(', ')}.`).join(' ')}`,
  isReadOnly: true,
  inputSchema: {
    type: 'object',
    properties: {
      operation: { type: 'string', enum: PROPOSED_NAMES },
      parameters: { type: 'object', description: 'parameters of the operation of the management API' },
    },
    required: ['operation', 'parameters'],
    additionalProperties: false,
  },
  isFor: (key) => PROPOSED.some(({ area }) => hasScope(key, area, 'read')),
  async call(key, given) {
    const { operation: name, parameters } = given as Record<string, unknown>;
    const operation = PROPOSED.find((each) => each.name === name);
    if (!operation) throw new SettingError('operation', `It must be one of ${PROPOSED_NAMES.join(', ')}.`);
    if (!isObject(parameters)) throw new SettingError('parameters', 'It must be an object.');
    const { area, right, summary, needsConfirmation } = operation;
    if (!hasScope(key, area, 'read')) throw new ForbiddenError(`The key has no right in the area ${area}.`);
    const ids = await pageIds(manage, operation, callerOf(key, operation), parameters);
    const link = `${dashboardUrl}${pageOf(operation, ids)}`;
    return { changed: false, operation: name, summary, link, neededRight: right, needsConfirmation };
  },
});

export const createTools = (manage: Manage, serviceUrl: string): readonly Tool[] => [
  ...OPERATIONS.filter(({ tool }) => tool !== undefined).map((operation) => operationTool(manage, operation)),
  proposalTool(manage, `${serviceUrl}/dashboard`),
];
