/** What was read a moment ago, so that not every request reads it anew. */
import type { Clock } from './clock.js';

export interface Recall<Key, Value> {
  /** What was read last, unless that is too long ago. */
  get(key: Key): Promise<Value>;
  /** The next one who asks reads it anew. */
  forget(key: Key): void;
}

export interface RecallOptions<Key, Value> {
  readonly clock: Pick<Clock, 'now'>;
  /** How old what is told may be, in milliseconds. */
  readonly ms: number;
  readonly read: (key: Key) => Promise<Value>;
}

/** Keeps nothing for a key that has nothing: strangers could fill the memory with keys that they make up. */
export function createRecall<Key, Value>({ clock, ms, read }: RecallOptions<Key, Value>): Recall<Key, Value> {
  const known = new Map<Key, { value: Value; until: number }>();
  return {
    async get(key) {
      const hit = known.get(key);
      if (hit && hit.until > clock.now()) return hit.value;
      const value = await read(key);
      if (value === undefined) known.delete(key);
      else known.set(key, { value, until: clock.now() + ms });
      return value;
    },
    forget: (key) => void known.delete(key),
  };
}
