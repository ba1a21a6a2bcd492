/** Stores codes, in the table `otp_sessions`, and each recipient's wrong guesses. */
import type { Knex } from 'knex';
import { DAY, MINUTE } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { RECENT_SCAN_LIMIT, deleteInChunks, type Database } from '../../platform/db/database.js';
import { fromSecretRow, toRow, type Row } from '../../platform/db/row.js';
import { writeOf, type Write } from '../../platform/db/transaction.js';
import { spellingsOf } from '../recipients/recipient.js';
import { UNMATCHABLE_HASH, type LockedCode, type OtpCode, type RecipientGuesses } from './otp-code.js';
import { recipientKeysOf, type RecipientLookup } from './recipient-keys.js';

/** How long expired codes are stored, so that the reply to a late guess is "OTP has expired". */
const CODE_RETENTION_DAYS = 7;

/**
 * How long a recipient's guesses are stored after the latest send. Codes are valid for at most a day, and guesses count
 * for at most 25 hours. The retention does not depend on the code, so that a new code never shortens it.
 */
const GUESSES_RETENTION_DAYS = 3;

/**
 * How far back a clean-up searches for expired decoys. It reads all codes that expired in this time, because
 * decoys have no index. Decoys that expire while no process runs are deleted with the other codes.
 */
const DECOY_SEARCH_MS = 10 * MINUTE;

export type OtpStore = ReturnType<typeof createOtpStore>;

/** A code with the time of an event. */
export interface RecentCode extends OtpCode {
  readonly at: number;
  readonly lockedUntil: number;
}

/** By time, because some databases assign IDs out of order. The ID only decides between codes of the same millisecond. */
export const NEWEST_FIRST = [
  { column: 'created_at', order: 'desc' },
  { column: 'id', order: 'desc' },
];

const recipientColumns = (code: OtpCode) => ({
  application_id: code.applicationId,
  recipient_key: code.recipientKey,
});

/**
 * Restricts a query to codes that were delivered to one of these addresses, in lower case. A recipient key is
 * not enough, because addresses with different plus-tags share it.
 */
export const deliveredTo =
  (addresses: readonly string[]) =>
  (codes: Knex.QueryBuilder): void =>
    void codes.whereRaw(`lower(recipient) in (${addresses.map(() => '?').join(', ')})`, [...addresses]);

export const toCode = <Code extends OtpCode = OtpCode>(row: Row): Code => ({
  ...fromSecretRow<Code>(row),
  // Null in codes created by earlier versions. Assumes codes of digits only, which have the smallest code space.
  codeSpace: Number(row.code_space ?? 10 ** (row.code_length as number)),
});

const toGuesses = (row: Row): RecipientGuesses => ({
  times: JSON.parse((row.guess_times as string | null) ?? '[]') as number[],
  risks: JSON.parse((row.guess_risks as string | null) ?? '[]') as RecipientGuesses['risks'],
  lockedUntil: Number(row.recipient_locked_until ?? 0),
  changed: false,
});

const toLockedCode = (row: Row, guesses: RecipientGuesses): LockedCode => ({
  ...toCode<LockedCode>(row),
  guesses,
  hasOthers: Boolean(row.has_others),
  wrongGuesses: row.guesses as number,
  cooldownEnded: Boolean(row.cooldown_ended),
  newlyLocked: false,
  changed: false,
  newlyVerified: false,
});

const toLiveRow = (code: OtpCode): Row => toRow({ ...code, state: 'live' });

async function insertCodes(trx: Knex, codes: readonly OtpCode[]): Promise<void> {
  await trx('otp_sessions').insert(codes.map(toLiveRow));
  await insertGuesses(trx, codes);
}

async function insertGuesses(trx: Knex, codes: readonly OtpCode[]): Promise<void> {
  // Inserted together with the code, so that every guess finds a row to lock. A new send does not reset the guesses.
  const guesses = codes.map((code) => ({
    ...recipientColumns(code),
    times: '[]',
    expires_at: code.createdAt + GUESSES_RETENTION_DAYS * DAY,
  }));
  // Sorted, so that concurrent batches lock the rows in the same order, which prevents deadlocks.
  guesses.sort((a, b) => (a.recipient_key < b.recipient_key ? -1 : 1));
  await trx('recipient_guesses').insert(guesses).onConflict(['application_id', 'recipient_key']).merge(['expires_at']);
}

/** Stores decoys. Leaves existing decoys and their guess counts unchanged. */
async function insertDecoys(trx: Knex, decoys: readonly OtpCode[]): Promise<void> {
  if (decoys.length === 0) return;
  // Removes duplicates, and sorts the rows, so that concurrent batches lock them in the same order.
  const unique = [...new Map(decoys.map((decoy) => [decoy.maskId, decoy])).values()];
  unique.sort((a, b) => (a.maskId < b.maskId ? -1 : 1));
  // `merge` locks an existing row exclusively. With `ignore`, the row would get a shared lock, which could cause a
  // deadlock.
  await trx('otp_sessions').insert(unique.map(toLiveRow)).onConflict('mask_id').merge(['code_hash']);
  await insertGuesses(trx, unique);
}

