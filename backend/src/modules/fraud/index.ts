/**
 * The fraud guard: refuses paid messages that look like SMS pumping or toll fraud. Four files explain a pause: `decide.ts`
 * (what counts, and which scope is paused: start at `decide`), `gauges.ts` (the scopes, their excesses and limits),
 * `fraud-settings.ts` (the numbers) and `pause-state.ts` (how long the pause lasts). `fraud-pauses.ts` shows what people can do.
 */
import type { Knex } from 'knex';
import { DAY } from '../../platform/clock.js';
import type { Database } from '../../platform/db/database.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import type { AuditService } from '../audit/audit-service.js';
import type { Notices } from '../notices/index.js';
import { parseRecipient, phoneDigits } from '../recipients/recipient.js';
import type { Outbox } from '../webhooks/outbox.js';
import { USUAL_DAYS } from './gauges.js';
import { createExcessCache } from './excess-cache.js';
import { createExcessesStore } from './excesses-store.js';
import { createFraudNotices } from './fraud-notices.js';
import { createFraudOverview } from './fraud-overview.js';
import { createFraudPauses } from './fraud-pauses.js';
import { createFraudReader } from './fraud-reader.js';
import { createFraudScopesStore } from './fraud-scopes-store.js';
import { createFraudService, type FraudServiceDependencies } from './fraud-service.js';
import { createFraudSettings } from './fraud-settings-service.js';
import { createRecipientsStore, recipientKeysOf } from './recipients-store.js';
import { createRefusalCounts } from './refusal-counts.js';
import { createRefusalsStore } from './refusals-store.js';

type Dependencies = Pick<
  FraudServiceDependencies,
  'isPaid' | 'senderCountries' | 'challenges' | 'keyring' | 'clock' | 'log' | 'metrics'
> & {
  readonly db: Database;
  readonly inTransaction: InTransaction;
  readonly audit: AuditService;
  readonly applications: Pick<ApplicationsService, 'update' | 'setCeilings'>;
  readonly notices: Notices;
  readonly outbox: Outbox;
  readonly limiter: Pick<Limiter, 'take'>;
};

/** The largest excess has leaked away by then. */
const EXCESS_RETENTION_MS = 14 * DAY;

export function createFraud(dependencies: Dependencies) {
  const { db, inTransaction, audit, applications, notices: store, outbox, limiter, ...rest } = dependencies;
  const { clock, log, keyring } = rest;
  const excesses = createExcessesStore(db);
  const recipients = createRecipientsStore(db);
  const scopesStore = createFraudScopesStore(db);
  const notices = createFraudNotices({ store, outbox, inTransaction });
  const cache = createExcessCache();
  const reader = createFraudReader({ db, excesses, recipients, scopesStore, cache, clock, log });
  const refusals = createRefusalCounts({ store: createRefusalsStore(db), limiter, notices, clock });
  const pauses = createFraudPauses({ scopesStore, excesses, notices, reader, inTransaction, audit, clock });
  const { overview, news } = createFraudOverview({ excesses, pauses, refusals, clock });

  /** Deletes a recipient's records. Excesses do not identify recipients. Returns the number of deleted rows. */
  async function erase(trx: Knex, applicationIds: readonly number[], address: string): Promise<number> {
    const limitKey = parseRecipient(address)?.limitKey ?? phoneDigits(address) ?? address;
    let erased = 0;
    for (const id of applicationIds) erased += await recipients.erase(trx, id, recipientKeysOf(keyring, id, limitKey));
    return erased;
  }

  async function cleanUp(): Promise<void> {
    const now = clock.now();
    await excesses.deleteOld(now - EXCESS_RETENTION_MS, now - (USUAL_DAYS + 2) * DAY);
    await recipients.deleteOld(now);
    await scopesStore.deleteOld(now);
    await refusals.digest();
    await refusals.deleteOld();
  }

  return {
    service: createFraudService({
      ...rest,
      excesses,
      recipients,
      scopesStore,
      notices,
      refusals,
      cache,
      reader,
    }),
    pauses,
    refusesPaid: reader.refusesPaid,
    settings: createFraudSettings(applications),
    overview,
    news,
    refusedBetween: refusals.between,
    challengedBetween: refusals.challengedBetween,
    notices,
    erase,
    maintenance: [cleanUp],
  };
}
