import { SECOND } from '../../platform/clock.js';
import type { Application } from '../applications/application.js';

const WRONG_CODES_BEFORE_LOCK = 5;
const LOCK_SECONDS = 900;

export const NO_FACTOR = 0;

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
  /** Browser of the call, and whether the call had a userToken. */
  readonly source: string;
  readonly sourceHash: string;
  readonly hasUserToken: boolean;
}

export interface Factor {
  readonly id: number;
  readonly secretSealed: string;
  /** Keyed hash of the source that verified a code last. */
  readonly verifiedBy: string;
  readonly verifiedUntil: number;
}

export interface Enrolment {
  readonly maskId: string;
  readonly sourceHash: string;
  readonly secretSealed: string;
  /** Id of the factor that it replaces, or {@link NO_FACTOR}. */
  readonly replaces: number;
  readonly expiresAt: number;
}

/** Until `until`, no other code is needed to turn two-factor off or replace it. */
export interface RecentVerification {
  readonly sourceHash: string;
  readonly until: number;
}

export interface GuessCount {
  readonly guesses: number;
  readonly lockedUntil: number;
}

export function addGuess({ guesses, lockedUntil }: GuessCount, now: number): GuessCount {
  const locks = (guesses + 1) % WRONG_CODES_BEFORE_LOCK === 0;
  return { guesses: guesses + 1, lockedUntil: locks ? now + LOCK_SECONDS * SECOND : lockedUntil };
}
