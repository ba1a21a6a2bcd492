/** Work that comes back. */
import type { Clock } from './clock.js';

/** Runs `task` at once and then `ms` after each end; never two at a time. `task` must not throw. */
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
