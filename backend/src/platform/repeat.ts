import type { Clock } from './clock.js';
import { describeError, type Log } from './log.js';

/**
 * Runs `task` now, and again `ms` after each run has ended. `task` must not throw. `stop` waits for the current run.
 */
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

/**
 * Runs tasks repeatedly in the background, and logs failed runs. The next run starts the given time after the previous
 * run ended.
 */
export function createTasks(clock: Clock, log: Log) {
  const loops: { stop(): Promise<void> }[] = [];
  const logFailure = (task: string) => (error: unknown) =>
    log.error({ task, err: describeError(error) }, 'task failed');
  return {
    logFailure,
    repeat(ms: number, task: string, work: () => Promise<unknown>): void {
      loops.push(every(ms, clock, () => work().catch(logFailure(task))));
    },
    /** Stops all tasks. Resolves when the runs in progress have finished. */
    stop: async (): Promise<void> => void (await Promise.all(loops.map((loop) => loop.stop()))),
  };
}
