/** OTP sessions and the guesses on their recipients. Every decision is one conditional statement. */
import type { Knex } from 'knex';
import type { ChannelName } from '../../channels/channel.js';
import { DAY, HOUR, SECOND } from '../../clock.js';
import { deleteInChunks, type Database } from '../../db/database.js';
import { LOCK_SECONDS, RECIPIENT_LOCK_SECONDS, SESSION_RETENTION_DAYS, type ApplicationLimits } from '../../limits.js';

export interface OtpSession {
  readonly maskId: string;
  readonly applicationId: number;
  readonly recipient: string;
  /** What all spellings of the recipient share, hashed. */
  readonly recipientKey: string;
  /** The first channel of the plan. */
  readonly channel: ChannelName;
  /** `live` can be verified; `verified` was; `ended` lost to another session of the same recipient. */
  readonly state: 'live' | 'verified' | 'ended';
  /** Keyed hash of the code. */
  readonly codeHash: string;
  readonly codeLength: number;
  /** Null for a test recipient, to whom nothing is sent. */
  readonly messageId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A session with the locks on it and on its recipient; 0 or a past time is no lock. */
export interface FoundSession extends OtpSession {
  readonly lockedUntil: number;
}

export type OtpStore = ReturnType<typeof createOtpStore>;

function toSession(row: Record<string, unknown>): FoundSession {
  return {
    maskId: row.mask_id as string,
    applicationId: row.application_id as number,
    recipient: row.recipient as string,
    recipientKey: row.recipient_key as string,
    channel: row.channel as ChannelName,
    state: row.state as OtpSession['state'],
    codeHash: row.code_hash as string,
    codeLength: row.code_length as number,
    messageId: row.message_id as string | null,
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
    lockedUntil: Math.max(Number(row.locked_until), Number(row.recipient_locked_until ?? 0)),
  };
}

/** Rolls the count of a guess back. */
class Locked extends Error {}

const guessKey = (session: OtpSession) => ({
  application_id: session.applicationId,
  recipient_key: session.recipientKey,
});

/** Counts a guess on the session unless it is locked; the last one before a lock sets it. */
function countOnSession(trx: Knex, session: OtpSession, perLock: number, now: number): Promise<number> {
  const [first, second] = LOCK_SECONDS.map((seconds) => now + seconds * SECOND);
  const locks = [perLock, first, 2 * perLock, second, 3 * perLock, session.expiresAt];
  return trx('otp_sessions')
    .where({ mask_id: session.maskId, state: 'live' })
    .where('locked_until', '<=', now)
    .update({
      // Before `guesses`: MySQL lets later assignments see earlier ones.
      ...(perLock > 0
        ? {
            locked_until: trx.raw(
              'case guesses + 1 when ? then ? when ? then ? when ? then ? else locked_until end',
              locks as number[],
            ),
          }
        : {}),
      guesses: trx.raw('guesses + 1'),
    });
}

/** Counts a guess on the recipient unless it is locked; the last one that an hour allows locks it. */
async function countOnRecipient(trx: Knex, session: OtpSession, perHour: number, now: number): Promise<boolean> {
  const row = await trx('recipient_guesses').where(guessKey(session)).forUpdate().first();
  if (!row || Number(row.locked_until) > now) return false;
  const times = [...timesOf(row).filter((time) => time > now - HOUR), now];
  const lockedUntil = times.length >= perHour ? now + RECIPIENT_LOCK_SECONDS * SECOND : 0;
  await trx('recipient_guesses')
    .where(guessKey(session))
    .update({ times: JSON.stringify(times), locked_until: lockedUntil });
  return true;
}

/** Takes the newest guess back, and the lock with it: it was right. */
async function uncountOnRecipient(trx: Knex, session: OtpSession): Promise<void> {
  const row = await trx('recipient_guesses').where(guessKey(session)).forUpdate().first();
  if (!row) return;
  const times = JSON.stringify(timesOf(row).slice(0, -1));
  await trx('recipient_guesses').where(guessKey(session)).update({ times, locked_until: 0 });
}

const timesOf = (row: { times: string }): number[] => JSON.parse(row.times) as number[];

export function createOtpStore(db: Database) {
  return {
    async insert(trx: Knex, session: OtpSession, guessesKeptUntil: number): Promise<void> {
      await trx('otp_sessions').insert({
        mask_id: session.maskId,
        recipient: session.recipient,
        ...guessKey(session),
        channel: session.channel,
        state: session.state,
        code_hash: session.codeHash,
        code_length: session.codeLength,
        message_id: session.messageId,
        created_at: session.createdAt,
        expires_at: session.expiresAt,
      });
      // Only the time it is kept changes: a new send does not reset the guesses.
      await trx('recipient_guesses')
        .insert({ ...guessKey(session), times: '[]', expires_at: guessesKeptUntil })
        .onConflict(['application_id', 'recipient_key'])
        .merge(['expires_at']);
    },

    transaction: <T>(work: (trx: Knex) => Promise<T>): Promise<T> => db.transaction(work),

    async find(maskId: string): Promise<FoundSession | undefined> {
      const row = await db('otp_sessions as s')
        .leftJoin('recipient_guesses as g', {
          'g.application_id': 's.application_id',
          'g.recipient_key': 's.recipient_key',
        })
        .select('s.*', { recipient_locked_until: 'g.locked_until' })
        .where({ mask_id: maskId })
        .first();
      return row && toSession(row);
    },

    /**
     * Counts a guess before it is judged, on the session and on its recipient; false when either is locked or the
     * session is no longer live, and then neither has counted it.
     */
    async countGuess(session: OtpSession, limits: ApplicationLimits, now: number): Promise<boolean> {
      const counted = db.transaction(async (trx) => {
        const onSession = await countOnSession(trx, session, limits.wrongCodesPerLock, now);
        const perHour = limits.wrongCodesPerHour;
        const onRecipient = perHour === 0 || (await countOnRecipient(trx, session, perHour, now));
        if (onSession === 0 || !onRecipient) throw new Locked();
        return true;
      });
      return counted.catch((error: unknown) => {
        if (error instanceof Locked) return false;
        throw error;
      });
    },

    /**
     * Makes the session verified, ends the recipient's other ones and takes back the right guess from the count. False
     * when it was no longer live: of any number of right codes at one time, one wins.
     */
    async win(trx: Knex, session: OtpSession, limits: ApplicationLimits): Promise<boolean> {
      const won = await trx('otp_sessions')
        .where({ mask_id: session.maskId, state: 'live' })
        .update({ state: 'verified' });
      if (won === 0) return false;
      await trx('otp_sessions')
        .where({ ...guessKey(session), state: 'live', recipient: session.recipient })
        .update({ state: 'ended' });
      if (limits.wrongCodesPerHour > 0) await uncountOnRecipient(trx, session);
      return true;
    },

    /** Removes sessions long after they expired, and the guesses on recipients that nobody sends to any more. */
    async cleanUp(now: number): Promise<void> {
      await deleteInChunks(() => db('recipient_guesses').where('expires_at', '<', now), 'id');
      const before = now - SESSION_RETENTION_DAYS * DAY;
      await deleteInChunks(() => db('otp_sessions').where('expires_at', '<', before), 'id');
    },
  };
}
