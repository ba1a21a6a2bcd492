/**
 * Waits for conditions. The time limits are so long that only hangs exceed them. A timeout error describes the
 * condition.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { TestClock } from './clock.js';

/** Time limit of a test. The slowest test needs less, even on a busy machine, and even if it installs a browser. */
const HANG_MINUTES = 20;
/** The longest wait for one condition. */
const WAIT_MINUTES = 5;
/** Time limit for libraries and programs that require one, such as Playwright. Only hangs exceed it. */
export const LIBRARY_TIMEOUT_MS = 5 * 60_000;
/**
 * Pause between two checks of a condition. Short for fast tests, but long enough to leave the processor to the code
 * under test.
 */
const POLL_MS = 5;
/** Pauses without keeping the process alive, so a loop in a failed test cannot delay the exit of a worker. */
const poll = (): Promise<void> => pause(POLL_MS, undefined, { ref: false });

interface Wait {
  readonly what: string;
  abandon(error: Error): void;
}

/** All unfinished waits of the current test. */
const openWaits = new Set<Wait>();

/** Waits for a promise. `what` describes it, such as "a second webhook call". */
export function waiting<T>(what: string, promise: Promise<T>): Promise<T> {
  let abandon!: Wait['abandon'];
  const abandoned = new Promise<never>((_resolve, reject) => (abandon = reject));
  const wait: Wait = { what, abandon };
  openWaits.add(wait);
  const limit = setTimeout(
    () => abandon(new Error(`waited ${WAIT_MINUTES} minutes for ${what}`)),
    WAIT_MINUTES * 60_000,
  );
  const result = Promise.race([promise, abandoned]).finally(() => {
    clearTimeout(limit);
    openWaits.delete(wait);
  });
  // If no test awaits an abandoned wait, its unhandled rejection must not end the process.
  abandoned.catch(() => result.catch(() => undefined));
  return result;
}

/**
 * Calls `read` repeatedly, and returns its first value other than false, null and undefined. `step` runs between the
 * calls.
 */
export function until<T>(
  what: string,
  read: () => Promise<T> | T,
  step: () => unknown = poll,
): Promise<NonNullable<Exclude<T, false>>> {
  let ended = false;
  async function run() {
    for (;;) {
      const value = await read();
      if (value !== undefined && value !== null && value !== false) return value as NonNullable<Exclude<T, false>>;
      // The error only ends this loop. The wait was already rejected.
      if (ended) throw new Error(`the wait for ${what} has ended`);
      await step();
    }
  }
  return waiting(what, run()).finally(() => (ended = true));
}

/** Returns a step for {@link until} that advances the clock, and then pauses for network calls. */
export const advancing = (clock: Pick<TestClock, 'advance'>, ms: number) => (): Promise<void> => {
  clock.advance(ms);
  return poll();
};

/** A wait that takes this long in real time is considered stuck. */
export const STUCK_MS = 30_000;

/**
 * Returns a step for {@link until} that advances the clock once the wait is stuck. If a busy machine delayed a job
 * until it failed, the service then repeats it, as it would outside of tests.
 */
export function advancingWhileStuck(clock: Pick<TestClock, 'advance'>): () => Promise<void> {
  const start = performance.now();
  return () => {
    if (performance.now() - start > STUCK_MS) clock.advance(POLL_MS);
    return poll();
  };
}

/** Returns a condition for {@link until} that is true once the promise has settled. */
export function settled(promise: Promise<unknown>): () => boolean {
  let done = false;
  const end = () => void (done = true);
  promise.then(end, end);
  return () => done;
}

function describeHang(): string {
  const waits = [...openWaits].map(({ what }) => what);
  const resources = [...new Set(process.getActiveResourcesInfo())].join(', ');
  return `hangs for ${HANG_MINUTES} minutes; it waits for ${waits.length > 0 ? waits.join('; ') : `one of: ${resources}`}`;
}

/** Runs `work`. If it hangs, rejects all waits, so that loops end and `finally` blocks clean up. */
export function endHang<T>(work: () => T): Promise<Awaited<T>> {
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new Error(describeHang());
      reject(error);
      for (const wait of openWaits) wait.abandon(error);
    }, HANG_MINUTES * 60_000);
  });
  return Promise.race([Promise.resolve().then(work), hang]).finally(() => clearTimeout(timer));
}
