/** Stores OTP sessions, and each recipient's wrong guesses. */
import type { Knex } from 'knex';
import { DAY, MINUTE } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { RECENT_SCAN_LIMIT, deleteInChunks, type Database } from '../../platform/db/database.js';
import { writeOf, type Write } from '../../platform/db/transaction.js';
import { spellingsOf } from '../recipients/recipient.js';
import {
  recipientKeyOf,
  UNMATCHABLE_HASH,
  type LockedSession,
  type OtpSession,
  type RecipientGuesses,
  type RecipientSessions,
} from './otp-session.js';

/** How long expired sessions are stored, so that the reply to a late guess is "OTP has expired". */
const SESSION_RETENTION_DAYS = 7;

/**
 * How long a recipient's guesses are stored after the latest send. Codes are valid for at most a day, and guesses count
 * for at most 25 hours. The retention does not depend on the code, so that a new session never shortens it.
 */
const GUESSES_RETENTION_DAYS = 3;

/**
 * How far back a clean-up searches for expired decoy sessions. It reads all sessions that expired in this time, because
 * decoys have no index. Decoys that expire while no process runs are deleted with the other sessions.
 */
const DECOY_SEARCH_MS = 10 * MINUTE;

export type OtpStore = ReturnType<typeof createOtpStore>;

type Row = Record<string, unknown>;

const recipientColumns = (session: OtpSession) => ({
  application_id: session.applicationId,
  recipient_key: session.recipientKey,
});

/**
 * Restricts a query to sessions whose codes were delivered to one of these addresses, in lower case. A recipient key is
 * not enough, because addresses with different plus-tags share it.
 */
export const deliveredTo =
  (addresses: readonly string[]) =>
  (sessions: Knex.QueryBuilder): void =>
    void sessions.whereRaw(`lower(recipient) in (${addresses.map(() => '?').join(', ')})`, [...addresses]);

export function toSession(row: Row): OtpSession {
  return {
    maskId: row.mask_id as string,
    applicationId: row.application_id as number,
    recipient: row.recipient as string,
    recipientKey: row.recipient_key as string,
    channel: row.channel as ChannelName,
    codeHash: row.code_hash as string,
    codeLength: row.code_length as number,
    // Null in sessions created by earlier versions. Assumes codes of digits only, which have the smallest code space.
    codeSpace: Number(row.code_space ?? 10 ** (row.code_length as number)),
    messageId: row.message_id as string | null,
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
  };
}

const toGuesses = (row: Row): RecipientGuesses => ({
  times: JSON.parse((row.guess_times as string | null) ?? '[]') as number[],
  risks: JSON.parse((row.guess_risks as string | null) ?? '[]') as RecipientGuesses['risks'],
  lockedUntil: Number(row.recipient_locked_until ?? 0),
  changed: false,
});

const toLockedSession = (row: Row, guesses: RecipientGuesses): LockedSession => ({
  ...toSession(row),
  guesses,
  hasOthers: Boolean(row.has_others),
  state: row.state as LockedSession['state'],
  verifiedAt: row.verified_at === null ? null : Number(row.verified_at),
  repeatableBy: row.repeatable_by as string | null,
  wrongGuesses: row.guesses as number,
  lastWrongCode: row.last_wrong_code as string | null,
  cooldownEnded: Boolean(row.cooldown_ended),
  lockedUntil: Number(row.locked_until),
  changed: false,
  newlyVerified: false,
});

const toRow = (session: OtpSession): Row => ({
  mask_id: session.maskId,
  recipient: session.recipient,
  ...recipientColumns(session),
  channel: session.channel,
  state: 'live',
  code_hash: session.codeHash,
  code_length: session.codeLength,
  code_space: session.codeSpace,
  message_id: session.messageId,
  created_at: session.createdAt,
  expires_at: session.expiresAt,
});

async function insertSessions(trx: Knex, sessions: readonly OtpSession[]): Promise<void> {
  await trx('otp_sessions').insert(sessions.map(toRow));
  await insertGuesses(trx, sessions);
}

async function insertGuesses(trx: Knex, sessions: readonly OtpSession[]): Promise<void> {
  // Inserted together with the session, so that every guess finds a row to lock. A new send does not reset the guesses.
  const guesses = sessions.map((session) => ({
    ...recipientColumns(session),
    times: '[]',
    expires_at: session.createdAt + GUESSES_RETENTION_DAYS * DAY,
  }));
  // Sorted, so that concurrent batches lock the rows in the same order, which prevents deadlocks.
  guesses.sort((a, b) => (a.recipient_key < b.recipient_key ? -1 : 1));
  await trx('recipient_guesses').insert(guesses).onConflict(['application_id', 'recipient_key']).merge(['expires_at']);
}

