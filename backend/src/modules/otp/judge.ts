/** Judges guesses. Pure: it works on a session that its transaction holds, so that no other guess comes between. */
import { HOUR, SECOND, secondsUntil } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import { LOCK_SECONDS, RECIPIENT_LOCK_SECONDS, type ApplicationLimits } from '../../platform/limits.js';
import type { HeldSession } from './otp-store.js';

/** Why a session takes no guess, in the order decided; undefined when it takes one. */
export function refusalOf(session: HeldSession | undefined, now: number): ApiError | undefined {
  if (session?.state !== 'live') return new ApiError('INVALID_OTP');
  if (now >= session.expiresAt) return new ApiError('OTP_EXPIRED');
  const lockedUntil = Math.max(session.lockedUntil, session.guesses.lockedUntil);
  if (lockedUntil <= now) return undefined;
  return new ApiError('OTP_LOCKED', { retryAfterSeconds: secondsUntil(lockedUntil, now) });
}

/** Counts a wrong code on the session and on its recipient; the last one that each allows locks it. */
export function countWrong(session: HeldSession, limits: ApplicationLimits, now: number): void {
  const { guesses } = session;
  session.wrong++;
  const lock = limits.wrongCodesPerLock > 0 ? session.wrong / limits.wrongCodesPerLock : 0;
  if (lock > 0 && Number.isInteger(lock)) {
    const seconds = LOCK_SECONDS[lock - 1];
    session.lockedUntil = seconds === undefined ? session.expiresAt : now + seconds * SECOND;
  }
  session.changed = true;
  if (limits.wrongCodesPerHour === 0) return;
  guesses.times = [...guesses.times.filter((time) => time > now - HOUR), now];
  if (guesses.times.length >= limits.wrongCodesPerHour) guesses.lockedUntil = now + RECIPIENT_LOCK_SECONDS * SECOND;
  guesses.changed = true;
}
