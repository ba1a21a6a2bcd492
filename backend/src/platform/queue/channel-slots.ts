/** Limits how many messages of each channel this process sends in parallel, and how many it starts per second. */
import PQueue from 'p-queue';
import { SECOND } from '../clock.js';
import { CHANNELS, type ChannelName } from '../contract/channels.js';
import type { Pace } from './queue.js';

export type Release = () => void;

export function createChannelSlots(concurrency: Pace['concurrency'], perSecond?: Pace['perSecond']) {
  const rateOf = (channel: ChannelName): number => perSecond?.[channel] ?? 0;
  const queues = new Map<ChannelName, PQueue>();
  for (const channel of CHANNELS) {
    const rate = rateOf(channel) > 0 ? { intervalCap: rateOf(channel), interval: SECOND } : {};
    queues.set(channel, new PQueue({ concurrency: concurrency[channel], ...rate }));
  }
  const all = [...queues.values()];

  /** Waits for a slot. Returns undefined if none is free after `ms` milliseconds. */
  function acquire(channel: ChannelName, behind: boolean, ms: number): Promise<Release | undefined> {
    return new Promise((resolve) => {
      let expired = false;
      const timer = setTimeout(() => {
        expired = true;
        resolve(undefined);
      }, ms);
      const occupy = async (): Promise<void> => {
        clearTimeout(timer);
        if (!expired) await new Promise<void>(resolve);
      };
      void queues.get(channel)!.add(occupy, { priority: priorityOf(behind) });
    });
  }

  return {
    acquire,

    /**
     * Acquires a slot without waiting. Returns undefined if no slot is free, other work is waiting, or the channel has a
     * rate per second.
     */
    tryAcquire(channel: ChannelName): Release | undefined {
      const queue = queues.get(channel)!;
      if (rateOf(channel) > 0 || queue.size > 0 || queue.pending >= concurrency[channel]) return undefined;
      let release: Release = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      void queue.add(() => released);
      return release;
    },

    /** Runs the work as soon as a slot is free and the rate per second allows it. Work that is `behind` waits for all other work. */
    run: (channel: ChannelName, work: () => Promise<void>, behind = false): Promise<void> =>
      queues.get(channel)!.add(work, { priority: priorityOf(behind) }),

    busy: (): boolean => all.some(({ pending }) => pending > 0),
    /** Drops work that is waiting. */
    clear: (): void => all.forEach((queue) => queue.clear()),
    /** Resolves when no slot is in use, and no work is waiting. */
    idle: async (): Promise<void> => void (await Promise.all(all.map((queue) => queue.onIdle()))),
  };
}

const priorityOf = (behind: boolean): number => (behind ? 0 : 1);
