/**
 * Stores the fraud guard's counters, recipients and applications. Recipients and sources are stored as keyed hashes.
 */
import type { Knex } from 'knex';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { transact, writeOf, type Write } from '../../platform/db/transaction.js';
import { createUpsert } from '../../platform/db/upsert.js';
import type { BucketSize, Dimension, Increment, KeyedBucket, RecipientRecord } from './fraud.js';
import type { CounterRange } from './fraud-counters.js';

export type FraudStore = ReturnType<typeof createFraudStore>;

/** A range of an application's counters. */
export interface ApplicationRange extends CounterRange {
  readonly applicationId: number;
}

export interface CountedIncrements {
  readonly applicationId: number;
  readonly increments: readonly Increment[];
}

export interface StoredRecipient {
  readonly applicationId: number;
  readonly key: string;
  readonly record: RecipientRecord;
  readonly expiresAt: number;
}

/** The fraud guard's row for an application. */
export interface StoredApplication {
  readonly guardedSince: number;
  readonly everVerified: boolean;
}

type Row = Record<string, unknown>;

/** Stays below SQLite's limits for compound queries and parameters. */
const RANGES_PER_QUERY = 100;

/** Limits the duration of the query: a busy application has hundreds of thousands of prefixes a day. */
const MAX_SUMMED_ROWS = 50_000;

export interface FoundBucket extends KeyedBucket {
  readonly range: ApplicationRange;
}

const COUNTER_COLUMNS = 'counter_key, start, sent, verified, spend';
const selectOf = (n: number) =>
  `select ${n} as n, ${COUNTER_COLUMNS} from fraud_counters where application_id = ? and dimension = ? and counter_key = ? and size = ? and start >= ?`;
const selectKeysOf = (n: number) =>
  `select ${n} as n, ${COUNTER_COLUMNS} from fraud_counters where application_id = ? and dimension = ? and counter_key >= ? and counter_key < ? and size = ? and start >= ?`;

/** Returns the rows of a raw query. MySQL's result also describes the columns. */
const rowsOf = (result: unknown): Row[] =>
  Array.isArray((result as unknown[])[0]) ? (result as Row[][])[0]! : (result as Row[]);

const sumOfBoth = (inserted: (column: string) => string, column: string) =>
  `fraud_counters.${column} + ${inserted(column)}`;

const addCounterRows = createUpsert({
  table: 'fraud_counters',
  key: ['application_id', 'dimension', 'counter_key', 'size', 'start'],
  columns: ['application_id', 'dimension', 'counter_key', 'size', 'start', 'sent', 'verified', 'spend'],
  update: (inserted) => ({
    sent: sumOfBoth(inserted, 'sent'),
    verified: sumOfBoth(inserted, 'verified'),
    spend: sumOfBoth(inserted, 'spend'),
  }),
});

/**
 * Adds the increments to the counters, with one row for each bucket. Sorts the rows to prevent deadlocks between
 * transactions.
 */
export async function addToCounters(trx: Knex, counted: readonly CountedIncrements[]): Promise<void> {
  const rows = new Map<string, [number, Dimension, string, BucketSize, number, number, number, number]>();
  for (const { applicationId, increments } of counted)
    for (const { dimension, key, size, start, sent, verified, spend } of increments) {
      const id = `${applicationId} ${dimension} ${key} ${size} ${start}`;
      const row = rows.get(id);
      if (!row) rows.set(id, [applicationId, dimension, key, size, start, sent, verified, spend]);
      else {
        row[5] += sent;
        row[6] += verified;
        row[7] += spend;
      }
    }
  const ids = [...rows.keys()].sort();
  await addCounterRows(
    trx,
    ids.map((id) => rows.get(id)!),
  );
}

const toRecord = (row: Row): RecipientRecord => ({
  countedAt: Number(row.counted_at),
  messages: Number(row.messages),
  unverified: Number(row.unverified),
  source: (row.source as string | null) ?? undefined,
  newCountry: Boolean(row.new_country),
  verifiedAt: row.verified_at === null ? undefined : Number(row.verified_at),
});

const RECIPIENT_KEY = ['application_id', 'recipient_key'];
const SENT_COLUMNS = ['counted_at', 'messages', 'unverified', 'source', 'new_country'];

