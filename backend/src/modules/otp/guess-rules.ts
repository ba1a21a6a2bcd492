/** The rules about guesses: expiry, lockout and success. Pure: the caller has locked the sessions and stores the changes. */
import { HOUR, SECOND, secondsUntil } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { ApplicationLimits } from '../applications/application-limits.js';
import type { LockedSession } from './otp-session.js';

/** First and second lock of a session. The third lasts until the code expires. */
export const LOCK_SECONDS = [60, 300] as const;
/** Lock of a recipient that reached `wrongCodesPerHour`: as long as the hour in which wrong codes are counted. */
const RECIPIENT_LOCK_SECONDS = 3600;

/** Why a session accepts no guess now; undefined when it does. */
export function rejectionOf(session: LockedSession | undefined, now: number): ApiError | undefined {
  if (session?.state !== 'live') return new ApiError('INVALID_OTP');
  if (now >= session.expiresAt) return new ApiError('OTP_EXPIRED');
  const lockedUntil = Math.max(session.lockedUntil, session.guesses.lockedUntil);
  if (lockedUntil <= now) return undefined;
  return new ApiError('OTP_LOCKED', { retryAfterSeconds: secondsUntil(lockedUntil, now) });
}

/** Counts a wrong guess for the session and its recipient, and locks those that reach their limit. */
export function countWrongGuess(session: LockedSession, limits: ApplicationLimits, now: number): void {
  const { guesses } = session;
  session.wrongGuesses++;
  session.changed = true;
  const locks = limits.wrongCodesPerLock > 0 ? session.wrongGuesses / limits.wrongCodesPerLock : 0;
  if (locks > 0 && Number.isInteger(locks)) {
    const seconds = LOCK_SECONDS[locks - 1];
    session.lockedUntil = seconds === undefined ? session.expiresAt : now + seconds * SECOND;
  }
  if (limits.wrongCodesPerHour === 0) return;
  guesses.times = [...guesses.times.filter((time) => time > now - HOUR), now];
  guesses.changed = true;
  if (guesses.times.length >= limits.wrongCodesPerHour) guesses.lockedUntil = now + RECIPIENT_LOCK_SECONDS * SECOND;
}

/** Marks the session as verified, and ends the recipient's other sessions in `locked`. */
export function markVerified(session: LockedSession, locked: Iterable<LockedSession>): void {
  for (const other of locked)
    if (
      other.recipient === session.recipient &&
      other.applicationId === session.applicationId &&
      other.state === 'live'
    )
      other.state = 'ended';
  session.state = 'verified';
  session.changed = true;
}
