/** Reads and unlocks the codes of one recipient, for support. */
import type { Knex } from 'knex';
import type { Database } from '../../platform/db/database.js';
import type { Row } from '../../platform/db/row.js';
import { spellingsOf } from '../recipients/recipient.js';
import { UNMATCHABLE_HASH, type LockedCode, type OtpCode } from './otp-code.js';
import { deliveredTo, NEWEST_FIRST, toCode } from './otp-store.js';
import { recipientKeysOf } from './recipient-keys.js';

export function createRecipientStore(db: Database) {
  return {
    /** Returns a recipient's latest codes, newest first, and the end of the recipient's lock. */
    async describe(applicationId: number, address: string, limit: number) {
      const keys = recipientKeysOf(applicationId, address);
      const where = (table: string) =>
        db(table).where({ application_id: applicationId }).whereIn('recipient_key', keys);
      const rows: Row[] = await where('otp_sessions')
        .where(deliveredTo(spellingsOf(address)))
        .whereNot({ code_hash: UNMATCHABLE_HASH })
        .orderBy(NEWEST_FIRST)
        .limit(limit);
      const locks: Row[] = await where('recipient_guesses').select('locked_until');
      const codes = rows.map(toCode<OtpCode & Pick<LockedCode, 'state' | 'verifiedAt' | 'lockedUntil'>>);
      return { codes, lockedUntil: Math.max(0, ...locks.map((row) => Number(row.locked_until))) };
    },

    /** Whether these codes were entered. Leaves out codes that can still be entered, and those that are no longer stored. */
    async areEntered(maskIds: readonly string[], now: number): Promise<ReadonlyMap<string, boolean>> {
      const rows: Row[] = await db('otp_sessions')
        .whereIn('mask_id', [...maskIds])
        .where((w) => w.whereNot({ state: 'live' }).orWhere('expires_at', '<=', now))
        .select('mask_id', 'state');
      return new Map(rows.map((row) => [row.mask_id as string, row.state === 'verified']));
    },

    /** Returns when a code was entered; undefined if it was not, or is no longer stored. */
    async enteredAt(maskId: string): Promise<number | undefined> {
      const row: Row | undefined = await db('otp_sessions')
        .where({ mask_id: maskId, state: 'verified' })
        .first('verified_at');
      return row && Number(row.verified_at);
    },

    /** Unlocks a recipient and the live codes. Keeps the risk of the last day, which no one may reset. */
    async unlock(trx: Knex, applicationId: number, address: string): Promise<void> {
      const keys = recipientKeysOf(applicationId, address);
      const where = (table: string) =>
        trx(table).where({ application_id: applicationId }).whereIn('recipient_key', keys);
      // Without the end of the lock, its event can no longer be reconstructed.
      await where('otp_sessions').where({ state: 'live' }).update({ guesses: 0, locked_until: 0, locked_at: null });
      await where('recipient_guesses').update({ times: '[]', locked_until: 0 });
    },
  };
}
