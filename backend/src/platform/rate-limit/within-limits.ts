import type { Limiter, Refund } from './limiter.js';
import type { Limit } from './rule.js';

/** Counts an event under all limits and runs `work`. Work that throws has had no effect, so it does not count. */
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
