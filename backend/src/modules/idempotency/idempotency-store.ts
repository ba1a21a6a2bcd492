/** Reads and writes idempotency keys, replies and result ids. */
import type { Knex } from 'knex';
import { isDuplicate } from '../../platform/db/database-errors.js';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { fromSecretRow, toRow } from '../../platform/db/row.js';
import { writeOf, type Write } from '../../platform/db/transaction.js';

export interface IdempotencyRow {
  /** SHA-256 of the application id and the Idempotency-Key. */
  readonly id: string;
  readonly requestHash: string;
  /** The reply to the first request as JSON; null while this request is in flight. */
  readonly reply: string | null;
  /** Id of the message or session that the request created; null before it is created. */
  readonly resultId: string | null;
  readonly leaseUntil: number;
  readonly expiresAt: number;
}

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

async function insertResults(trx: Knex, rows: readonly object[]): Promise<void> {
  await trx('idempotency_results').insert(rows);
}

export function createIdempotencyStore(db: Database) {
  const rows = (id: string) => db('idempotency_keys').where({ id });

  return {
    /** Returns false if the key already exists. */
    async insert(row: Pick<IdempotencyRow, 'id' | 'requestHash' | 'leaseUntil' | 'expiresAt'>): Promise<boolean> {
      try {
        await db('idempotency_keys').insert(toRow(row));
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },

    async find(id: string): Promise<IdempotencyRow | undefined> {
      const row = await db('idempotency_keys as k')
        .leftJoin('idempotency_results as r', 'r.id', 'k.id')
        .where('k.id', id)
        .first('k.*', 'r.result_id');
      return row && fromSecretRow<IdempotencyRow>(row);
    },

    /** Takes over the key of a request whose process crashed. Returns false if another request has already done so. */
    async takeOver(row: IdempotencyRow, leaseUntil: number): Promise<boolean> {
      const taken = await rows(row.id)
        .where({ lease_until: row.leaseUntil })
        .whereNull('reply')
        .update({ lease_until: leaseUntil });
      return taken === 1;
    },

    /** Returns a write for the transaction that creates the result. The write fails if the key already has a result. */
    resultRow: (id: string, resultId: string, expiresAt: number): Write =>
      writeOf(insertResults, { id, result_id: resultId, expires_at: expiresAt }),

    async complete(id: string, reply: string): Promise<void> {
      await rows(id).update({ reply });
    },

    /** Deletes the key unless it has a result, so that the caller can retry the request. */
    async release(id: string): Promise<void> {
      const results = db('idempotency_results').where({ id }).select(db.raw('1'));
      await rows(id).whereNotExists(results).delete();
    },

    /** Deletes an expired key and its result, unless a new request has claimed the key in the meantime. */
    removeExpired: (id: string, now: number): Promise<void> =>
      db.transaction(async (trx) => {
        const removed = await trx('idempotency_keys').where({ id }).where('expires_at', '<=', now).delete();
        if (removed > 0) await trx('idempotency_results').where({ id }).delete();
      }),

    /** Ends the leases of crashed processes. Call this only if no other process is running. */
    async releaseAll(now: number): Promise<void> {
      await db('idempotency_keys').whereNull('reply').update({ lease_until: now });
    },

    async cleanUp(now: number): Promise<void> {
      for (const table of ['idempotency_results', 'idempotency_keys'])
        await deleteInChunks(() => db(table).where('expires_at', '<', now), 'id');
    },
  };
}
