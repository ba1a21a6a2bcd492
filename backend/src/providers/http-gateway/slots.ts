/**
 * Limits the concurrent requests to gateways, so that a gateway that never replies does not block workers that send
 * through other providers.
 */
import { SECOND, type Clock } from '../../platform/clock.js';
import { ProviderError } from '../provider.js';

/** Maximum concurrent requests to one gateway. By default, a process sends up to 64 messages at a time on a channel. */
export const SLOTS = 48;
/**
 * No further request starts while this many requests have been running for longer than {@link SLOW_MS}. Gateways usually
 * reply much faster.
 */
export const SLOW_SLOTS = 16;
const SLOW_MS = 1000;
/** Maximum concurrent requests to one gateway that is not the operator's, and to all such gateways together. */
export const NON_OPERATOR_SLOTS = 4;
export const ALL_NON_OPERATOR_SLOTS = 12;
/** If the rate limit (`perSecond`) requires a longer wait, the message is postponed. */
const LONGEST_WAIT_MS = 1000;

let nonOperatorCalls = 0;

export interface SlotOptions {
  readonly clock: Clock;
  readonly isOperators: boolean;
  readonly perSecond: number | undefined;
}

const postponed = (reason: string, ms: number): ProviderError =>
  new ProviderError('transient', reason, Math.max(1, Math.ceil(ms / SECOND)), 'message');

/** Returns a function that runs a request, or throws a transient {@link ProviderError} if too many are running. */
export function createSlots({ clock, isOperators, perSecond }: SlotOptions) {
  const startTimes = new Set<{ readonly at: number }>();
  let nextStart = 0;

  function isFull(now: number): boolean {
    if (!isOperators) return startTimes.size >= NON_OPERATOR_SLOTS || nonOperatorCalls >= ALL_NON_OPERATOR_SLOTS;
    const slow = [...startTimes].filter(({ at }) => now - at >= SLOW_MS).length;
    return startTimes.size >= SLOTS || slow >= SLOW_SLOTS;
  }

  /** Waits until the rate allows another request. */
  async function pace(): Promise<void> {
    if (perSecond === undefined) return;
    const now = clock.now();
    const start = Math.max(now, nextStart);
    if (start - now > LONGEST_WAIT_MS) throw postponed('the rate limit of the provider has been reached', start - now);
    nextStart = start + SECOND / perSecond;
    if (start > now) await new Promise<void>((resolve) => clock.after(start - now, resolve));
  }

  return async function run<T>(request: () => Promise<T>): Promise<T> {
    const now = clock.now();
    if (isFull(now)) throw postponed('the provider is busy with other messages', SECOND);
    const slot = { at: now };
    startTimes.add(slot);
    if (!isOperators) nonOperatorCalls++;
    try {
      await pace();
      return await request();
    } finally {
      startTimes.delete(slot);
      if (!isOperators) nonOperatorCalls--;
    }
  };
}
