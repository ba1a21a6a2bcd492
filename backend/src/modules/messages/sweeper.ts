/**
 * Enqueues due messages that may have no job, for example scheduled messages, or after a crash, a restart without Redis, or a
 * manual retry.
 */
import type { Clock } from '../../platform/clock.js';
import { CHANNELS } from '../../platform/contract/channels.js';
import type { Queue } from '../../platform/queue/queue.js';
import type { Backlogs } from './backlog.js';
import type { MessagesStore } from './messages-store.js';

/** Interval at which due messages are enqueued again. A shorter interval would add duplicate jobs to a long queue. */
const SWEEP_ROUND_MS = 10_000;
const SWEEP_BATCH = 500;

export function createSweeper(store: MessagesStore, queue: Queue, backlogs: Backlogs, clock: Clock) {
  return async function sweep(): Promise<void> {
    const round = Math.floor(clock.now() / SWEEP_ROUND_MS);
    // One query for each channel, so that many due messages on one channel do not delay the other channels.
    for (const channel of CHANNELS)
      for (const { id, applicationId, isScheduled } of await store.due(channel, clock.now(), SWEEP_BATCH))
        // Nobody waits for scheduled messages, so codes go first.
        await queue.enqueue({ id, channel, round, behind: isScheduled || backlogs.isLong(applicationId) });
  };
}
