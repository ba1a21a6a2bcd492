/** The tables of the fraud guard. Recipients and sources are keyed hashes. */
import type { Knex } from 'knex';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { transact, writeOf, type Write } from '../../platform/db/transaction.js';
import type { BucketSize, Increment, KeyedBucket, RecipientRecord } from './fraud.js';
import { merged, type Read } from './fraud-counters.js';

export type FraudStore = ReturnType<typeof createFraudStore>;

/** A range of counters of an application. */
export interface ApplicationRead extends Read {
  readonly applicationId: number;
}

export interface CountedIncrements {
  readonly applicationId: number;
  readonly increments: readonly Increment[];
  /** Called in the transaction, after the statement. */
  written?(): void;
}

export interface StoredRecipient {
  readonly applicationId: number;
  readonly key: string;
  readonly record: RecipientRecord;
  readonly expiresAt: number;
}

/** What is stored about an application, besides its counters. */
export interface StoredApplication {
  readonly guardedSince: number;
  readonly everVerified: boolean;
}

type Row = Record<string, unknown>;

/** SQLite limits the depth of an expression, and each range is one term of it. */
const RANGES_PER_QUERY = 100;

const COUNTER_KEY = ['application_id', 'dimension', 'counter_key', 'size', 'start'];
const RECIPIENT_KEY = ['application_id', 'recipient_key'];

const given = (trx: Knex, column: string) =>
  trx.client.dialect === 'mysql' ? `values(${column})` : `excluded.${column}`;

const idOf = (row: Row): string => COUNTER_KEY.map((column) => String(row[column])).join(' ');

/** One row for each bucket, always in the same order, which prevents deadlocks between transactions. */
function toCounterRows(counted: readonly CountedIncrements[]): Row[] {
  const byApplication = new Map<number, Increment[]>();
  for (const { applicationId, increments } of counted)
    byApplication.set(applicationId, [...(byApplication.get(applicationId) ?? []), ...increments]);
  const rows = [...byApplication].flatMap(([applicationId, increments]) =>
    merged(increments).map(({ key, ...counts }): Row => ({
      application_id: applicationId,
      counter_key: key,
      ...counts,
    })),
  );
  return rows.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}

export async function addToCounters(trx: Knex, counted: readonly CountedIncrements[]): Promise<void> {
  const rows = toCounterRows(counted);
  const sums = ['sent', 'verified', 'spend'].map((column) => [
    column,
    trx.raw(`fraud_counters.${column} + ${given(trx, column)}`),
  ]);
  if (rows.length > 0) await trx('fraud_counters').insert(rows).onConflict(COUNTER_KEY).merge(Object.fromEntries(sums));
  for (const { written } of counted) written?.();
}

const toRecipientRow = ({ applicationId, key, record, expiresAt }: StoredRecipient): Row => ({
  application_id: applicationId,
  recipient_key: key,
  counted_at: record.countedAt,
  messages: record.messages,
  unverified: record.unverified,
  source: record.source ?? null,
  new_country: record.newCountry,
  verified_at: record.verifiedAt ?? null,
  expires_at: expiresAt,
});

const toRecord = (row: Row): RecipientRecord => ({
  countedAt: Number(row.counted_at),
  messages: Number(row.messages),
  unverified: Number(row.unverified),
  source: (row.source as string | null) ?? undefined,
  newCountry: Boolean(row.new_country),
  verifiedAt: row.verified_at === null ? undefined : Number(row.verified_at),
});

/** `columns` are replaced in existing rows. A row is never deleted earlier than it would have been. */
async function upsertRecipients(trx: Knex, recipients: readonly StoredRecipient[], columns: readonly string[]) {
  const rows = new Map(recipients.map((one) => [one.key, toRecipientRow(one)]));
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  const later = given(trx, 'expires_at');
  const expiresAt = `case when ${later} > fraud_recipients.expires_at then ${later} else fraud_recipients.expires_at end`;
  const replaced = columns.map((column) => [column, trx.raw(given(trx, column))]);
  await trx('fraud_recipients')
    .insert(sorted)
    .onConflict(RECIPIENT_KEY)
    .merge({ ...Object.fromEntries(replaced), expires_at: trx.raw(expiresAt) });
}

const SENT_COLUMNS = ['counted_at', 'messages', 'unverified', 'source', 'new_country'];

/** Keeps `verified_at`, which a concurrent verification may have set. */
const insertSentRecipients = (trx: Knex, recipients: readonly StoredRecipient[]) =>
  upsertRecipients(trx, recipients, SENT_COLUMNS);

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
  async function readRanges(reads: readonly ApplicationRead[]): Promise<(KeyedBucket & ApplicationRead)[]> {
    const rows: Row[] = await db('fraud_counters').where((any) => {
      for (const { applicationId, dimension, key, startsWith, size, from } of reads)
        any.orWhere((range) => {
          range.where({ application_id: applicationId, dimension });
          // "!" follows the space that ends the key.
          if (startsWith) range.where('counter_key', '>=', key).where('counter_key', '<', `${key.slice(0, -1)}!`);
          else range.where({ counter_key: key });
          range.where({ size }).where('start', '>=', from);
        });
    });
    return rows.map((row) => ({
      applicationId: Number(row.application_id),
      dimension: row.dimension as Read['dimension'],
      key: row.counter_key as string,
      size: row.size as BucketSize,
      ...{ startsWith: false, from: 0 },
      start: Number(row.start),
      sent: Number(row.sent),
      verified: Number(row.verified),
      spend: Number(row.spend),
    }));
  }

  return {
    countersRow: (counted: CountedIncrements): Write => writeOf(addToCounters, counted),
    recipientRow: (recipient: StoredRecipient): Write => writeOf(insertSentRecipients, recipient),
    applicationRow: (id: number, now: number): Write => writeOf(insertApplications, { id, now, verified: false }),

    addToCounters,

    async read(reads: readonly ApplicationRead[]): Promise<(KeyedBucket & ApplicationRead)[]> {
      const found: (KeyedBucket & ApplicationRead)[] = [];
      for (let n = 0; n < reads.length; n += RANGES_PER_QUERY)
        found.push(...(await readRanges(reads.slice(n, n + RANGES_PER_QUERY))));
      return found;
    },

    /** Recipients by key. */
    async recipients(trx: Knex, keys: readonly string[], applicationIds: readonly number[]) {
      if (keys.length === 0) return new Map<string, RecipientRecord>();
      const rows: Row[] = await trx('fraud_recipients')
        .whereIn('application_id', [...applicationIds])
        .whereIn('recipient_key', [...keys]);
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

    async saveVerified(trx: Knex, recipients: readonly StoredRecipient[]): Promise<void> {
      if (recipients.length > 0) await upsertRecipients(trx, recipients, [...SENT_COLUMNS, 'verified_at']);
    },

    async setEverVerified(trx: Knex, ids: readonly number[], now: number): Promise<void> {
      if (ids.length > 0)
        await insertApplications(
          trx,
          ids.map((id) => ({ id, now, verified: true })),
        );
    },

    /** Takes back what a send counted, because its message was certainly not sent. */
    uncount: (counted: CountedIncrements, recipient: StoredRecipient | undefined): Promise<void> =>
      transact(db, async (trx) => {
        await addToCounters(trx, [counted]);
        if (recipient) await insertSentRecipients(trx, [recipient]);
      }),

    /** Deletes a recipient under all of its keys. Returns the number of rows. */
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
