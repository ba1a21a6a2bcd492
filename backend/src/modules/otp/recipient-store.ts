/** Reads and unlocks the sessions of one recipient, for support. `limitKeys`: all rate-limit keys of the recipient. */
import type { Knex } from 'knex';
import type { Database } from '../../platform/db/database.js';
import { spellingsOf } from '../recipients/recipient.js';
import { recipientKeyOf, UNMATCHABLE_HASH, type LockedSession } from './otp-session.js';
import { deliveredTo, toSession } from './otp-store.js';

type Row = Record<string, unknown>;

export function createRecipientStore(db: Database) {
  return {
    /** Returns a recipient's latest sessions, newest first, and the end of the recipient's lock. */
    async describe(applicationId: number, address: string, limitKeys: readonly string[], limit: number) {
      const keys = limitKeys.map((limitKey) => recipientKeyOf(applicationId, limitKey));
      const where = (table: string) =>
        db(table).where({ application_id: applicationId }).whereIn('recipient_key', keys);
      const rows: Row[] = await where('otp_sessions')
        .where(deliveredTo(spellingsOf(address)))
        .whereNot({ code_hash: UNMATCHABLE_HASH })
        .orderBy('id', 'desc')
        .limit(limit);
      const locks: Row[] = await where('recipient_guesses').select('locked_until');
      const sessions = rows.map((row) => ({
        ...toSession(row),
        state: row.state as LockedSession['state'],
        verifiedAt: row.verified_at === null ? null : Number(row.verified_at),
        lockedUntil: Number(row.locked_until),
      }));
      return { sessions, lockedUntil: Math.max(0, ...locks.map((row) => Number(row.locked_until))) };
    },

    /** Unlocks a recipient and the live sessions. Keeps the risk of the last day, which no one may reset. */
    async unlock(trx: Knex, applicationId: number, limitKeys: readonly string[]): Promise<void> {
      const keys = limitKeys.map((limitKey) => recipientKeyOf(applicationId, limitKey));
      const where = (table: string) =>
        trx(table).where({ application_id: applicationId }).whereIn('recipient_key', keys);
      await where('otp_sessions').where({ state: 'live' }).update({ guesses: 0, locked_until: 0 });
      await where('recipient_guesses').update({ times: '[]', locked_until: 0 });
    },
  };
}
