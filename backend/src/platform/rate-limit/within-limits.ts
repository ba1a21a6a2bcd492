import { ApiError } from '../contract/errors.js';
import type { Limiter, Refund } from './limiter.js';
import type { Limit } from './rule.js';

/** Counts an event toward all limits and runs `work`. Refunds the event if `work` throws. */
export async function withinLimits<T>(
  limiter: Pick<Limiter, 'take'>,
  limits: readonly Limit[],
  work: (refund: Refund) => Promise<T>,
): Promise<T> {
  const refund = await limiter.take(limits);
  try {
    return await work(refund);
  } catch (error) {
    await refund().catch(() => undefined);
    throw error;
  }
}

/** Counts an event toward all limits. Returns false, without counting the event, if a limit rejects it. */
export const isWithinLimits = (limiter: Pick<Limiter, 'take'>, limits: readonly Limit[]): Promise<boolean> =>
  limiter.take(limits).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError) return false;
      throw error;
    },
  );