/**
 * Creates an upsert that replaces `columns` in existing rows. It never moves a row's expiry to an earlier time. If the
 * recipient was verified while the message was being sent, it keeps `unverified` at 0, and stores no source.
 */
function upsertOfRecipients(columns: readonly string[]) {
  const upsert = createUpsert({
    table: 'fraud_recipients',
    key: RECIPIENT_KEY,
    columns: [...RECIPIENT_KEY, ...SENT_COLUMNS, 'verified_at', 'expires_at'],
    update(inserted) {
      const later = inserted('expires_at');
      const expiresAt = `case when ${later} > fraud_recipients.expires_at then ${later} else fraud_recipients.expires_at end`;
      const ifVerified = (value: string, column: string) =>
        `case when fraud_recipients.verified_at >= ${inserted('counted_at')} then ${value} else ${inserted(column)} end`;
      return {
        ...Object.fromEntries(columns.map((column) => [column, inserted(column)])),
        unverified: ifVerified('0', 'unverified'),
        source: ifVerified('null', 'source'),
        expires_at: expiresAt,
      };
    },
  });
  /** Stores the last record of each recipient. Sorts the rows to prevent deadlocks between transactions. */
  return function upsertRecipients(trx: Knex, recipients: readonly StoredRecipient[]): Promise<void> {
    const byKey = new Map(recipients.map((one) => [one.key, one]));
    const sorted = [...byKey.keys()].sort().map((key) => byKey.get(key)!);
    return upsert(
      trx,
      sorted.map(({ applicationId, key, record, expiresAt }) => [
        applicationId,
        key,
        record.countedAt,
        record.messages,
        record.unverified,
        record.source ?? null,
        record.newCountry,
        record.verifiedAt ?? null,
        expiresAt,
      ]),
    );
  };
}

/** Does not overwrite `verified_at`, which a concurrent verification may have set. */
const insertSentRecipients = upsertOfRecipients(SENT_COLUMNS);
const insertVerifiedRecipients = upsertOfRecipients([...SENT_COLUMNS, 'verified_at']);

