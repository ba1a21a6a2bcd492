/** A clock that advances only when a test calls `advance`, which also runs the due timers. */
import type { Clock } from '../../backend/src/platform/clock.js';

export interface TestClock extends Clock {
  /** Advances the time and runs the due timers in order. */
  advance(ms: number): void;
}

/** Starts at a whole second, so that tests can calculate in seconds. */
export function createTestClock(start = 1_800_000_000_000): TestClock {
  let now = start;
  let timers: { at: number; task: () => void }[] = [];
  return {
    now: () => now,
    after(ms, task) {
      const timer = { at: now + ms, task };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers = timers.filter((timer) => timer !== next);
        now = Math.max(now, next.at);
        next.task();
      }
      now = end;
    },
  };
}
