/** Work that continues after the reply to a request. */
import { describeError, type Log } from './log.js';

export type BackgroundWork = ReturnType<typeof createBackgroundWork>;

export function createBackgroundWork(log: Log) {
  const running = new Set<Promise<void>>();
  return {
    /** Starts work that no caller waits for. Logs its failure under the name `task`. */
    run(task: string, work: () => Promise<unknown>): void {
      const promise = work()
        .catch((error: unknown) => log.error({ task, err: describeError(error) }, 'task failed'))
        .then(() => void running.delete(promise));
      running.add(promise);
    },
    /** Waits for the work in progress, and for work that starts meanwhile. */
    async stop(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
