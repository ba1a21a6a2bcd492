/** The management API: actions on an account, for programs, the operator command and the dashboard. */
import { isoTime, type Clock } from '../../platform/clock.js';
import { requireRight } from '../access/actor.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import type { AuditService } from '../audit/audit-service.js';
import type { EndUsersService } from '../end-users/end-users-service.js';
import type { ErasureService } from '../erasure/erasure-service.js';
import type { createFraud } from '../fraud/index.js';
import type { createMessages } from '../messages/index.js';
import type { OtpService } from '../otp/index.js';
import type { createProviders } from '../providers/index.js';
import type { SuppressionsService } from '../suppressions/suppressions-service.js';
import type { TemplatesService } from '../templates/templates-service.js';
import type { TestCodes } from '../test-sends/test-codes.js';
import type { UsageService } from '../usage/index.js';
import type { WebhooksService } from '../webhooks/index.js';
import { accountOf, found, requireNotDeleted, timesOf, type Action, type Actions, type Caller } from './action.js';
import { createApplicationActions } from './application-actions.js';
import { createFraudActions } from './fraud-actions.js';
import { createMessageActions } from './message-actions.js';
import { operationNamed, type DataOf, type OperationName, type ParametersOf } from './operations.js';
import { createOwnApplications } from './own-applications.js';
import { readParameters } from './parameters.js';
import { createProviderActions } from './provider-actions.js';
import { createRecipientActions } from './recipient-actions.js';
import { createSupportActions } from './support-actions.js';
import { createTemplateActions } from './template-actions.js';
import { createUserActions } from './user-actions.js';
import { createWebhookActions } from './webhook-actions.js';

interface Module<Service> {
  readonly service: Service;
}

interface Modules {
  readonly applications: Module<ApplicationsService>;
  readonly audit: Module<AuditService>;
  readonly endUsers: Module<EndUsersService>;
  readonly erasure: Module<ErasureService>;
  readonly fraud: Pick<ReturnType<typeof createFraud>, 'settings' | 'pauses'>;
  readonly messages: Pick<ReturnType<typeof createMessages>, 'service' | 'lookup'>;
  readonly otp: Module<OtpService>;
  readonly providers: ReturnType<typeof createProviders>;
  readonly suppressions: Module<SuppressionsService>;
  readonly templates: Module<TemplatesService>;
  readonly testCodes: TestCodes;
  readonly usage: Module<UsageService>;
  readonly webhooks: Module<WebhooksService>;
  readonly clock: Clock;
}

/** Whether an operation changes something that belongs to an application. Deleted applications cannot be changed. */
function isChange(name: OperationName): boolean {
  const { method, right } = operationNamed(name);
  return method !== 'GET' && right !== 'read' && name !== 'deleteApplication' && name !== 'restoreApplication';
}

export type Manage = ReturnType<typeof createManage>;

const createAuditActions = (audit: AuditService): Pick<Actions, 'listAuditEntries'> => ({
  async listAuditEntries(call, { after, limit = 50, ...range }) {
    const before = after === undefined ? undefined : Number(found(/^\d{1,15}$/.test(after) && after, `entry ${after}`));
    const page = await audit.list(accountOf(call), { before, limit: limit + 1, ...timesOf(range) });
    const entries = page.slice(0, limit).map(({ accountId: _accountId, createdAt, changes, ...entry }) => ({
      ...entry,
      changes: [...changes],
      createdAt: isoTime(createdAt),
    }));
    return { entries, ...(page.length > limit ? { next: String(entries.at(-1)!.id) } : {}) };
  },
});

export function createManage(modules: Modules) {
  const { applications, fraud, messages, otp, providers, testCodes, usage, clock } = modules;
  const { lookup } = messages;
  const own = createOwnApplications(applications.service);
  const { currency } = providers.routing;
  const shared = { own, lookup, currency, clock };
  const actions: Actions = {
    ...createApplicationActions(applications.service),
    ...createWebhookActions(modules.webhooks.service),
    ...createTemplateActions(modules.templates.service),
    ...createFraudActions(fraud.settings, fraud.pauses),
    ...createUserActions(modules.endUsers.service),
    ...createMessageActions({ ...shared, messages: messages.service, usage: usage.service }),
    ...createSupportActions({ ...shared, otp: otp.service, testCodes }),
    ...createRecipientActions(modules.suppressions.service, modules.erasure.service, own),
    ...createProviderActions(providers),
    ...createAuditActions(modules.audit.service),
  };

  /** Checks the parameters, and finds the application that they name. */
  async function prepare<N extends OperationName>(name: N, caller: Caller, source: object) {
    const parameters: ParametersOf<N> = readParameters<N>(operationNamed(name), source);
    const { application: reference } = parameters as { application?: string };
    const isNamed = reference !== undefined && name !== 'putApplication';
    const call = isNamed ? { ...caller, application: await own.find(caller, reference) } : caller;
    return { call, parameters };
  }

  /** Checks the caller's right and the parameters, performs an operation, and returns its result. */
  async function perform<N extends OperationName>(name: N, caller: Caller, source: object): Promise<DataOf<N>> {
    requireRight(caller.actor, operationNamed(name).right);
    const { call, parameters } = await prepare(name, caller, source);
    if (isChange(name) && 'application' in call) requireNotDeleted(call.application);
    return (actions[name] as Action<N>)(call as never, parameters);
  }

  return { perform, prepare };
}
