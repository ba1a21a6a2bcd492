/** Times of events that a restart must not forget. */
import { deleteInChunks, type Database } from '../db/database.js';

export interface RateLimitStore {
  save(key: string, times: readonly number[], expiresAt: number): Promise<void>;
  cleanUp(now: number): Promise<void>;
  all(now: number): Promise<{ key: string; times: number[]; expiresAt: number }[]>;
}

export function createRateLimitStore(db: Database): RateLimitStore {
  return {
    async save(key, times, expiresAt) {
      const row = { id: key, times: JSON.stringify(times), expires_at: expiresAt };
      await db('rate_limits').insert(row).onConflict('id').merge();
    },
    cleanUp: (now) => deleteInChunks(() => db('rate_limits').where('expires_at', '<', now), 'id'),
    async all(now) {
      const rows = await db('rate_limits').where('expires_at', '>', now);
      return rows.map((row) => ({
        key: row.id as string,
        times: JSON.parse(row.times as string) as number[],
        expiresAt: Number(row.expires_at),
      }));
    },
  };
}
