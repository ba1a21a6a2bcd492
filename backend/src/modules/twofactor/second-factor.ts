import { DAY, SECOND } from '../../platform/clock.js';
import type { Application } from '../applications/application.js';

const WRONG_CODES_BEFORE_LOCK = 5;
/** Doubled for each further lock, up to a day. */
const FIRST_LOCK_SECONDS = 900;
const LONGEST_LOCK_SECONDS = 86_400;

/**
 * Consecutive wrong codes after which a group of callers must use a recovery code. NIST 800-63B allows 100 in total,
 * and there are two groups: known and unknown callers.
 */
export const MAX_FAILURES_OF_GROUP = 50;

/** How long the failures of a network address are stored: longer than the longest lock. */
export const FAILURE_MS = 2 * DAY;

/** Long enough to recognise most users' browsers, but a browser that was sold or lost does not stay known forever. */
export const KNOWN_BROWSER_MS = 90 * DAY;

/**
 * A factor that was never used with a userToken, and only on the day of its setup, is deleted after this time: it was
 * probably set up by someone who does not own the address.
 */
export const ABANDONED_MS = 180 * DAY;
export const SET_UP_MS = DAY;

export const NO_FACTOR = 0;

/** Stored in place of the browser's hash when the caller sent no `browserNonce`. Matches no browser. */
export const NO_BROWSER = '-';

export interface FactorUser {
  readonly applicationId: number;
  /** Email address in lower case: a site that changes its spelling must not lose the second factor. */
  readonly identity: string;
}

export interface TwoFactorCaller {
  readonly application: Application;
  readonly user: FactorUser;
  /** Email address as the site spells it. */
  readonly address: string;
  /** Secret of the browser; undefined if the caller sent none. */
  readonly browser: string | undefined;
  /** Keyed hash of the browser's secret, or {@link NO_BROWSER}. */
  readonly browserHash: string;
  /** Keyed hash of the network address. */
  readonly sourceHash: string;
  readonly hasUserToken: boolean;
  /** False without a userToken, and for the userToken of a page that is shown before the second factor. */
  readonly tokenReplacesCode: boolean;
}

export interface Factor {
  readonly id: number;
  readonly secretSealed: string;
  /** Keyed hash of the browser that last verified a code, or {@link NO_BROWSER}. */
  readonly verifiedBy: string;
  readonly verifiedUntil: number;
}

export interface Enrolment {
  readonly maskId: string;
  /** Hash of the browser that started the enrolment. Without a browser, each call starts another, found by `maskId`. */
  readonly browserHash: string;
  readonly sourceHash: string;
  readonly secretSealed: string;
  /** Id of the factor to replace, or {@link NO_FACTOR}. */
  readonly replaces: number;
  readonly expiresAt: number;
}

export interface Verification {
  readonly browserHash: string;
  /** Until this time, the browser can turn two-factor off or replace it without another code. */
  readonly until: number;
  readonly hasUserToken: boolean;
}

/** Consecutive wrong codes. */
export interface Failures {
  readonly failures: number;
  readonly lockedUntil: number;
}

/** Known callers are browsers that have verified a code before, and callers with a userToken. */
export type CallerGroup = 'known' | 'unknown';

export const NO_FAILURES: Failures = { failures: 0, lockedUntil: 0 };

export function addFailure({ failures, lockedUntil }: Failures, now: number): Failures {
  const total = failures + 1;
  if (total % WRONG_CODES_BEFORE_LOCK !== 0) return { failures: total, lockedUntil };
  const locks = total / WRONG_CODES_BEFORE_LOCK;
  const seconds = Math.min(FIRST_LOCK_SECONDS * 2 ** (locks - 1), LONGEST_LOCK_SECONDS);
  return { failures: total, lockedUntil: now + seconds * SECOND };
}
