import { ApiError } from '../contract/errors.js';
import type { Write } from '../db/transaction.js';
import type { Limiter, Refund } from './limiter.js';
import type { Limit } from './rule.js';

async function orRefund<T>(refund: Refund, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await refund().catch(() => undefined);
    throw error;
  }
}

/** Counts an event toward all limits and runs `work`. Refunds the event if `work` throws. */
export async function withinLimits<T>(
  limiter: Pick<Limiter, 'take'>,
  limits: readonly Limit[],
  work: () => Promise<T>,
): Promise<T> {
  return orRefund(await limiter.take(limits), work);
}

/** As `withinLimits`, for `work` that stores the rows with the event. */
export async function storedWithinLimits<T>(
  limiter: Pick<Limiter, 'takeWith'>,
  limits: readonly Limit[],
  work: (rows: readonly Write[], refund: Refund) => Promise<T>,
): Promise<T> {
  const { refund, rows } = await limiter.takeWith(limits);
  return orRefund(refund, () => work(rows, refund));
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
