/** OTP sessions and the wrong guesses on their recipients. */
import type { Knex } from 'knex';
import type { ChannelName } from '../../providers/provider.js';
import { DAY } from '../../platform/clock.js';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { transact, writeOf, type Write } from '../../platform/db/transaction.js';
import { RECENT_LOOKED_THROUGH, SESSION_RETENTION_DAYS } from '../../platform/limits.js';

export interface OtpSession {
  readonly maskId: string;
  readonly applicationId: number;
  readonly recipient: string;
  /** What all spellings of the recipient share, hashed. */
  readonly recipientKey: string;
  /** The first channel of the plan. */
  readonly channel: ChannelName;
  /** Keyed hash of the code. */
  readonly codeHash: string;
  readonly codeLength: number;
  /** Null for a test recipient, to whom nothing is sent. */
  readonly messageId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Wrong guesses on a recipient, over all of its sessions. */
export interface HeldGuesses {
  /** Of the last hour and maybe older, ascending. */
  times: readonly number[];
  /** 0 or a past time is no lock. */
  lockedUntil: number;
  changed: boolean;
}

/** A session that a transaction holds: nobody else judges it, or its recipient, until the transaction ends. */
export interface HeldSession extends OtpSession {
  readonly guesses: HeldGuesses;
  /** Whether the recipient has other live sessions. */
  readonly hasOthers: boolean;
  /** `live` can be verified; `verified` was; `ended` lost to another session of the same recipient. */
  state: 'live' | 'verified' | 'ended';
  /** Wrong guesses on this session. */
  wrong: number;
  lockedUntil: number;
  /** Whether a guess was judged on it. */
  changed: boolean;
}

export type OtpStore = ReturnType<typeof createOtpStore>;

type Row = Record<string, unknown>;

const recipientOf = (session: OtpSession) => ({
  application_id: session.applicationId,
  recipient_key: session.recipientKey,
});

function toSession(row: Row): OtpSession {
  return {
    maskId: row.mask_id as string,
    applicationId: row.application_id as number,
    recipient: row.recipient as string,
    recipientKey: row.recipient_key as string,
    channel: row.channel as ChannelName,
    codeHash: row.code_hash as string,
    codeLength: row.code_length as number,
    messageId: row.message_id as string | null,
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
  };
}

const toGuesses = (row: Row): HeldGuesses => ({
  times: JSON.parse((row.guess_times as string | null) ?? '[]') as number[],
  lockedUntil: Number(row.recipient_locked_until ?? 0),
  changed: false,
});

const toHeldSession = (row: Row, guesses: HeldGuesses): HeldSession => ({
  ...toSession(row),
  guesses,
  hasOthers: Boolean(row.has_others),
  state: row.state as HeldSession['state'],
  wrong: row.guesses as number,
  lockedUntil: Number(row.locked_until),
  changed: false,
});

async function insertSessions(trx: Knex, sessions: readonly OtpSession[]): Promise<void> {
  await trx('otp_sessions').insert(
    sessions.map((session) => ({
      mask_id: session.maskId,
      recipient: session.recipient,
      ...recipientOf(session),
      channel: session.channel,
      state: 'live',
      code_hash: session.codeHash,
      code_length: session.codeLength,
      message_id: session.messageId,
      created_at: session.createdAt,
      expires_at: session.expiresAt,
    })),
  );
  // There from the start, so that a guess finds a row to hold. A new send does not reset the guesses.
  const guesses = sessions.map((session) => ({
    ...recipientOf(session),
    times: '[]',
    expires_at: session.expiresAt + DAY,
  }));
  // In one order everywhere: two groups do not wait for each other's rows.
  guesses.sort((a, b) => (a.recipient_key < b.recipient_key ? -1 : 1));
  await trx('recipient_guesses').insert(guesses).onConflict(['application_id', 'recipient_key']).merge(['expires_at']);
}

export function createOtpStore(db: Database) {
  return {
    write: (session: OtpSession): Write => writeOf(insertSessions, session),

    transaction: <T>(work: (trx: Knex) => Promise<T>): Promise<T> => transact(db, work),

    async find(maskId: string): Promise<OtpSession | undefined> {
      const row = await db('otp_sessions').where({ mask_id: maskId }).first();
      return row && toSession(row);
    },

    /** Takes sessions and the guesses on their recipients until the transaction ends, by `maskId`. */
    async hold(trx: Knex, maskIds: readonly string[]): Promise<Map<string, HeldSession>> {
      const others = trx('otp_sessions as o')
        .whereRaw('o.application_id = s.application_id and o.recipient_key = s.recipient_key and o.state = ?', 'live')
        .whereRaw('o.recipient = s.recipient and o.mask_id <> s.mask_id')
        .select(trx.raw('1'))
        .limit(1);
      const rows: Row[] = await trx('otp_sessions as s')
        .leftJoin('recipient_guesses as g', {
          'g.application_id': 's.application_id',
          'g.recipient_key': 's.recipient_key',
        })
        .whereIn('s.mask_id', [...maskIds])
        .select('s.*', { guess_times: 'g.times', recipient_locked_until: 'g.locked_until' })
        .select({ has_others: others })
        .forUpdate();
      const guesses = new Map<string, HeldGuesses>();
      return new Map(
        rows.map((row) => {
          const recipient = `${row.application_id as number} ${row.recipient_key as string}`;
          if (!guesses.has(recipient)) guesses.set(recipient, toGuesses(row));
          return [row.mask_id as string, toHeldSession(row, guesses.get(recipient)!)];
        }),
      );
    },

    /** Stores what became of sessions that the transaction holds. */
    async save(trx: Knex, sessions: readonly HeldSession[], now: number): Promise<void> {
      const changed = sessions.filter((session) => session.changed);
      const [won, wrong] = [true, false].map((right) =>
        changed.filter(({ state }) => (state === 'verified') === right),
      );
      const masks = won!.map(({ maskId }) => maskId);
      if (masks.length > 0)
        await trx('otp_sessions').whereIn('mask_id', masks).update({ state: 'verified', verified_at: now });
      for (const session of won!.filter(({ hasOthers }) => hasOthers))
        await trx('otp_sessions')
          .where({ ...recipientOf(session), state: 'live', recipient: session.recipient })
          .update({ state: 'ended' });
      for (const { maskId, wrong: guesses, lockedUntil } of wrong!)
        await trx('otp_sessions').where({ mask_id: maskId }).update({ guesses, locked_until: lockedUntil });
      // One object a recipient, which its sessions share.
      const recipients = new Map(changed.map((session) => [session.guesses, recipientOf(session)]));
      for (const [{ times, lockedUntil, changed: counted }, recipient] of recipients)
        if (counted)
          await trx('recipient_guesses')
            .where(recipient)
            .update({ times: JSON.stringify(times), locked_until: lockedUntil });
    },

    /** Sessions of an application that were verified, the last first; only among the newest of all applications. */
    async verifiedOfLate(trx: Knex, applicationId: number, limit: number) {
      const newest = trx('otp_sessions').orderBy('id', 'desc').limit(RECENT_LOOKED_THROUGH).as('newest');
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

    /** Removes sessions long after they expired, and the guesses on recipients that nobody sends to any more. */
    async cleanUp(now: number): Promise<void> {
      await deleteInChunks(() => db('recipient_guesses').where('expires_at', '<', now), 'id');
      const before = now - SESSION_RETENTION_DAYS * DAY;
      await deleteInChunks(() => db('otp_sessions').where('expires_at', '<', before), 'id');
    },
  };
}
