/** The fraud guard: refuses paid messages that look like SMS pumping or toll fraud. */
import type { Knex } from 'knex';
import { DAY, HOUR } from '../../platform/clock.js';
import type { Database } from '../../platform/db/database.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import type { AuditService } from '../audit/audit-service.js';
import { parseRecipient, phoneDigits } from '../recipients/recipient.js';
import { createFraudCache } from './fraud-cache.js';
import { BASELINE_DAYS } from './fraud-counters.js';
import { QUIET_WEEKS_MS } from './fraud-ladder.js';
import { createFraudPauses } from './fraud-pauses.js';
import { createFraudReader } from './fraud-reader.js';
import { recipientKeysOf } from './fraud-recipient.js';
import { createFraudScopesStore } from './fraud-scopes-store.js';
import { createFraudService, type FraudServiceDependencies } from './fraud-service.js';
import { createFraudStore } from './fraud-store.js';
import { createCountVerified } from './fraud-verifications.js';

export type FraudDependencies = Pick<FraudServiceDependencies, 'providers' | 'keyring' | 'clock' | 'log'> & {
  readonly db: Database;
  readonly inTransaction: InTransaction;
  readonly audit: AuditService;
  /** Numbers that messages are sent from. */
  readonly senders: readonly (string | undefined)[];
};

/** How long rows are kept, by the dimension that needs them the longest. */
const RETENTION_MS = { minute: DAY + HOUR, hour: DAY + 2 * HOUR, day: (BASELINE_DAYS + 2) * DAY } as const;

export function createFraud({ db, inTransaction, audit, senders, ...rest }: FraudDependencies) {
  const { clock, log, keyring } = rest;
  const store = createFraudStore(db);
  const scopesStore = createFraudScopesStore(db);
  const cache = createFraudCache();
  const reader = createFraudReader({ db, store, scopesStore, cache, clock, log });
  const countVerified = createCountVerified({ store, reader, keyring });
  const countries = senders.map((number) => (number === undefined ? undefined : parseRecipient(number)?.country));
  const senderCountries = [...new Set(countries.filter((country) => country !== undefined))];

  /** Deletes what is known about a recipient. Counters contain no recipients. Returns the number of rows. */
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
    await scopesStore.deleteOld(now - QUIET_WEEKS_MS, now);
  }

  return {
    service: createFraudService({ ...rest, store, scopesStore, cache, reader, countVerified, senderCountries }),
    pauses: createFraudPauses({ scopesStore, reader, inTransaction, audit, clock }),
    erase,
    maintenance: [cleanUp],
  };
}
