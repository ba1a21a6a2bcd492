/** Stores what is known about recipients. The keys are keyed hashes; the table never contains phone numbers. */
import type { Knex } from 'knex';
import { DAY } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import type { Row } from '../../platform/db/row.js';
import { writeOf, type Write } from '../../platform/db/transaction.js';
import { createUpsert } from '../../platform/db/upsert.js';
import type { RecipientRecord } from './fraud.js';
import { FRAUD_THRESHOLDS } from './fraud-settings.js';

export type RecipientKeyring = Pick<Keyring, 'macs'>;

export interface StoredRecipient {
  readonly applicationId: number;
  readonly key: string;
  readonly record: RecipientRecord;
}

/** The longest exemption that can be configured. */
const VERIFIED_RETENTION_MS = FRAUD_THRESHOLDS.exemptDays.max * DAY;
/** Longer than a code is valid, so that its verification finds the recipient, and longer than the wait after a streak. */
const UNVERIFIED_RETENTION_MS = 2 * DAY;

/** Returns the time from which the record may be deleted. A streak is remembered for a month. */
const expiryOf = ({ countedAt, sentAt, streak, verifiedAt = 0 }: RecipientRecord): number =>
  Math.max(
    Math.max(countedAt, sentAt) + UNVERIFIED_RETENTION_MS * (streak > 1 ? 15 : 1),
    verifiedAt + VERIFIED_RETENTION_MS,
  );

/**
 * Returns a recipient's hash for each key in `SECRET_KEY`, newest first. New rows use the first hash; old rows may use
 * another hash.
 */
export const recipientKeysOf = (keyring: RecipientKeyring, applicationId: number, limitKey: string): string[] =>
  keyring.macs('fraud recipient', `${applicationId}:${limitKey}`);

/** The meanings of the column `new_country`. 3 is added for recipients who were counted in the scope `solved`, too. */
const TOGETHER: readonly RecipientRecord['together'][] = [undefined, '', 'served'];

const toRecord = (row: Row): RecipientRecord => ({
  countedAt: Number(row.counted_at),
  openCodes: Number(row.unverified),
  address: (row.source as string | null) ?? undefined,
  together: TOGETHER[Number(row.new_country) % 3],
  isSolved: Number(row.new_country) >= 3,
  payback: Number(row.payback),
  streak: Number(row.streak),
  sentAt: Number(row.sent_at),
  verifiedAt: row.verified_at === null ? undefined : Number(row.verified_at),
  version: Number(row.messages),
});

const KEY = ['application_id', 'recipient_key'];
const SENT_COLUMNS = ['counted_at', 'messages', 'unverified', 'source', 'new_country', 'payback', 'streak', 'sent_at'];

/**
 * Creates an upsert that replaces `columns` in existing rows. It never moves a row's expiry to an earlier time. If the
 * recipient was verified while the message was being sent, it keeps the record closed.
 */
function upsertOf(columns: readonly string[]) {
  const upsert = createUpsert({
    table: 'fraud_recipients',
    key: KEY,
    columns: [...KEY, ...SENT_COLUMNS, 'verified_at', 'expires_at'],
    update(inserted) {
      const later = inserted('expires_at');
      const ifVerified = (value: string, column: string) =>
        `case when fraud_recipients.verified_at >= ${inserted('sent_at')} then ${value} else ${inserted(column)} end`;
      return {
        ...Object.fromEntries(columns.map((column) => [column, inserted(column)])),
        unverified: ifVerified('0', 'unverified'),
        streak: ifVerified('0', 'streak'),
        source: ifVerified('null', 'source'),
        expires_at: `case when ${later} > fraud_recipients.expires_at then ${later} else fraud_recipients.expires_at end`,
      };
    },
  });
  /** Stores the last record of each recipient. Sorts the rows to prevent deadlocks between transactions. */
  return function upsertRecipients(trx: Knex, recipients: readonly StoredRecipient[]): Promise<void> {
    const byKey = new Map(recipients.map((one) => [one.key, one]));
    const sorted = [...byKey.keys()].sort().map((key) => byKey.get(key)!);
    return upsert(
      trx,
      sorted.map(({ applicationId, key, record }) => [
        applicationId,
        key,
        record.countedAt,
        record.version,
        record.openCodes,
        record.address ?? null,
        TOGETHER.indexOf(record.together) + (record.isSolved ? 3 : 0),
        record.payback,
        record.streak,
        record.sentAt,
        record.verifiedAt ?? null,
        expiryOf(record),
      ]),
    );
  };
}

/** Does not overwrite `verified_at`, which a concurrent verification may have set. */
const insertSent = upsertOf(SENT_COLUMNS);
const insertSettled = upsertOf([...SENT_COLUMNS, 'verified_at']);

export type RecipientsStore = ReturnType<typeof createRecipientsStore>;

export function createRecipientsStore(db: Database) {
  return {
    /** Locked after guesses and messages, as by a verification. */
    row: (recipient: StoredRecipient): Write => writeOf(insertSent, recipient, { place: 1 }),
    saveSent: (recipient: StoredRecipient): Promise<void> => insertSent(db, [recipient]),
    saveSettled: insertSettled,

    /** Returns recipients by key. Locks them in a transaction. */
    async find(trx: Knex, keys: readonly string[], applicationIds: readonly number[]) {
      if (keys.length === 0) return new Map<string, RecipientRecord>();
      const found = trx('fraud_recipients').whereIn('application_id', applicationIds).whereIn('recipient_key', keys);
      const rows: Row[] = await (trx.isTransaction ? found.forUpdate() : found);
      return new Map(rows.map((row) => [row.recipient_key as string, toRecord(row)]));
    },

    /** Deletes the rows of a recipient under all of its keys. Returns the number of deleted rows. */
    erase: (trx: Knex, applicationId: number, keys: readonly string[]): Promise<number> =>
      trx('fraud_recipients').where({ application_id: applicationId }).whereIn('recipient_key', keys).delete(),

    deleteOld: (now: number): Promise<void> =>
      deleteInChunks(() => db('fraud_recipients').where('expires_at', '<', now), 'recipient_key'),
  };
}
