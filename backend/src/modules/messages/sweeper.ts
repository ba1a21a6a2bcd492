/** Finds messages that are due and have no job. */
import { CHANNELS } from '../../providers/provider.js';
import type { Clock } from '../../platform/clock.js';
import { SWEEP_BATCH, SWEEP_ROUND_MS } from '../../platform/limits.js';
import type { Queue } from '../../platform/queue/queue.js';
import type { DeliveryStore } from './delivery-store.js';

export interface Sweeper {
  /** Hands over what is due and has no job: after a crash, a lost queue, a retry by the operator. */
  sweep(): Promise<void>;
  /** Takes up again what the process before this one had in hand when it died. */
  takeOver(): Promise<void>;
}

export function createSweeper({ store, queue, clock }: { store: DeliveryStore; queue: Queue; clock: Clock }): Sweeper {
  return {
    async sweep() {
      const round = Math.floor(clock.now() / SWEEP_ROUND_MS);
      // Channel by channel: the backlog of one must not hide what is due on another.
      for (const channel of CHANNELS)
        for (const id of await store.due(channel, clock.now(), SWEEP_BATCH))
          await queue.enqueue({ id, channel, round });
    },
    takeOver: () => store.releaseAll(clock.now()),
  };
}
