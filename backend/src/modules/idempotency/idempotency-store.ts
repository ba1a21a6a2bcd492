/** Idempotency keys and the replies they stand for. */
import type { Knex } from 'knex';
import { isDuplicate } from '../../db/database-errors.js';
import { deleteInChunks, type Database } from '../../db/database.js';

export interface IdempotencyRow {
  /** SHA-256 of application and key. */
  readonly id: string;
  readonly requestHash: string;
  /** JSON of the first reply; null while it is in flight. */
  readonly reply: string | null;
  /** What the request made, once that is stored. */
  readonly resultId: string | null;
  readonly leaseUntil: number;
  readonly expiresAt: number;
}

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

export function createIdempotencyStore(db: Database) {
  const rows = (connection: Knex, id: string) => connection('idempotency_keys').where({ id });

  return {
    /** Writes the row; false when the key is already there. */
    async insert(row: Pick<IdempotencyRow, 'id' | 'requestHash' | 'leaseUntil' | 'expiresAt'>): Promise<boolean> {
      try {
        await db('idempotency_keys').insert({
          id: row.id,
          request_hash: row.requestHash,
          lease_until: row.leaseUntil,
          expires_at: row.expiresAt,
        });
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },

    async find(id: string): Promise<IdempotencyRow | undefined> {
      const row = await rows(db, id).first();
      return (
        row && {
          id,
          requestHash: row.request_hash,
          reply: row.reply,
          resultId: row.result_id,
          leaseUntil: Number(row.lease_until),
          expiresAt: Number(row.expires_at),
        }
      );
    },

    /** Takes the key over from a request that died; false when another one was quicker. */
    async takeOver(row: IdempotencyRow, leaseUntil: number): Promise<boolean> {
      const taken = await rows(db, row.id)
        .where({ lease_until: row.leaseUntil })
        .whereNull('reply')
        .update({ lease_until: leaseUntil });
      return taken === 1;
    },

    async link(trx: Knex, id: string, resultId: string): Promise<void> {
      await rows(trx, id).update({ result_id: resultId });
    },

    async complete(id: string, reply: string): Promise<void> {
      await rows(db, id).update({ reply });
    },

    /** Frees the key of a request that made nothing. */
    async release(id: string): Promise<void> {
      await rows(db, id).whereNull('result_id').delete();
    },

    async remove(id: string): Promise<void> {
      await rows(db, id).delete();
    },

    /** Ends the leases of requests whose process is gone. Only for a process that knows it is the only one. */
    async releaseAll(now: number): Promise<void> {
      await db('idempotency_keys').whereNull('reply').update({ lease_until: now });
    },

    cleanUp: (now: number): Promise<void> =>
      deleteInChunks(() => db('idempotency_keys').where('expires_at', '<', now), 'id'),
  };
}
