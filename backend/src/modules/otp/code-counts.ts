/**
 * How many codes were verified. A session is counted after its code is over, from what is stored of it anyway: neither a
 * send nor a verify does anything for it.
 */
import type { Clock } from '../../platform/clock.js';
import { CODE_COUNT_DELAY_MS, CODES_LOOKED_THROUGH, COUNTED_CODES } from '../../platform/limits.js';
import type { UsageService } from '../usage/usage-service.js';
import type { UsageChange } from '../usage/usage-store.js';
import type { CountsStore } from './counts-store.js';

export type CodeCounts = ReturnType<typeof createCodeCounts>;

export interface CodeCountsDependencies {
  readonly store: CountsStore;
  readonly usage: Pick<UsageService, 'countCodes' | 'changesOfCodes'>;
  readonly clock: Clock;
}

export function createCodeCounts({ store, usage, clock }: CodeCountsDependencies) {
  return {
    /** Counts all that is over; each session once, however many processes do this. */
    async count(): Promise<void> {
      const until = clock.now() - CODE_COUNT_DELAY_MS;
      while ((await store.next(until, COUNTED_CODES, usage.countCodes)).more);
    },

    /** What these applications have to be counted yet. */
    pending: (applicationIds: readonly number[]): Promise<UsageChange[]> =>
      store.uncounted(applicationIds, CODES_LOOKED_THROUGH, usage.changesOfCodes),
  };
}
