/**
 * Groups items into batches: an item joins the next batch, which starts when the current batch has finished. Under load,
 * the next batch starts a few milliseconds later.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

const MAX_BATCH_SIZE = 100;

/**
 * After a batch of at least this size, the next batch waits for `BUSY_PAUSE_MS` unless it is full. Larger batches mean
 * fewer transactions, which saves CPU time.
 */
const BUSY_BATCH_SIZE = 8;
const BUSY_PAUSE_MS = 5;

interface WaitingItem<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** The code `ETIMEDOUT` marks a database error, which the API reports as `SERVICE_UNAVAILABLE`. */
const timeoutError = () => Object.assign(new Error('timed out waiting for earlier batches'), { code: 'ETIMEDOUT' });

interface BatcherOptions {
  readonly isItemError?: (error: unknown) => boolean;
  readonly waitMs?: number;
  /** Returns a monotonic time in milliseconds. */
  readonly now?: () => number;
  /** Waits before the batch that follows a large batch. */
  readonly pause?: () => Promise<unknown>;
}

/**
 * Turns a function that processes many items into a function that processes one. `run` returns one result for each
 * item, in order. After an error for which `isItemError` returns true, the items run one by one, so that only the item
 * that caused the error fails. Items that have waited for longer than `waitMs` fail, so that the queue does not grow
 * while batches hang.
 */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  {
    isItemError = () => false,
    waitMs = 5000,
    now = () => performance.now(),
    pause = () => sleep(BUSY_PAUSE_MS),
  }: BatcherOptions = {},
): (item: Item) => Promise<Result> {
  let waiting: WaitingItem<Item, Result>[] = [];
  let busy = false;
  let lastSize = 0;

  async function runBatch(batch: readonly WaitingItem<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      if (batch.length > 1 && isItemError(error)) for (const entry of batch) await runBatch([entry]);
      else batch.forEach(({ reject }) => reject(error));
    }
  }

  function rejectTimedOut(): void {
    const earliest = now() - waitMs;
    const inTime = waiting.findIndex(({ since }) => since >= earliest);
    for (const { reject } of waiting.splice(0, inTime < 0 ? waiting.length : inTime)) reject(timeoutError());
  }

  async function drain(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      // Waits for one turn of the event loop, so that all requests from that turn join the batch.
      await nextTurn();
      if (lastSize >= BUSY_BATCH_SIZE && waiting.length < MAX_BATCH_SIZE) await pause();
      const batch = waiting.slice(0, MAX_BATCH_SIZE);
      waiting = waiting.slice(MAX_BATCH_SIZE);
      lastSize = batch.length;
      await runBatch(batch);
      rejectTimedOut();
    }
    busy = false;
  }

  return function add(item) {
    return new Promise((resolve, reject) => {
      waiting.push({ item, since: now(), resolve, reject });
      if (!busy) void drain();
    });
  };
}
