/** Email addresses that an account does not send to, and recipients who have stopped notifications. */
import type { Knex } from 'knex';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { ApiError } from '../../platform/contract/errors.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { RecipientStatus } from '../../providers/provider-type.js';
import type { Application } from '../applications/application.js';
import type { Shared } from '../audit/audit-service.js';
import type { Outbox } from '../webhooks/outbox.js';
import { canBeStopped, optedOutError } from './opt-out.js';
import { createOptOutsService } from './opt-outs-service.js';
import { createOptOutsStore } from './opt-outs-store.js';
import { suppressedError, type SuppressionReason } from './suppression.js';
import { createSuppressionsService } from './suppressions-service.js';
import { createSuppressionsStore } from './suppressions-store.js';

interface Dependencies extends Pick<Shared, 'audit' | 'clock' | 'db' | 'inTransaction' | 'keyring'> {
  readonly outbox: Outbox;
  readonly limiter: Pick<Limiter, 'take'>;
  readonly applicationOf: (id: number) => Promise<Application | undefined>;
  /** Whether emails are also sent to suppressed addresses. True for the dashboard, so that nobody is locked out. */
  readonly alwaysSends: (application: Application) => boolean;
}

interface Addressed {
  readonly applicationId: number;
  readonly template: string;
  readonly recipient: string;
}

/** A provider's report about a recipient. `delivered`: an email arrived. */
export interface RecipientReport extends Addressed {
  readonly channel: ChannelName;
  readonly status: RecipientStatus | 'delivered';
  readonly provider: string;
  /** The provider's explanation. */
  readonly details: string | null;
}

/** Suppressions and opt-outs, and the provider reports that lead to them. */
export type Suppressions = ReturnType<typeof createSuppressions>;

const REASON_OF: Readonly<Record<'hardBounce' | 'softBounce' | 'complaint', SuppressionReason>> = {
  hardBounce: 'hardBounce',
  softBounce: 'softBounces',
  complaint: 'complaint',
};

export function createSuppressions(dependencies: Dependencies) {
  const { db, inTransaction, outbox, keyring, limiter, clock, ...others } = dependencies;
  const store = createSuppressionsStore(db);
  const optOutsStore = createOptOutsStore(db);
  const optOuts = createOptOutsService(optOutsStore, inTransaction, outbox, keyring, limiter, clock);

  /**
   * Returns the error of a message that must not be sent on any of these channels; undefined if it may be sent. Called for
   * each request, and again just before a provider is called.
   */
  async function errorFor(
    { applicationId, template, recipient }: Addressed,
    channels: readonly ChannelName[],
  ): Promise<ApiError | undefined> {
    if (channels.includes('EMAIL')) {
      const application = await others.applicationOf(applicationId);
      if (!application || others.alwaysSends(application)) return undefined;
      const suppression = await store.find(application.accountId, recipient);
      if (suppression) return suppressedError(suppression);
    }
    if (!canBeStopped(template)) return undefined;
    return (await optOuts.hasStopped(applicationId, recipient, channels)) ? optedOutError() : undefined;
  }

  /** Stores what a provider reports about a recipient, in the transaction of the report. */
  async function record(trx: Knex, report: RecipientReport): Promise<void> {
    const { applicationId, recipient: address, channel, status, provider: source, details } = report;
    if (status === 'optedOut')
      return optOuts.changeIn(trx, { applicationId, channel, address, optedOut: true, source: 'provider', word: null });
    const accountId = channel === 'EMAIL' ? await store.accountOf(trx, applicationId) : undefined;
    if (accountId === undefined) return;
    if (status === 'delivered') return store.forgetSoftBounces(trx, accountId, address);
    const cause = { reason: REASON_OF[status], source, details, createdAt: clock.now() };
    if (status === 'softBounce') await store.countSoftBounce(trx, accountId, { address, ...cause });
    else await store.add(trx, accountId, [address], cause);
  }

  const erase = async (trx: Knex, applicationIds: readonly number[], address: string): Promise<number> =>
    (await store.erase(trx, applicationIds, address)) + (await optOutsStore.erase(trx, applicationIds, address));

  return {
    service: createSuppressionsService(store, dependencies),
    optOuts,
    errorFor,
    record,
    erase,
  };
}
