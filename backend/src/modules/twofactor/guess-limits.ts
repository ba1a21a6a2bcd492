/**
 * Limits wrong codes. Browsers that have verified a code share a lock; other callers are locked by IP address, so that
 * an attacker elsewhere cannot lock the user out. Each group of callers also has a limit on consecutive wrong
 * authenticator codes. Recovery codes ignore these locks and limits, and have separate locks.
 */
import type { Knex } from 'knex';
import { HOUR, secondsUntil, type Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Keyring } from '../../platform/crypto.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import { CALLER_GROUPS, type FailuresStore } from './failures-store.js';
import {
  addFailure,
  AUTHENTICATOR_LOCK,
  FAILURE_MS,
  MAX_FAILURES,
  NO_FAILURES,
  RECOVERY_LOCK,
  type CallerGroup,
  type FactorUser,
  type TwoFactorCaller,
} from './second-factor.js';

/** How long the row that locks a user is stored: longer than any request takes. */
const USER_LOCK_MS = HOUR;

const LAST_CODE_PURPOSE = 'two-factor-last-code';

export interface CountedGuess {
  readonly isRecoveryCode: boolean;
  /** Contains everything that determines whether the code is correct. Equal guesses in a row count once. */
  readonly text: string;
}

/**
 * Returns the `caller` value under which the failures for a lock are stored. Known browsers share one lock, so that a
 * new IP address does not give them more guesses.
 */
function lockOf(group: CallerGroup, sourceHash: string, isRecoveryCode: boolean): string {
  const lock = { known: 'known', vouched: `vouched ${sourceHash}`, unknown: sourceHash }[group];
  return isRecoveryCode ? `recovery ${lock}` : lock;
}

export type GuessLimits = ReturnType<typeof createGuessLimits>;

export function createGuessLimits(store: FailuresStore, transact: InTransaction, keyring: Keyring, clock: Clock) {
  /** Runs `work` in a transaction that locks the user, so that transactions for the same user run one at a time. */
  function exclusively<T>(user: FactorUser, work: (trx: Knex) => Promise<T>): Promise<T> {
    return transact(async (trx) => {
      await store.lockUser(trx, user, clock.now() + USER_LOCK_MS);
      return work(trx);
    });
  }

  /** Returns an error if the caller is locked or blocked; otherwise counts the guess, unless it repeats the last one. */
  async function rejectOrCount(trx: Knex, caller: TwoFactorCaller, { isRecoveryCode, text }: CountedGuess) {
    const now = clock.now();
    const { user, browserHash, sourceHash, hasUserToken } = caller;
    const { isOn, isKnownBrowser } = await store.findFactorAndBrowser(trx, user, browserHash, now);
    // Callers with a userToken have their own group: someone who knows only the password can get a userToken, and must
    // not be able to lock the user's browsers.
    const group: CallerGroup = isKnownBrowser ? 'known' : hasUserToken ? 'vouched' : 'unknown';
    const lockedAs = lockOf(group, sourceHash, isRecoveryCode);
    const callers = isRecoveryCode ? [lockedAs] : [...new Set([group, lockedAs])];
    const counts = await store.find(trx, user, callers);
    const { lockedUntil, lastCode } = counts.get(lockedAs) ?? NO_FAILURES;
    if (lockedUntil > now) return new ApiError('OTP_LOCKED', { retryAfterSeconds: secondsUntil(lockedUntil, now) });
    const inGroup = counts.get(group) ?? NO_FAILURES;
    if (isOn && !isRecoveryCode && inGroup.failures >= MAX_FAILURES[group]) return new ApiError('TWO_FACTOR_BLOCKED');
    const value = `${user.applicationId}\n${user.identity}\n${text}`;
    if (keyring.macMatches(lastCode ?? '', LAST_CODE_PURPOSE, value)) return undefined;
    const hash = keyring.mac(LAST_CODE_PURPOSE, value);
    const rule = isRecoveryCode ? RECOVERY_LOCK : AUTHENTICATOR_LOCK;
    const failed = new Map(callers.map((name) => [name, addFailure(counts.get(name) ?? NO_FAILURES, hash, now, rule)]));
    await store.save(trx, user, failed, now + FAILURE_MS);
    return undefined;
  }

  /**
   * Counts a guess as wrong before it is checked. A guess that repeats the caller's last guess, for example after a double
   * click, is not counted: its result is the same. Throws, without counting, while the caller is locked or blocked.
   * Works the same for users without two-factor, so that the reply does not reveal whether two-factor is on.
   */
  async function countGuess(caller: TwoFactorCaller, guess: CountedGuess): Promise<void> {
    // The transaction returns the error, because throwing it would roll back the user's lock row.
    const error = await exclusively(caller.user, (trx) => rejectOrCount(trx, caller, guess));
    if (error) throw error;
  }

  /** Resets the consecutive failures after a correct code. Other IP addresses stay locked. */
  const clearGuesses = (trx: Knex, { user, sourceHash }: TwoFactorCaller): Promise<void> =>
    store.clear(trx, user, [
      ...CALLER_GROUPS,
      ...CALLER_GROUPS.flatMap((group) => [lockOf(group, sourceHash, false), lockOf(group, sourceHash, true)]),
    ]);

  const clearAllGuesses = (trx: Knex, user: FactorUser): Promise<void> => store.clear(trx, user);

  return { exclusively, countGuess, clearGuesses, clearAllGuesses, unlock: store.unlock };
}
