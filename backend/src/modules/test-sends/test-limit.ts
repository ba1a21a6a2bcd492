/** A limit on the tests of a person, or of the API keys of an account. */
import { durationText } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { sendWindows, type Rule } from '../../platform/rate-limit/rule.js';
import { withinLimits } from '../../platform/rate-limit/within-limits.js';

interface TestLimit {
  /** The name of the tests in errors, such as `test codes`. */
  readonly tests: string;
  readonly per10Minutes: number;
  readonly perDay: number;
}

/** Returns a function that runs `work` within the limit. Senders with the same key share it. */
export function createTestLimit(limiter: Pick<Limiter, 'take'>, { tests, per10Minutes, perDay }: TestLimit) {
  /** Rewords the error, because the application's own limit has the same error code, and owners can raise that one. */
  const rewording = {
    take: (rules: readonly Rule[]) =>
      limiter.take(rules).catch((error: unknown) => {
        const { retryAfterSeconds } = error instanceof ApiError ? error.details : {};
        if (retryAfterSeconds === undefined) throw error;
        const message = `Too many ${tests}. Try again in ${durationText(retryAfterSeconds)}`;
        const hint = `At most ${per10Minutes} ${tests} are allowed in 10 minutes, and ${perDay} in a day.`;
        throw new ApiError('BURST_LIMIT', { retryAfterSeconds, message, hint });
      }),
  };
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const windows = sendWindows(per10Minutes, perDay);
    return withinLimits(rewording, [{ key, code: 'BURST_LIMIT', windows, durable: true }], work);
  };
}
