import type { Limiter, Refund } from './limiter.js';
import type { Rule } from './rule.js';

/** Counts an event under all rules and runs `work`. Work that throws has had no effect, so it does not count. */
export async function withinLimits<T>(
  limiter: Pick<Limiter, 'take'>,
  rules: readonly Rule[],
  work: (refund: Refund) => Promise<T>,
): Promise<T> {
  const refund = await limiter.take(rules);
  try {
    return await work(refund);
  } catch (error) {
    await refund().catch(() => undefined);
    throw error;
  }
}
