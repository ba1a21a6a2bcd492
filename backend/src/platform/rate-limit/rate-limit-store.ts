import type { Knex } from 'knex';
import { deleteInChunks, type Database } from '../db/database.js';
import { createWriter } from '../db/transaction.js';
import { createUpsert } from '../db/upsert.js';

export type RateLimitStore = ReturnType<typeof createRateLimitStore>;

export interface StoredCount {
  readonly key: string;
  /** A rule's event times, or a budget's sum. */
  readonly times: readonly number[];
  readonly expiresAt: number;
}

const upsert = createUpsert({
  table: 'rate_limits',
  key: ['id'],
  columns: ['id', 'times', 'expires_at'],
  update: (inserted) => ({ times: inserted('times'), expires_at: inserted('expires_at') }),
});

export function createRateLimitStore(db: Database) {
  return {
    insert: (trx: Knex, counts: readonly StoredCount[]): Promise<void> =>
      upsert(
        trx,
        counts.map(({ key, times, expiresAt }) => [key, JSON.stringify(times), expiresAt]),
      ),
    write: createWriter(db),
    async find(key: string): Promise<readonly number[] | undefined> {
      const row = await db('rate_limits').where({ id: key }).first('times');
      return row && JSON.parse(row.times as string);
    },
    cleanUp: (now: number) => deleteInChunks(() => db('rate_limits').where('expires_at', '<', now), 'id'),
    async all(now: number) {
      const rows = await db('rate_limits').where('expires_at', '>', now);
      return rows.map((row) => ({
        key: row.id as string,
        times: JSON.parse(row.times as string) as number[],
        expiresAt: Number(row.expires_at),
      }));
    },
  };
}
