/** Enqueues all due messages, because their jobs may be lost: after a crash, without Redis, or after a retry by the command. */
import type { Clock } from '../../platform/clock.js';
import { CHANNELS } from '../../platform/contract/channels.js';
import type { Queue } from '../../platform/queue/queue.js';
import type { Backlogs } from './backlog.js';
import type { MessagesStore } from './messages-store.js';

/** Interval at which a waiting message is enqueued again: long enough to avoid many duplicate jobs in a long queue. */
const SWEEP_ROUND_MS = 10_000;
const SWEEP_BATCH = 500;

export function createSweeper(store: MessagesStore, queue: Queue, backlogs: Backlogs, clock: Clock) {
  return async function sweep(): Promise<void> {
    const round = Math.floor(clock.now() / SWEEP_ROUND_MS);
    // Channel by channel, so that one channel's backlog does not hide due messages of another.
    for (const channel of CHANNELS)
      for (const { id, applicationId } of await store.due(channel, clock.now(), SWEEP_BATCH))
        await queue.enqueue({ id, channel, round, behind: backlogs.isLong(applicationId) });
  };
}
