/**
 * Caches applications, branding and texts ("settings") until they change. Each transaction that changes them increases a
 * version in the database, which every process reads at most once a second.
 */
import type { Knex } from 'knex';
import { createCache } from './cache.js';
import { MINUTE, SECOND, type Clock } from './clock.js';
import type { Database } from './db/database.js';

/** After a change, processes use the previous settings for at most this time. */
const VERSION_MS = SECOND;

/**
 * Maximum age of a cached value. The previous release, and changes by hand in the database, do not increase the version.
 */
const MAX_AGE_MS = MINUTE;

const NO_ROW = 'the table settings_version has no row';

export type Settings = ReturnType<typeof createSettings>;

export function createSettings(db: Database, clock: Pick<Clock, 'now'>) {
  const version = createCache<void, number>(clock, VERSION_MS, async () => {
    const row = await db('settings_version').first('version');
    if (!row) throw new Error(NO_ROW);
    return Number(row.version);
  });

  return {
    /**
     * Makes all processes read their settings again. Call this after all other writes of a transaction that changes
     * settings, because it locks the version's row.
     */
    async markChanged(trx: Knex): Promise<void> {
      if ((await trx('settings_version').increment('version', 1)) !== 1) throw new Error(NO_ROW);
    },

    /** Returns a cache like {@link createCache}, whose values stay valid until any settings change. */
    createCache<Key, Value>(read: (key: Key) => Promise<Value>) {
      const cache = createCache(clock, MAX_AGE_MS, read);
      let cachedVersion: number | undefined;
      return {
        async get(key: Key): Promise<Value> {
          // Read before the settings: a change in between increases the version again.
          const current = await version.get();
          if (current !== cachedVersion) cache.clear();
          cachedVersion = current;
          return cache.get(key);
        },
        forget: cache.forget,
      };
    },
  };
}
