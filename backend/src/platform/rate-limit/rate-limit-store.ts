import { deleteInChunks, type Database } from '../db/database.js';

export type RateLimitStore = ReturnType<typeof createRateLimitStore>;

export interface StoredCount {
  readonly key: string;
  /** A rule's event times, or a budget's sum. */
  readonly times: readonly number[];
  readonly expiresAt: number;
}

export function createRateLimitStore(db: Database) {
  return {
    async save(counts: readonly StoredCount[]): Promise<void> {
      const rows = counts.map(({ key, times, expiresAt }) => {
        return { id: key, times: JSON.stringify(times), expires_at: expiresAt };
      });
      await db('rate_limits').insert(rows).onConflict('id').merge();
    },
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