function codesWithGuesses(trx: Knex, maskIds: readonly string[]): Knex.QueryBuilder {
  const others = trx('otp_sessions as o')
    .whereRaw('o.application_id = s.application_id and o.recipient_key = s.recipient_key and o.state = ?', 'live')
    .whereRaw('o.mask_id <> s.mask_id')
    .select(trx.raw('1'))
    .limit(1);
  return trx('otp_sessions as s')
    .leftJoin('recipient_guesses as g', {
      'g.application_id': 's.application_id',
      'g.recipient_key': 's.recipient_key',
    })
    .whereIn('s.mask_id', maskIds)
    .select('s.*', { guess_times: 'g.times', guess_risks: 'g.risks', recipient_locked_until: 'g.locked_until' })
    .select({ has_others: others });
}

/** Locks codes and the recipients' guess counts until the transaction ends. Returns the codes by `maskId`. */
async function lock(trx: Knex, maskIds: readonly string[]): Promise<Map<string, LockedCode>> {
  const rows: Row[] = await codesWithGuesses(trx, maskIds).forUpdate();
  const guesses = new Map<string, RecipientGuesses>();
  return new Map(
    rows.map((row) => {
      const recipient = `${row.application_id as number} ${row.recipient_key as string}`;
      if (!guesses.has(recipient)) guesses.set(recipient, toGuesses(row));
      return [row.mask_id as string, toLockedCode(row, guesses.get(recipient)!)];
    }),
  );
}

/**
 * Stores changed codes and guess counts, which the transaction has locked. Returns the messages of other codes that ended,
 * because a code of the same recipient was verified.
 */
async function save(trx: Knex, codes: readonly LockedCode[], now: number): Promise<string[]> {
  const verified = codes.filter(({ newlyVerified }) => newlyVerified);
  const maskIds = verified.map(({ maskId }) => maskId);
  if (maskIds.length > 0)
    await trx('otp_sessions')
      .whereIn('mask_id', maskIds)
      .update({ state: 'verified', verified_at: now, cooldown_ended: true });
  for (const { maskId, repeatableBy } of verified)
    if (repeatableBy !== null)
      await trx('otp_sessions').where({ mask_id: maskId }).update({ repeatable_by: repeatableBy });
  const endedMessages: string[] = [];
  for (const code of verified.filter(({ hasOthers }) => hasOthers)) {
    const others = () =>
      trx('otp_sessions')
        .where({ ...recipientColumns(code), state: 'live' })
        .where(deliveredTo(spellingsOf(code.recipient)));
    endedMessages.push(...(await others().whereNotNull('message_id').pluck('message_id')));
    await others().update({ state: 'ended' });
  }
  const changed = codes.filter((code) => code.changed);
  for (const { maskId, wrongGuesses, lockedUntil, lastWrongCode, newlyLocked } of changed)
    await trx('otp_sessions')
      .where({ mask_id: maskId })
      .update({
        guesses: wrongGuesses,
        locked_until: lockedUntil,
        last_wrong_code: lastWrongCode,
        ...(newlyLocked ? { locked_at: now } : {}),
      });
  // Codes of one recipient share one `guesses` object, which is stored once.
  const recipients = new Map(changed.map((code) => [code.guesses, recipientColumns(code)]));
  for (const [guesses, recipient] of recipients)
    if (guesses.changed)
      await trx('recipient_guesses')
        .where(recipient)
        .update({
          times: JSON.stringify(guesses.times),
          risks: JSON.stringify(guesses.risks),
          locked_until: guesses.lockedUntil,
        });
  return endedMessages;
}

