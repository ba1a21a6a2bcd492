import { deleteInChunks, type Database } from '../db/database.js';

export type RateLimitStore = ReturnType<typeof createRateLimitStore>;

export function createRateLimitStore(db: Database) {
  return {
    async save(key: string, times: readonly number[], expiresAt: number): Promise<void> {
      const row = { id: key, times: JSON.stringify(times), expires_at: expiresAt };
      await db('rate_limits').insert(row).onConflict('id').merge();
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
