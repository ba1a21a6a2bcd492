/**
 * Grouped work: what arrives in one turn of the event loop, or while one call is in flight, goes into the next. No timer,
 * and nothing added when idle. What has waited for too long, since the calls before it hang, fails instead of queueing up.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GROUP_WAIT_MS } from './limits.js';

/** Largest group: keeps one statement or one call to Redis short. */
const MAX_GROUP = 100;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Like any other time-out on the way to a database. */
const tooLate = () => Object.assign(new Error('the calls before it took too long'), { code: 'ETIMEDOUT' });

export interface GroupOptions {
  /** Whether an error of a group comes from one of its items: then each is done alone, and only that one fails. */
  readonly alone?: (error: unknown) => boolean;
  /** How long an item may wait for its group, in milliseconds. */
  readonly waitMs?: number;
}

/** Makes a function of one item out of a function of many; `run` answers one result an item, in order. */
export function createGroup<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { alone = () => false, waitMs = GROUP_WAIT_MS }: GroupOptions = {},
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let busy = false;

  async function work(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(group.map(({ item }) => item));
      group.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      if (group.length > 1 && alone(error)) for (const one of group) await work([one]);
      else group.forEach(({ reject }) => reject(error));
    }
  }

  /** The oldest come first. */
  function refuseLate(): void {
    const now = performance.now();
    const inTime = waiting.findIndex(({ since }) => now - since <= waitMs);
    for (const { reject } of waiting.splice(0, inTime < 0 ? waiting.length : inTime)) reject(tooLate());
  }

  async function drain(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      // The requests that are ready now come along.
      await nextTurn();
      const group = waiting.slice(0, MAX_GROUP);
      waiting = waiting.slice(MAX_GROUP);
      await work(group);
      refuseLate();
    }
    busy = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, since: performance.now(), resolve, reject });
      if (!busy) void drain();
    });
}
