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
import { accountOf, found, timesOf, type Action, type Actions, type Caller } from './action.js';
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

interface Services {
  readonly applications: ApplicationsService;
  readonly audit: AuditService;
  readonly endUsers: EndUsersService;
  readonly erasure: ErasureService;
  readonly fraud: Pick<ReturnType<typeof createFraud>, 'settings' | 'pauses'>;
  readonly messages: Pick<ReturnType<typeof createMessages>, 'service' | 'lookup'>;
  readonly otp: OtpService;
  readonly providers: ReturnType<typeof createProviders>;
  readonly suppressions: SuppressionsService;
  readonly templates: TemplatesService;
  readonly testCodes: TestCodes;
  readonly usage: UsageService;
  readonly webhooks: WebhooksService;
  readonly clock: Clock;
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

export function createManage(services: Services) {
  const { applications, fraud, messages, otp, providers, suppressions, testCodes, usage, clock } = services;
  const own = createOwnApplications(applications);
  const { currency } = providers.routing;
  const actions: Actions = {
    ...createApplicationActions(applications),
    ...createWebhookActions(services.webhooks),
    ...createTemplateActions(services.templates),
    ...createFraudActions(fraud.settings, fraud.pauses),
    ...createUserActions(services.endUsers),
    ...createMessageActions({ own, messages: messages.service, lookup: messages.lookup, usage, currency, clock }),
    ...createSupportActions({ own, lookup: messages.lookup, otp, testCodes, currency, clock }),
    ...createRecipientActions(suppressions, services.erasure, own),
    ...createProviderActions(providers),
    ...createAuditActions(services.audit),
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
    return (actions[name] as Action<N>)(call as never, parameters);
  }

  return { perform, prepare };
}
