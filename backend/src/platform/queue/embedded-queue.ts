/**
 * A queue within one process. Jobs are only in memory; after a crash, the sweeper creates them again from the messages
 * table.
 */
import { createChannelSlots } from './channel-slots.js';
import type { Job, Pace, Queue } from './queue.js';

export function createEmbeddedQueue(pace: Pace): Queue {
  const slots = createChannelSlots(pace.concurrency, pace.perSecond);
  /** Ids of messages with a waiting job. The sweeper must not add a second job for these messages. */
  const waiting = new Set<string>();
  let handle: ((job: Job) => Promise<void>) | undefined;

  async function enqueue(job: Job): Promise<void> {
    const key = `${job.channel} ${job.id}`;
    if (!handle || waiting.has(key)) return;
    const run = handle;
    waiting.add(key);
    const work = async () => {
      waiting.delete(key);
      await run(job);
    };
    void slots.run(job.channel, work, job.behind);
  }

  return {
    enqueue,
    acquireSlot: (channel) => (handle ? slots.tryAcquire(channel) : undefined),
    start(handler) {
      handle = handler;
    },
    async stop() {
      handle = undefined;
      slots.clear();
      await slots.idle();
    },
  };
}
