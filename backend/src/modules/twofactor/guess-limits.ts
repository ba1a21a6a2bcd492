/**
 * Limits wrong codes. Each network address is locked separately, so that an attacker elsewhere cannot lock the user
 * out, and browsers that have verified a code before are not locked by others. Consecutive failures are limited as
 * well.
 */
import type { Knex } from 'knex';
import { HOUR, secondsUntil, type Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import { GROUPS, type FailuresStore } from './failures-store.js';
import {
  addFailure,
  FAILURE_MS,
  MAX_FAILURES_OF_GROUP,
  NO_FAILURES,
  type CallerGroup,
  type FactorUser,
  type TwoFactorCaller,
} from './second-factor.js';

/** Longer than any request. */
const USER_LOCK_MS = HOUR;

export type GuessLimits = ReturnType<typeof createGuessLimits>;

export function createGuessLimits(store: FailuresStore, transact: InTransaction, clock: Clock) {
  /** Runs a transaction that excludes all other transactions of the same user. */
  function exclusively<T>(user: FactorUser, work: (trx: Knex) => Promise<T>): Promise<T> {
    return transact(async (trx) => {
      await store.lockUser(trx, user, clock.now() + USER_LOCK_MS);
      return work(trx);
    });
  }

  /** Returns an error if the caller is locked or blocked; otherwise counts the guess. */
  async function rejectOrCount(trx: Knex, caller: TwoFactorCaller, isRecoveryCode: boolean) {
    const now = clock.now();
    const { user, browserHash, sourceHash, hasUserToken } = caller;
    const { isOn, isKnownBrowser } = await store.findFactorAndBrowser(trx, user, browserHash, now);
    const group: CallerGroup = isKnownBrowser || hasUserToken ? 'known' : 'unknown';
    // Known callers share one lock, so a new network address does not give them more guesses.
    const lockedAs = group === 'known' ? group : sourceHash;
    const counts = await store.find(trx, user, [group, lockedAs]);
    const { lockedUntil } = counts.get(lockedAs) ?? NO_FAILURES;
    if (lockedUntil > now) return new ApiError('OTP_LOCKED', { retryAfterSeconds: secondsUntil(lockedUntil, now) });
    const inGroup = counts.get(group) ?? NO_FAILURES;
    // Recovery codes cannot be guessed, and let the user in after an attacker has used up the guesses.
    if (isOn && !isRecoveryCode && inGroup.failures >= MAX_FAILURES_OF_GROUP) return new ApiError('TWO_FACTOR_BLOCKED');
    const callers = [...new Set([group, lockedAs])];
    const failed = new Map(callers.map((name) => [name, addFailure(counts.get(name) ?? NO_FAILURES, now)]));
    await store.save(trx, user, failed, now + FAILURE_MS);
    return undefined;
  }

  /**
   * Counts a guess as wrong before it is checked. Throws, without counting, while the caller is locked. Users without
   * two-factor are counted and locked as well, so that the reply does not reveal whether two-factor is on.
   */
  async function countGuess(caller: TwoFactorCaller, isRecoveryCode: boolean): Promise<void> {
    // Returned instead of thrown, because an error would roll back the user's lock row.
    const error = await exclusively(caller.user, (trx) => rejectOrCount(trx, caller, isRecoveryCode));
    if (error) throw error;
  }

  /** Resets the consecutive failures after a correct code. Other network addresses stay locked. */
  const clearGuesses = (trx: Knex, { user, sourceHash }: TwoFactorCaller): Promise<void> =>
    store.clear(trx, user, [...GROUPS, sourceHash]);

  const clearAllGuesses = (trx: Knex, user: FactorUser): Promise<void> => store.clear(trx, user);

  return { exclusively, countGuess, clearGuesses, clearAllGuesses };
}