export function createOtpStore(db: Database) {
  const codesOf = (applicationId: number, { recipientKeys, addresses }: RecipientLookup) =>
    db('otp_sessions')
      .where({ application_id: applicationId })
      .whereIn('recipient_key', recipientKeys)
      .where(deliveredTo(addresses));

  return {
    insertDecoys,
    lock,
    save,
    /** Its guesses are locked before anything else, as by a verification. */
    insertRow: (code: OtpCode): Write => writeOf(insertCodes, code, { place: -1 }),

    /** Reads a code with its recipient's guess counts, without locking them. */
    async read(maskId: string): Promise<Readonly<LockedCode> | undefined> {
      const row: Row | undefined = await codesWithGuesses(db, [maskId]).first();
      return row && toLockedCode(row, toGuesses(row));
    },

    async find(maskId: string): Promise<OtpCode | undefined> {
      const row = await db('otp_sessions').where({ mask_id: maskId }).first();
      return row && toCode(row);
    },

    /** Returns the message of a recipient's last code, if it was sent after `since` and not entered. */
    async unenteredMessageId(applicationId: number, recipientKey: string, since: number): Promise<string | undefined> {
      const codes = db('otp_sessions').where({ application_id: applicationId, recipient_key: recipientKey });
      const row: Row | undefined = await codes
        .where('created_at', '>', since)
        .orderBy(NEWEST_FIRST)
        .first('message_id', 'state');
      return row && row.state !== 'verified' ? ((row.message_id as string | null) ?? undefined) : undefined;
    },

    async newestMaskId(applicationId: number, recipient: RecipientLookup): Promise<string | undefined> {
      const row: Row | undefined = await codesOf(applicationId, recipient).orderBy(NEWEST_FIRST).first('mask_id');
      return row?.mask_id as string | undefined;
    },

    /**
     * Returns the `maskId` of the recipient's newest code that is open or whose verification a caller in
     * `repeatableBy` may repeat. If `channel` is given, ignores codes on other channels.
     */
    async openMaskId(
      applicationId: number,
      recipient: RecipientLookup,
      {
        channel,
        repeatableBy,
        now,
      }: { channel: ChannelName | undefined; repeatableBy: readonly string[]; now: number },
    ): Promise<string | undefined> {
      const row: Row | undefined = await codesOf(applicationId, recipient)
        .where({ ...(channel && { channel }) })
        .where((w) =>
          w
            .where((open) => open.where({ state: 'live' }).where('expires_at', '>', now))
            .orWhere((repeatable) => repeatable.where({ state: 'verified' }).whereIn('repeatable_by', repeatableBy)),
        )
        .orderBy(NEWEST_FIRST)
        .first('mask_id');
      return row?.mask_id as string | undefined;
    },

    async setCooldownEnded(trx: Knex, maskId: string): Promise<void> {
      await trx('otp_sessions').where({ mask_id: maskId }).update({ cooldown_ended: true });
    },

    async setCanceled(trx: Knex, maskId: string, now: number): Promise<void> {
      await trx('otp_sessions').where({ mask_id: maskId }).update({ state: 'canceled', canceled_at: now });
    },

    /** Allows a caller to repeat the verification of a code, unless another caller is already allowed to. */
    async setRepeatableBy(maskId: string, repeatableBy: string): Promise<void> {
      const codes = db('otp_sessions').where({ mask_id: maskId, state: 'verified' });
      await codes.whereNull('repeatable_by').update({ repeatable_by: repeatableBy });
    },

    /**
     * Returns an application's codes that were verified, locked or canceled at the time in `column`, newest time first.
     * Searches only the newest codes across all applications.
     */
    async recent(
      trx: Knex,
      applicationId: number,
      column: 'verified_at' | 'locked_at' | 'canceled_at',
      limit: number,
    ): Promise<RecentCode[]> {
      const newest = trx('otp_sessions').orderBy('id', 'desc').limit(RECENT_SCAN_LIMIT).as('newest');
      const rows: Row[] = await trx(newest)
        .where({ application_id: applicationId })
        .whereNot({ code_hash: UNMATCHABLE_HASH })
        .whereNotNull(column)
        .orderBy([
          { column, order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(limit);
      return rows.map((row) => ({ ...toCode<RecentCode>(row), at: row[column] as number }));
    },

    /**
     * Ends a recipient's codes and erases the recipient, but keeps the rows for usage counts. Returns the number of
     * codes.
     */
    async erase(trx: Knex, applicationIds: readonly number[], address: string): Promise<number> {
      let erased = 0;
      for (const applicationId of applicationIds) {
        const keys = recipientKeysOf(applicationId, address);
        const codes = trx('otp_sessions').where({ application_id: applicationId }).whereIn('recipient_key', keys);
        const ended = trx.raw(`case when state = 'live' then 'ended' else state end`);
        erased += await codes.where(deliveredTo([address.toLowerCase()])).update({
          recipient: '',
          recipient_key: '',
          reference: null,
          state: ended,
          // Excludes the code from `recent`.
          verified_at: null,
          locked_at: null,
          canceled_at: null,
        });
      }
      return erased;
    },

    /** Deletes codes that expired long ago, expired decoys, and the guess counts of recipients without recent codes. */
    async cleanUp(now: number): Promise<void> {
      await deleteInChunks(() => db('recipient_guesses').where('expires_at', '<', now), 'id');
      const expired = () =>
        db('otp_sessions')
          .where('expires_at', '>', now - DECOY_SEARCH_MS)
          .where('expires_at', '<=', now);
      await deleteInChunks(() => expired().where({ code_hash: UNMATCHABLE_HASH }), 'id');
      const before = now - CODE_RETENTION_DAYS * DAY;
      await deleteInChunks(() => db('otp_sessions').where('expires_at', '<', before), 'id');
    },
  };
}