/** Stores decoy sessions. Leaves existing decoy sessions and their guess counts unchanged. */
async function insertDecoys(trx: Knex, decoys: readonly OtpSession[]): Promise<void> {
  if (decoys.length === 0) return;
  // Removes duplicates, and sorts the rows, so that concurrent batches lock them in the same order.
  const unique = [...new Map(decoys.map((decoy) => [decoy.maskId, decoy])).values()];
  unique.sort((a, b) => (a.maskId < b.maskId ? -1 : 1));
  // `merge` locks an existing row exclusively. With `ignore`, the row would get a shared lock, which could cause a
  // deadlock.
  await trx('otp_sessions').insert(unique.map(toRow)).onConflict('mask_id').merge(['code_hash']);
  await insertGuesses(trx, unique);
}

/** Locks sessions and the recipients' guess counts until the transaction ends. Returns the sessions by `maskId`. */
async function lock(trx: Knex, maskIds: readonly string[]): Promise<Map<string, LockedSession>> {
  const others = trx('otp_sessions as o')
    .whereRaw('o.application_id = s.application_id and o.recipient_key = s.recipient_key and o.state = ?', 'live')
    .whereRaw('o.mask_id <> s.mask_id')
    .select(trx.raw('1'))
    .limit(1);
  const rows: Row[] = await trx('otp_sessions as s')
    .leftJoin('recipient_guesses as g', {
      'g.application_id': 's.application_id',
      'g.recipient_key': 's.recipient_key',
    })
    .whereIn('s.mask_id', [...maskIds])
    .select('s.*', { guess_times: 'g.times', guess_risks: 'g.risks', recipient_locked_until: 'g.locked_until' })
    .select({ has_others: others })
    .forUpdate();
  const guesses = new Map<string, RecipientGuesses>();
  return new Map(
    rows.map((row) => {
      const recipient = `${row.application_id as number} ${row.recipient_key as string}`;
      if (!guesses.has(recipient)) guesses.set(recipient, toGuesses(row));
      return [row.mask_id as string, toLockedSession(row, guesses.get(recipient)!)];
    }),
  );
}

/** Stores changed sessions and guess counts, which the transaction has locked. */
async function save(trx: Knex, sessions: readonly LockedSession[], now: number): Promise<void> {
  const verified = sessions.filter(({ newlyVerified }) => newlyVerified);
  const maskIds = verified.map(({ maskId }) => maskId);
  if (maskIds.length > 0)
    await trx('otp_sessions')
      .whereIn('mask_id', maskIds)
      .update({ state: 'verified', verified_at: now, cooldown_ended: true });
  for (const { maskId, repeatableBy } of verified)
    if (repeatableBy !== null)
      await trx('otp_sessions').where({ mask_id: maskId }).update({ repeatable_by: repeatableBy });
  for (const session of verified.filter(({ hasOthers }) => hasOthers))
    await trx('otp_sessions')
      .where({ ...recipientColumns(session), state: 'live' })
      .where(deliveredTo(spellingsOf(session.recipient)))
      .update({ state: 'ended' });
  const changed = sessions.filter((session) => session.changed);
  for (const { maskId, wrongGuesses, lockedUntil, lastWrongCode } of changed)
    await trx('otp_sessions')
      .where({ mask_id: maskId })
      .update({ guesses: wrongGuesses, locked_until: lockedUntil, last_wrong_code: lastWrongCode });
  // Sessions of one recipient share one `guesses` object, which is stored once.
  const recipients = new Map(changed.map((session) => [session.guesses, recipientColumns(session)]));
  for (const [guesses, recipient] of recipients)
    if (guesses.changed)
      await trx('recipient_guesses')
        .where(recipient)
        .update({
          times: JSON.stringify(guesses.times),
          risks: JSON.stringify(guesses.risks),
          locked_until: guesses.lockedUntil,
        });
}

