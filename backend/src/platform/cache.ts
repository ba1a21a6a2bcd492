import type { Clock } from './clock.js';

/** How long a server caches an application. Changes by the operator command take effect after at most this time. */
export const APPLICATION_CACHE_MS = 1000;

/**
 * Caches each value for `ms` milliseconds. Does not cache undefined, because callers could fill the memory with
 * invented keys.
 */
export function createCache<Key, Value>(clock: Pick<Clock, 'now'>, ms: number, read: (key: Key) => Promise<Value>) {
  const entries = new Map<Key, { value: Value; expiresAt: number }>();
  return {
    async get(key: Key): Promise<Value> {
      const hit = entries.get(key);
      if (hit && hit.expiresAt > clock.now()) return hit.value;
      const value = await read(key);
      if (value === undefined) entries.delete(key);
      else entries.set(key, { value, expiresAt: clock.now() + ms });
      return value;
    },
    forget: (key: Key): void => void entries.delete(key),
  };
}
