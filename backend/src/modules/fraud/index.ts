/** The fraud guard: refuses paid messages that look like SMS pumping or toll fraud. */
import type { Knex } from 'knex';
import { DAY, HOUR } from '../../platform/clock.js';
import type { Database } from '../../platform/db/database.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import type { AuditService } from '../audit/audit-service.js';
import { parseRecipient, phoneDigits } from '../recipients/recipient.js';
import type { SessionsService } from '../sessions/sessions-service.js';
import type { Outbox } from '../webhooks/outbox.js';
import type { SenderCountries } from './fraud-application.js';
import { createFraudCache } from './fraud-cache.js';
import { BASELINE_DAYS } from './fraud-counters.js';
import { createVerifiedEarlier } from './fraud-earlier-users.js';
import { createFraudNotices } from './fraud-notices.js';
import { createFraudNoticesStore } from './fraud-notices-store.js';
import { createFraudObservationsStore } from './fraud-observations-store.js';
import { createFraudOverview, OBSERVED_DAYS } from './fraud-overview.js';
import { createFraudPauses } from './fraud-pauses.js';
import { createFraudReader } from './fraud-reader.js';
import { recipientKeysOf } from './fraud-recipient.js';
import { createFraudScopesStore } from './fraud-scopes-store.js';
import { createFraudService, type FraudServiceDependencies } from './fraud-service.js';
import { createFraudSettings } from './fraud-settings-service.js';
import { createFraudStore } from './fraud-store.js';
import { createCountUndelivered, createCountVerified } from './fraud-verifications.js';

type Dependencies = Pick<FraudServiceDependencies, 'isPaid' | 'keyring' | 'limiter' | 'clock' | 'log' | 'metrics'> & {
  readonly sessions: Pick<SessionsService, 'verifiedUsers'>;
  readonly db: Database;
  readonly inTransaction: InTransaction;
  readonly audit: AuditService;
  readonly applications: Pick<ApplicationsService, 'update' | 'setCeilings'>;
  readonly outbox: Outbox;
  readonly currency: () => string;
  readonly senderCountries: SenderCountries;
};

/** How long counters are stored, by bucket size. */
const RETENTION_MS = { minute: DAY + HOUR, hour: DAY + 2 * HOUR, day: (BASELINE_DAYS + 2) * DAY } as const;

export function createFraud(dependencies: Dependencies) {
  const { db, inTransaction, audit, applications, sessions, outbox, currency, senderCountries, ...rest } = dependencies;
  const { clock, log, keyring } = rest;
  const store = createFraudStore(db);
  const scopesStore = createFraudScopesStore(db);
  const observations = createFraudObservationsStore(db);
  const noticesStore = createFraudNoticesStore(db);
  const notices = createFraudNotices({ store: noticesStore, outbox, inTransaction, currency, clock, log });
  const cache = createFraudCache();
  const reader = createFraudReader({ db, store, scopesStore, cache, clock, log });
  const countVerified = createCountVerified({ store, reader, keyring });
  const countUndelivered = createCountUndelivered({ store, scopesStore, keyring });
  const pauses = createFraudPauses({ scopesStore, notices, reader, inTransaction, audit, clock });

  /** Deletes a recipient's records. Counters do not identify recipients. Returns the number of deleted rows. */
  async function erase(trx: Knex, applicationIds: readonly number[], address: string): Promise<number> {
    const limitKey = parseRecipient(address)?.limitKey ?? phoneDigits(address) ?? address;
    let erased = 0;
    for (const id of applicationIds) erased += await store.erase(trx, id, recipientKeysOf(keyring, id, limitKey));
    return erased;
  }

  async function cleanUp(): Promise<void> {
    const now = clock.now();
    for (const size of ['minute', 'hour', 'day'] as const) await store.deleteCounters(size, now - RETENTION_MS[size]);
    await store.deleteRecipients(now);
    await scopesStore.deleteOld(now);
    await noticesStore.deleteOld(now);
    await observations.deleteOld(now - OBSERVED_DAYS * DAY);
  }

  return {
    service: createFraudService({
      ...rest,
      store,
      scopesStore,
      observations,
      notices,
      cache,
      reader,
      countVerified,
      countUndelivered,
      verifiedEarlier: createVerifiedEarlier(sessions),
      senderCountries,
    }),
    pauses,
    refusesPaid: reader.refusesPaid,
    settings: createFraudSettings(applications),
    overview: createFraudOverview({ store, pauses, observations, clock }),
    notices,
    erase,
    maintenance: [cleanUp],
  };
}
