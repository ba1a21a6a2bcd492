import type { Clock } from './clock.js';

/** Runs `task` now, and again `ms` after each run has ended. `task` must not throw. `stop` waits for the current run. */
export function every(ms: number, clock: Clock, task: () => Promise<unknown>): { stop(): Promise<void> } {
  let stopped = false;
  let cancel = () => {};
  let running = Promise.resolve();
  const run = () => {
    running = task().then(() => {
      if (!stopped) cancel = clock.after(ms, run);
    });
  };
  run();
  return {
    async stop() {
      stopped = true;
      cancel();
      await running;
    },
  };
}
