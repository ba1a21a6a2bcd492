/**
 * A queue within one process. Jobs are only in memory; after a crash, the sweeper creates them again from the messages
 * table.
 */
import PQueue from 'p-queue';
import { SECOND } from '../clock.js';
import type { ChannelName } from '../contract/channels.js';
import type { Job, Pace, Queue } from './queue.js';

export function createEmbeddedQueue({ concurrency, perSecond }: Pace): Queue {
  const queues = new Map<ChannelName, PQueue>();
  /** Ids of messages with a waiting job. The sweeper must not add a second job for these messages. */
  const waiting = new Set<string>();
  let handle: ((job: Job) => Promise<void>) | undefined;

  function queueOf(channel: ChannelName): PQueue {
    let queue = queues.get(channel);
    if (queue) return queue;
    const rate = perSecond[channel] > 0 ? { intervalCap: perSecond[channel], interval: SECOND } : {};
    queue = new PQueue({ concurrency: concurrency[channel], ...rate });
    queues.set(channel, queue);
    return queue;
  }

  async function enqueue(job: Job): Promise<void> {
    const key = `${job.channel} ${job.id}`;
    if (!handle || waiting.has(key)) return;
    const run = handle;
    waiting.add(key);
    const priority = job.behind ? 0 : 1;
    const work = async () => {
      waiting.delete(key);
      await run(job);
    };
    void queueOf(job.channel).add(work, { priority });
  }

  return {
    enqueue,
    start(handler) {
      handle = handler;
    },
    async stop() {
      handle = undefined;
      for (const queue of queues.values()) queue.clear();
      await Promise.all([...queues.values()].map((queue) => queue.onIdle()));
    },
  };
}
