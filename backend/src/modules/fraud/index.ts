/**
 * The fraud guard: refuses paid messages that look like SMS pumping or toll fraud. Four files explain a pause: `decide.ts`
 * (what counts, and which scope is paused: start at `decide`), `gauges.ts` (the scopes, their excesses and limits),
 * `fraud-settings.ts` (the numbers) and `pause-state.ts` (how long the pause lasts). `fraud-pauses.ts` shows what people can do.
 */
import type { Knex } from 'knex';
import { DAY } from '../../platform/clock.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import type { Shared } from '../audit/audit-service.js';
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

interface Dependencies
  extends
    Pick<FraudServiceDependencies, 'isPaid' | 'senderCountries' | 'challenges' | 'metrics'>,
    Pick<Shared, 'audit' | 'clock' | 'db' | 'inTransaction' | 'keyring' | 'log'> {
  readonly applications: Pick<ApplicationsService, 'update' | 'setCeilings'>;
  readonly notices: Notices;
  readonly outbox: Outbox;
  readonly limiter: Pick<Limiter, 'take'>;
}

/** The largest excess has leaked away by then. */
const EXCESS_RETENTION_MS = 14 * DAY;

export function createFraud(dependencies: Dependencies) {
  const { db, applications, clock, keyring } = dependencies;
  const excesses = createExcessesStore(db);
  const recipients = createRecipientsStore(db);
  const scopesStore = createFraudScopesStore(db);
  const notices = createFraudNotices({ ...dependencies, store: dependencies.notices });
  const cache = createExcessCache();
  const reader = createFraudReader({ ...dependencies, excesses, recipients, scopesStore, cache });
  const refusals = createRefusalCounts({ ...dependencies, store: createRefusalsStore(db), notices });
  const pauses = createFraudPauses({ ...dependencies, scopesStore, excesses, notices, reader });
  const { overview, news, homeReaction } = createFraudOverview({ ...dependencies, excesses, pauses, refusals });

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
      ...dependencies,
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
    homeReaction,
    refusedBetween: refusals.between,
    refusedByPeriod: refusals.byPeriod,
    lastRefusals: refusals.lastPeriods,
    challengedBetween: refusals.challengedBetween,
    notices,
    erase,
    maintenance: [cleanUp],
  };
}