export function createOtpStore(db: Database) {
  const sessionsOf = (applicationId: number, { recipientKeys, addresses }: RecipientSessions) =>
    db('otp_sessions')
      .where({ application_id: applicationId })
      .whereIn('recipient_key', [...recipientKeys])
      .where(deliveredTo(addresses));

  return {
    insertDecoys,
    lock,
    save,
    insertRow: (session: OtpSession): Write => writeOf(insertSessions, session),

    async find(maskId: string): Promise<OtpSession | undefined> {
      const row = await db('otp_sessions').where({ mask_id: maskId }).first();
      return row && toSession(row);
    },

    /** Returns the `maskId` of a recipient's last session. */
    async newestMaskId(applicationId: number, recipient: RecipientSessions): Promise<string | undefined> {
      const row: Row | undefined = await sessionsOf(applicationId, recipient).orderBy('id', 'desc').first('mask_id');
      return row?.mask_id as string | undefined;
    },

    /**
     * Returns the `maskId` of the recipient's newest session that is open or whose verification a caller in
     * `repeatableBy` may repeat. If `channel` is given, ignores sessions on other channels.
     */
    async openMaskId(
      applicationId: number,
      recipient: RecipientSessions,
      {
        channel,
        repeatableBy,
        now,
      }: { channel: ChannelName | undefined; repeatableBy: readonly string[]; now: number },
    ): Promise<string | undefined> {
      const row: Row | undefined = await sessionsOf(applicationId, recipient)
        .where({ ...(channel && { channel }) })
        .where((w) =>
          w
            .where((open) => open.where({ state: 'live' }).where('expires_at', '>', now))
            .orWhere((repeatable) =>
              repeatable.where({ state: 'verified' }).whereIn('repeatable_by', [...repeatableBy]),
            ),
        )
        .orderBy('id', 'desc')
        .first('mask_id');
      return row?.mask_id as string | undefined;
    },

    async setCooldownEnded(trx: Knex, maskId: string): Promise<void> {
      await trx('otp_sessions').where({ mask_id: maskId }).update({ cooldown_ended: true });
    },

    /** Allows a caller to repeat the verification of a session, unless another caller is already allowed to. */
    async setRepeatableBy(maskId: string, repeatableBy: string): Promise<void> {
      const sessions = db('otp_sessions').where({ mask_id: maskId, state: 'verified' });
      await sessions.whereNull('repeatable_by').update({ repeatable_by: repeatableBy });
    },

    /**
     * Returns an application's verified sessions, newest verification first. Searches only the newest sessions across
     * all applications.
     */
    async recentlyVerified(trx: Knex, applicationId: number, limit: number) {
      const newest = trx('otp_sessions').orderBy('id', 'desc').limit(RECENT_SCAN_LIMIT).as('newest');
      const rows: Row[] = await trx(newest)
        .where({ application_id: applicationId, state: 'verified' })
        .whereNotNull('verified_at')
        .orderBy([
          { column: 'verified_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(limit);
      return rows.map((row) => ({ ...toSession(row), verifiedAt: Number(row.verified_at) }));
    },

    /**
     * Ends a recipient's sessions and erases the recipient, but keeps the rows for usage counts. `limitKeys`: all
     * rate-limit keys that the sessions may use. Returns the number of sessions.
     */
    async erase(
      trx: Knex,
      applicationIds: readonly number[],
      address: string,
      limitKeys: readonly string[],
    ): Promise<number> {
      let erased = 0;
      for (const applicationId of applicationIds) {
        const keys = limitKeys.map((limitKey) => recipientKeyOf(applicationId, limitKey));
        const sessions = trx('otp_sessions').where({ application_id: applicationId }).whereIn('recipient_key', keys);
        const ended = trx.raw(`case when state = 'live' then 'ended' else state end`);
        erased += await sessions.where(deliveredTo([address.toLowerCase()])).update({
          recipient: '',
          recipient_key: '',
          state: ended,
          // Excludes the session from `recentlyVerified`.
          verified_at: null,
        });
      }
      return erased;
    },

    /** Deletes sessions that expired long ago, expired decoys, and the guess counts of recipients without recent sessions. */
    async cleanUp(now: number): Promise<void> {
      await deleteInChunks(() => db('recipient_guesses').where('expires_at', '<', now), 'id');
      const expired = () =>
        db('otp_sessions')
          .where('expires_at', '>', now - DECOY_SEARCH_MS)
          .where('expires_at', '<=', now);
      await deleteInChunks(() => expired().where({ code_hash: UNMATCHABLE_HASH }), 'id');
      const before = now - SESSION_RETENTION_DAYS * DAY;
      await deleteInChunks(() => db('otp_sessions').where('expires_at', '<', before), 'id');
    },
  };
}
