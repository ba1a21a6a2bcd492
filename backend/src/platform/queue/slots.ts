/** Limits how many messages of each channel this process sends in parallel, and how many it starts per second. */
import PQueue from 'p-queue';
import { SECOND } from '../clock.js';
import { CHANNELS, type ChannelName } from '../contract/channels.js';
import type { Pace } from './queue.js';

export function createSlots({ concurrency, perSecond }: Pace) {
  const queues = new Map<ChannelName, PQueue>();
  for (const channel of CHANNELS) {
    const rate = perSecond[channel] > 0 ? { intervalCap: perSecond[channel], interval: SECOND } : {};
    queues.set(channel, new PQueue({ concurrency: concurrency[channel], ...rate }));
  }
  const all = [...queues.values()];

  return {
    /** Runs the work as soon as a slot is free. Work that is `behind` waits for all other work. */
    run: (channel: ChannelName, work: () => Promise<void>, behind = false): Promise<void> =>
      queues.get(channel)!.add(work, { priority: behind ? 0 : 1 }),

    /**
     * Takes a slot, and returns the function that frees it. Returns undefined if no slot is free, other work is waiting,
     * or the channel has a rate per second.
     */
    take(channel: ChannelName): (() => void) | undefined {
      const queue = queues.get(channel)!;
      if (perSecond[channel] > 0 || queue.size > 0 || queue.pending >= concurrency[channel]) return undefined;
      let free = (): void => undefined;
      const freed = new Promise<void>((resolve) => (free = resolve));
      void queue.add(() => freed);
      return free;
    },

    /** Whether any work is running. */
    busy: (): boolean => all.some(({ pending }) => pending > 0),
    /** Drops work that is waiting. */
    clear: (): void => all.forEach((queue) => queue.clear()),
    /** Resolves when no work is running or waiting. */
    idle: async (): Promise<void> => void (await Promise.all(all.map((queue) => queue.onIdle()))),
  };
}
