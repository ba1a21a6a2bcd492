import { createBatcher } from '../batch.js';
import { deleteInChunks, type Database } from '../db/database.js';
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
    /** Stores the counts of concurrent calls with one statement. Of a key's counts, the last one is stored. */
    save: createBatcher(async (calls: readonly (readonly StoredCount[])[]): Promise<readonly void[]> => {
      const latest = new Map(calls.flat().map((count) => [count.key, count]));
      await upsert(
        db,
        [...latest.values()].map(({ key, times, expiresAt }) => [key, JSON.stringify(times), expiresAt]),
      );
      return calls.map(() => undefined);
    }),
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