async function insertApplications(trx: Knex, applications: readonly { id: number; now: number; verified: boolean }[]) {
  const rows = new Map(
    applications.map(({ id, now, verified }) => [
      id,
      { application_id: id, guarded_since: now, ever_verified: verified },
    ]),
  );
  const sorted = [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
  const query = trx('fraud_applications').insert(sorted).onConflict('application_id');
  await (applications.some(({ verified }) => verified) ? query.merge(['ever_verified']) : query.ignore());
}

export function createFraudStore(db: Database) {
  /**
   * Combines one query per range with `union all`, because MySQL and SQLite are slow to plan one query with many
   * alternatives.
   */
  async function readRanges(ranges: readonly ApplicationRange[]): Promise<FoundBucket[]> {
    const queries = ranges.map(({ startsWith }, n) => (startsWith ? selectKeysOf(n) : selectOf(n)));
    const values = ranges.flatMap(({ applicationId, dimension, key, startsWith, size, from }) => [
      applicationId,
      dimension,
      key,
      // Upper bound of all keys that start with `key`, which ends with a space: "!" follows the space in ASCII.
      ...(startsWith ? [`${key.slice(0, -1)}!`] : []),
      size,
      from,
    ]);
    const rows = rowsOf(await db.raw(queries.join(' union all '), values));
    return rows.map((row) => ({
      range: ranges[Number(row.n)]!,
      key: row.counter_key as string,
      start: Number(row.start),
      sent: Number(row.sent),
      verified: Number(row.verified),
      spend: Number(row.spend),
    }));
  }

  return {
    countersRow: (counted: CountedIncrements, committed: () => void): Write =>
      writeOf(addToCounters, counted, committed),
    recipientRow: (recipient: StoredRecipient): Write => writeOf(insertSentRecipients, recipient),
    applicationRow: (id: number, now: number): Write => writeOf(insertApplications, { id, now, verified: false }),

    addToCounters,

    /** Returns the buckets of the ranges, in ascending order of `start` for each key. */
    async read(ranges: readonly ApplicationRange[]): Promise<FoundBucket[]> {
      const found: FoundBucket[] = [];
      for (let n = 0; n < ranges.length; n += RANGES_PER_QUERY)
        for (const bucket of await readRanges(ranges.slice(n, n + RANGES_PER_QUERY))) found.push(bucket);
      return found;
    },

    /**
     * Returns the sums by key since `from`, with the most unverified recipients first. Only the newest {@link
     * MAX_SUMMED_ROWS} rows are added up.
     */
    async sums(
      { applicationId, dimension, size, from }: Omit<ApplicationRange, 'key' | 'startsWith'>,
      limit: number,
    ): Promise<Pick<KeyedBucket, 'key' | 'sent' | 'verified'>[]> {
      const newest = db('fraud_counters')
        .where({ application_id: applicationId, dimension, size })
        .where('start', '>=', from)
        .orderBy('start', 'desc')
        .limit(MAX_SUMMED_ROWS);
      const rows: Row[] = await db(newest.as('newest'))
        .groupBy('counter_key')
        .select('counter_key')
        .sum({ recipients: 'sent', entered: 'verified' })
        .orderByRaw('sum(sent) - sum(verified) desc, sum(sent) desc, counter_key')
        .limit(limit);
      return rows.map((row) => ({
        key: row.counter_key as string,
        sent: Number(row.recipients),
        verified: Number(row.entered),
      }));
    },

    /** Returns recipients by key. */
    async recipients(trx: Knex, keys: readonly string[], applicationIds: readonly number[]) {
      if (keys.length === 0) return new Map<string, RecipientRecord>();
      const lists = [applicationIds, keys].map((list) => `(${list.map(() => '?').join(', ')})`);
      const sql = `select * from fraud_recipients where application_id in ${lists[0]} and recipient_key in ${lists[1]}`;
      const rows = rowsOf(await trx.raw(sql, [...applicationIds, ...keys]));
      return new Map(rows.map((row) => [row.recipient_key as string, toRecord(row)]));
    },

    async applications(ids: readonly number[]): Promise<Map<number, StoredApplication>> {
      const rows: Row[] = await db('fraud_applications').whereIn('application_id', [...ids]);
      return new Map(
        rows.map((row) => [
          Number(row.application_id),
          { guardedSince: Number(row.guarded_since), everVerified: Boolean(row.ever_verified) },
        ]),
      );
    },

    /** Stores that a recipient got fewer messages. Returns whether the record is still the one that was read. */
    async saveUndelivered(
      trx: Knex,
      { applicationId, key, record: { messages, unverified } }: Omit<StoredRecipient, 'expiresAt'>,
      { countedAt, ...before }: RecipientRecord,
    ): Promise<boolean> {
      const changed = await trx('fraud_recipients')
        .where({ application_id: applicationId, recipient_key: key, counted_at: countedAt })
        .where({ messages: before.messages, unverified: before.unverified })
        .update({ messages, unverified });
      return changed === 1;
    },

    saveVerified: insertVerifiedRecipients,

    async setEverVerified(trx: Knex, ids: readonly number[], now: number): Promise<void> {
      if (ids.length > 0)
        await insertApplications(
          trx,
          ids.map((id) => ({ id, now, verified: true })),
        );
    },

    /** Stores a daily mark for a refused source. */
    mark: (counted: CountedIncrements): Promise<void> => transact(db, (trx) => addToCounters(trx, [counted])),

    /** Subtracts the counts of a message that was certainly not sent. */
    uncount: (counted: CountedIncrements, recipient: StoredRecipient | undefined): Promise<void> =>
      transact(db, async (trx) => {
        await addToCounters(trx, [counted]);
        if (recipient) await insertSentRecipients(trx, [recipient]);
      }),

    /** Deletes the rows of a recipient under all of its keys. Returns the number of deleted rows. */
    erase: (trx: Knex, applicationId: number, keys: readonly string[]): Promise<number> =>
      trx('fraud_recipients')
        .where({ application_id: applicationId })
        .whereIn('recipient_key', [...keys])
        .delete(),

    deleteCounters: (size: BucketSize, before: number): Promise<void> =>
      deleteInChunks(() => db('fraud_counters').where({ size }).where('start', '<', before), 'start'),

    deleteRecipients: (now: number): Promise<void> =>
      deleteInChunks(() => db('fraud_recipients').where('expires_at', '<', now), 'recipient_key'),
  };
}
