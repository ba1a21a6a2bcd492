/** The queue inside one process: the messages table is the store, this only remembers what is due. */
import PQueue from 'p-queue';
import type { ChannelName } from '../../providers/provider.js';
import { SECOND } from '../clock.js';
import type { Job, Pace, Queue } from './queue.js';

export function createEmbeddedQueue({ concurrency, perSecond }: Pace): Queue {
  const channels = new Map<ChannelName, PQueue>();
  /** Jobs that wait or run, so that a sweep does not add them again. */
  const known = new Set<string>();
  let handle: ((job: Job) => Promise<void>) | undefined;

  function lane(channel: ChannelName): PQueue {
    let queue = channels.get(channel);
    if (queue) return queue;
    const rate = perSecond[channel] > 0 ? { intervalCap: perSecond[channel], interval: SECOND } : {};
    queue = new PQueue({ concurrency: concurrency[channel], ...rate });
    channels.set(channel, queue);
    return queue;
  }

  return {
    async enqueue(job) {
      const key = `${job.channel} ${job.id}`;
      if (!handle || known.has(key)) return;
      const work = handle;
      known.add(key);
      void lane(job.channel).add(async () => {
        known.delete(key);
        await work(job);
      });
    },
    start(handler) {
      handle = handler;
    },
    async stop() {
      handle = undefined;
      for (const queue of channels.values()) queue.clear();
      await Promise.all([...channels.values()].map((queue) => queue.onIdle()));
    },
  };
}
