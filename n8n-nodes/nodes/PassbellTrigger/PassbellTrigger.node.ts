import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeApiError,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { testCredential } from '../shared/credential-test';
import { adviceFor } from '../shared/failure';
import { asErrorResponse, callPassbell, type Request } from '../shared/transport';
import { EVENTS } from '../shared/generated/connectors';
import { CHANNELS } from '../shared/properties';
import { channelOf } from '../shared/send-reply';
import { templateOptions } from '../Passbell/resources/template-fields';
import { isSigned } from './signature';

/** Ids of recent events, to detect retries. Passbell retries a call without a timely response, with the same event id. */
const REMEMBERED_EVENTS = 100;

/** State of this node that n8n stores between executions. */
interface TriggerState extends IDataObject {
  webhookId?: string;
  secret?: string;
  seen?: string[];
}

/** Ids of recent events of each node of this process. n8n stores the state only after it has started the workflow. */
const seenByNode = new Map<string, string[]>();

/** Remembers an event. Returns whether it is new, also for simultaneous copies of it. */
function remember(state: TriggerState, node: string, id: string): boolean {
  const seen = [...new Set([...(seenByNode.get(node) ?? []), ...(state.seen ?? [])])];
  if (seen.includes(id)) return false;
  const next = [id, ...seen].slice(0, REMEMBERED_EVENTS);
  seenByNode.set(node, next);
  state.seen = next;
  return true;
}

interface Webhook {
  webhookId: string;
  url: string;
  events: string[];
}

interface Filters {
  channels?: string[];
  templates?: string[];
}

/** Whether an event matches the filters. A filter does not apply to events that lack its field. */
function matches({ data }: IDataObject, { channels = [], templates = [] }: Filters): boolean {
  const { authType, channel, template } = (data ?? {}) as IDataObject;
  const name = authType === undefined ? String(channel ?? '').toUpperCase() : channelOf(authType);
  const isIn = (list: string[], value: unknown) => list.length === 0 || !value || list.includes(String(value));
  return isIn(channels, name) && isIn(templates, template);
}

const TEMPLATE_OPTIONS = [
  { name: 'Verification Code', value: 'otp' },
  ...templateOptions('order'),
  ...templateOptions('invoice'),
].sort((a, b) => a.name.localeCompare(b.name));

const EVENT_OPTIONS = Object.entries(EVENTS)
  .map(([value, { label, help }]) => ({ name: label, value, description: help }))
  .sort((a, b) => a.name.localeCompare(b.name));

const sameEvents = (a: string[], b: string[]): boolean => [...a].sort().join() === [...b].sort().join();

/** Returns the data of the reply; throws a failure with advice, which stops the activation. */
async function callOrThrow(context: IHookFunctions, request: Request): Promise<IDataObject> {
  const outcome = await callPassbell(context, request);
  if (outcome.ok) return (outcome.body.data ?? {}) as IDataObject;
  const { failure } = outcome;
  throw new NodeApiError(context.getNode(), asErrorResponse(failure), {
    message: failure.message,
    description: adviceFor(failure),
  });
}

const remove = (context: IHookFunctions, webhookId: string) =>
  callOrThrow(context, { method: 'DELETE', path: `/webhooks/${encodeURIComponent(webhookId)}`, expects: {} });

export class PassbellTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Passbell Trigger',
    name: 'passbellTrigger',
    icon: { light: 'file:../../icons/passbell.svg', dark: 'file:../../icons/passbell.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    // n8n's list of nodes has one entry for both nodes, with this description.
    description:
      'Send codes and notifications. The trigger starts the workflow for the selected events, such as a failed message or a verified code.',
    defaults: { name: 'Passbell Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'passbellApi', required: true, testedBy: 'testCredential' }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'passbell' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        options: EVENT_OPTIONS,
        default: [],
        description: 'Events that start the workflow. Passbell must be able to reach this n8n instance.',
      },
      {
        displayName: 'Filters',
        name: 'filters',
        type: 'collection',
        placeholder: 'Add filter',
        default: {},
        options: [
          {
            displayName: 'Channels',
            name: 'channels',
            type: 'multiOptions',
            options: CHANNELS.filter(({ value }) => value !== 'auto'),
            default: [],
            description: 'Only events on these channels. Fraud events have no channel, and are always included.',
          },
          {
            displayName: 'Templates',
            name: 'templates',
            type: 'multiOptions',
            options: TEMPLATE_OPTIONS,
            default: [],
            description: 'Only messages from these templates. Events that are not about a message are always included.',
          },
        ],
      },
    ],
  };

  methods = { credentialTest: { testCredential } };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const state = this.getWorkflowStaticData('node') as TriggerState;
        const url = this.getNodeWebhookUrl('default');
        const events = this.getNodeParameter('events') as string[];
        const { webhooks } = (await callOrThrow(this, {
          method: 'GET',
          path: '/webhooks',
          expects: { 'data.webhooks': 'array' },
        })) as unknown as { webhooks: Webhook[] };
        const here = webhooks.filter((webhook) => webhook.url === url);
        const isOurs = (webhook: Webhook) =>
          webhook.webhookId === state.webhookId && state.secret !== undefined && sameEvents(webhook.events, events);
        // The secrets of the other webhooks are lost, so their calls would be rejected.
        for (const { webhookId } of here.filter((webhook) => !isOurs(webhook))) await remove(this, webhookId);
        return here.some(isOurs);
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const state = this.getWorkflowStaticData('node') as TriggerState;
        const body = { url: this.getNodeWebhookUrl('default'), events: this.getNodeParameter('events') as string[] };
        const { webhookId, secret } = await callOrThrow(this, {
          method: 'POST',
          path: '/webhooks',
          body,
          expects: { 'data.webhookId': 'string', 'data.secret': 'string' },
        });
        Object.assign(state, { webhookId, secret });
        return true;
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const state = this.getWorkflowStaticData('node') as TriggerState;
        if (state.webhookId) await remove(this, state.webhookId);
        delete state.webhookId;
        delete state.secret;
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const state = this.getWorkflowStaticData('node') as TriggerState;
    const { rawBody } = this.getRequestObject();
    const header = this.getHeaderData()['passbell-signature'];
    if (!state.secret || !rawBody || !isSigned(header, rawBody, state.secret, Date.now())) {
      this.getResponseObject().status(401).json({ message: 'The request has no valid Passbell signature' });
      return { noWebhookResponse: true };
    }
    const event = this.getBodyData();
    if (!matches(event, this.getNodeParameter('filters', {}) as Filters)) {
      this.getResponseObject().status(200).json({ message: 'Event does not match the filters' });
      return { noWebhookResponse: true };
    }
    const isNew = remember(state, `${this.getWorkflow().id} ${this.getNode().id}`, String(event.id));
    // The node replies itself: if n8n replied, it would discard the state that stores the event's id. A 200 makes Passbell
    // stop retrying.
    this.getResponseObject()
      .status(200)
      .json({ message: isNew ? 'Workflow started' : 'Event already received' });
    return { noWebhookResponse: true, ...(isNew && { workflowData: [this.helpers.returnJsonArray(event)] }) };
  }
}
