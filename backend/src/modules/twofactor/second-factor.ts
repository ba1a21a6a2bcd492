import { DAY, SECOND } from '../../platform/clock.js';
import type { Application } from '../applications/application.js';

interface LockRule {
  readonly wrongCodes: number;
  readonly firstLockSeconds: number;
  /** Each further lock lasts twice as long, up to this duration. */
  readonly longestLockSeconds: number;
}

export const AUTHENTICATOR_LOCK: LockRule = { wrongCodes: 5, firstLockSeconds: 900, longestLockSeconds: 86_400 };

/**
 * Allows about ten guesses an hour. Locks do not become longer, because nobody can guess a recovery code at this rate.
 */
export const RECOVERY_LOCK: LockRule = { wrongCodes: 10, firstLockSeconds: 3600, longestLockSeconds: 3600 };

/** How long an IP address's failures are stored: longer than the longest lock. */
export const FAILURE_MS = 2 * DAY;

/** How long a browser stays known after it verified a code. Limited, because devices get sold or lost. */
export const KNOWN_BROWSER_MS = 90 * DAY;

/**
 * How long after its last use an abandoned factor is deleted. A factor counts as abandoned if it was never used with a
 * userToken, and never later than {@link SETUP_PERIOD_MS} after its setup: it was probably set up by someone who does
 * not own the address.
 */
export const ABANDONED_MS = 180 * DAY;
export const SETUP_PERIOD_MS = DAY;

/** Factor id for a user without a second factor. Matches no factor. */
export const NO_FACTOR = 0;

/** Browser hash for callers without a `browserNonce`. Matches no browser. */
export const NO_BROWSER = '-';

export interface FactorUser {
  readonly applicationId: number;
  /** Email address in lower case, so that the second factor remains valid if the site changes the address's case. */
  readonly identity: string;
}

export interface TwoFactorCaller {
  readonly application: Application;
  readonly user: FactorUser;
  /** Email address in the case that the site sent. */
  readonly address: string;
  /** The browser's secret; undefined if the caller sent none. */
  readonly browser: string | undefined;
  /** Keyed hash of the browser's secret, or {@link NO_BROWSER}. */
  readonly browserHash: string;
  /** Keyed hash of the IP address. */
  readonly sourceHash: string;
  readonly hasUserToken: boolean;
  /** False without a userToken, and for a userToken of the form `<expires>.sign-in.<signature>`. */
  readonly tokenReplacesCode: boolean;
}

export interface Factor {
  readonly id: number;
  readonly secretSealed: string;
  /** Keyed hash of the browser that last verified a code, or {@link NO_BROWSER}. */
  readonly verifiedBy: string;
  readonly verifiedUntil: number;
}

/** A user's second factor as the dashboard shows it. */
export interface FactorDescription {
  /** Undefined if two-factor is off. */
  readonly since: number | undefined;
  readonly recoveryCodes: number;
  /** When the longest lock after wrong codes ends; 0 or a past time without a lock. */
  readonly lockedUntil: number;
}

export interface Enrollment {
  readonly maskId: string;
  /**
   * Keyed hash of the browser that started the enrollment, or {@link NO_BROWSER}. Without a browser secret, each call
   * starts a new enrollment.
   */
  readonly browserHash: string;
  readonly sourceHash: string;
  readonly secretSealed: string;
  /** Id of the factor to replace, or {@link NO_FACTOR}. */
  readonly replaces: number;
  readonly expiresAt: number;
}

export interface Verification {
  readonly browserHash: string;
  /** Until this time, the browser can turn two-factor off or replace the factor without another code. */
  readonly until: number;
  readonly hasUserToken: boolean;
}

/** Consecutive wrong codes of a caller or a group of callers. */
export interface Failures {
  readonly failures: number;
  readonly lockedUntil: number;
  /** Keyed hash of the last code that was counted; null if an earlier version counted it. */
  readonly lastCode: string | null;
}

/**
 * `known`: browsers that have verified a code before. `vouched`: other callers with a userToken. `unknown`: all other
 * callers.
 */
export type CallerGroup = 'known' | 'vouched' | 'unknown';

/**
 * Consecutive wrong codes after which a group of callers must use a recovery code. Attackers can exhaust the `vouched`
 * and `unknown` limits to block the user, so these limits are higher. The three add up to the 100 wrong codes that
 * NIST SP 800-63B allows.
 */
export const MAX_FAILURES: Readonly<Record<CallerGroup, number>> = { known: 20, vouched: 40, unknown: 40 };

export const NO_FAILURES: Failures = { failures: 0, lockedUntil: 0, lastCode: null };

export function addFailure(
  { failures, lockedUntil }: Failures,
  lastCode: string,
  now: number,
  { wrongCodes, firstLockSeconds, longestLockSeconds }: LockRule,
): Failures {
  const total = failures + 1;
  if (total % wrongCodes !== 0) return { failures: total, lockedUntil, lastCode };
  const locks = total / wrongCodes;
  const seconds = Math.min(firstLockSeconds * 2 ** (locks - 1), longestLockSeconds);
  return { failures: total, lockedUntil: now + seconds * SECOND, lastCode };
}
