/** Which sessions have been counted in the usage, and those that have not. They are counted in the order in which they expire. */
import type { Knex } from 'knex';
import type { Database } from '../../platform/db/database.js';
import { transact } from '../../platform/db/transaction.js';

/** A session as far as counting goes. */
export interface CountedSession {
  readonly messageId: string;
  readonly verified: boolean;
}

/** The last one that was counted. */
interface Mark {
  readonly expiresAt: number;
  readonly sessionId: number;
}

export type CountsStore = ReturnType<typeof createCountsStore>;

const mark = (trx: Knex): Knex.QueryBuilder => trx('counted_sessions').where({ id: 1 }).first();

const toMark = (row: Record<string, unknown>): Mark => ({
  expiresAt: Number(row.expires_at),
  sessionId: Number(row.session_id),
});

/** Those that expire after the mark, the first ones first. */
const after = (trx: Knex, { expiresAt, sessionId }: Mark, limit: number): Knex.QueryBuilder =>
  trx('otp_sessions')
    .where('expires_at', '>=', expiresAt)
    .where((w) => w.where('expires_at', '>', expiresAt).orWhere('id', '>', sessionId))
    .orderBy(['expires_at', 'id'])
    .limit(limit);

/** Of a test recipient there is nothing to count: nothing was sent. */
function toCount(rows: readonly Record<string, unknown>[]): CountedSession[] {
  return rows.flatMap(({ message_id: messageId, state }) =>
    messageId === null ? [] : [{ messageId: messageId as string, verified: state === 'verified' }],
  );
}

export function createCountsStore(db: Database) {
  return {
    /**
     * Gives `count` the next sessions that expired before `until`, in a transaction that also notes that they are counted:
     * so each is, once, by whichever process.
     */
    next: (
      until: number,
      limit: number,
      count: (trx: Knex, sessions: readonly CountedSession[]) => Promise<unknown>,
    ): Promise<{ more: boolean }> =>
      transact(db, async (trx) => {
        const counted = toMark(await mark(trx).forUpdate());
        const rows: Record<string, unknown>[] = await after(trx, counted, limit)
          .where('expires_at', '<', until)
          .select('id', 'expires_at', 'message_id', 'state');
        const last = rows.at(-1);
        if (!last) return { more: false };
        await count(trx, toCount(rows));
        const { expires_at, id } = last;
        await trx('counted_sessions').where({ id: 1 }).update({ expires_at, session_id: id });
        return { more: rows.length === limit };
      }),

    /** Gives `look` the sessions of these applications that are not counted yet, at most among the first `limit` of all. */
    uncounted: <T>(
      applicationIds: readonly number[],
      limit: number,
      look: (trx: Knex, sessions: readonly CountedSession[]) => Promise<T>,
    ): Promise<T> =>
      transact(db, async (trx) => {
        const counted = toMark(await mark(trx));
        const rows = await trx(after(trx, counted, limit).as('uncounted'))
          .whereIn('application_id', [...applicationIds])
          .select('message_id', 'state');
        return look(trx, toCount(rows));
      }),
  };
}
