import type { Clock } from './clock.js';

/**
 * Caches each value for `ms` milliseconds. Concurrent calls share one read: otherwise, every request in flight would
 * read a value that has just expired. Does not cache undefined, because callers could fill the memory with invented
 * keys.
 */
export function createCache<Key, Value>(clock: Pick<Clock, 'now'>, ms: number, read: (key: Key) => Promise<Value>) {
  const entries = new Map<Key, { readonly value: Promise<Value>; readonly expiresAt: number }>();
  return {
    get(key: Key): Promise<Value> {
      const hit = entries.get(key);
      if (hit && hit.expiresAt > clock.now()) return hit.value;
      const entry = { value: read(key), expiresAt: clock.now() + ms };
      entries.set(key, entry);
      const remove = () => {
        // A newer read may have replaced the entry.
        if (entries.get(key) === entry) entries.delete(key);
      };
      entry.value.then((value) => value === undefined && remove(), remove);
      return entry.value;
    },
    forget: (key: Key): void => void entries.delete(key),
    clear: (): void => entries.clear(),
  };
}
