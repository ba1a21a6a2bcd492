/**
 * Rules for guessing codes: expiry, lockout and success. The functions only change the given objects; the caller locks
 * the database rows and stores the changes.
 */
import { DAY, durationText, HOUR, SECOND, secondsUntil } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { ApplicationLimits } from '../applications/application-limits.js';
import { isSameRecipient } from '../recipients/recipient.js';
import type { LockedCode, RecipientGuesses } from './otp-code.js';

/** Durations of a code's first and second lock, in seconds. The third lock lasts until the code expires. */
export const LOCK_SECONDS = [60, 300] as const;
/** How long a recipient is locked after `wrongCodesPerHour` wrong codes. */
const RECIPIENT_LOCK_SECONDS = 3600;

/** Upper bound for the chance of guessing one of a recipient's codes within 24 hours, regardless of other limits. */
export const MAX_CHANCE_PER_DAY = 0.001;
/** {@link MAX_CHANCE_PER_DAY}, scaled to an integer so that sums are exact. */
const MAX_RISK = 1_000_000_000;

/** Returns the chance that one guess is correct, scaled so that {@link MAX_RISK} is the daily limit. Rounds up. */
const riskOf = (codeSpace: number): number => Math.ceil(MAX_RISK / (codeSpace * MAX_CHANCE_PER_DAY));

/**
 * Returns the hour that contains `now`, counted from the epoch. Risk is stored as one sum per hour, to limit the number
 * of stored values.
 */
const hourOf = (now: number): number => Math.floor(now / HOUR);
/** Returns the time at which all guesses made in this hour are at least a day old. */
const riskExpiresAt = (hour: number): number => (hour + 1) * HOUR + DAY;

/** Returns the time from which another guess with this risk is allowed. */
function riskAllowedAt({ risks }: RecipientGuesses, risk: number, now: number): number {
  const counted = risks.filter(({ hour }) => riskExpiresAt(hour) > now);
  let sum = counted.reduce((total, { risk: used }) => total + used, risk);
  let allowedAt = now;
  for (const { hour, risk: used } of counted) {
    if (sum < MAX_RISK) break;
    sum -= used;
    allowedAt = riskExpiresAt(hour);
  }
  return allowedAt;
}

function addRisk(guesses: RecipientGuesses, risk: number, now: number): void {
  const hour = hourOf(now);
  const before = guesses.risks.filter((entry) => riskExpiresAt(entry.hour) > now && entry.hour !== hour);
  const current = guesses.risks.find((entry) => entry.hour === hour)?.risk ?? 0;
  guesses.risks = [...before, { hour, risk: current + risk }];
  guesses.changed = true;
}

/** Returns the maximum number of wrong guesses per recipient in a day, if all codes have this code space. */
export function wrongCodesPerDay(
  codeSpace: number,
  { wrongCodesPerHour }: Pick<ApplicationLimits, 'wrongCodesPerHour'>,
) {
  const byRisk = Math.ceil(MAX_RISK / riskOf(codeSpace)) - 1;
  return wrongCodesPerHour > 0 ? Math.min(byRisk, 24 * wrongCodesPerHour) : byRisk;
}

/** Returns the end of the lock of the code or its recipient; `now` or earlier if there is none. */
export const lockedUntilOf = ({ lockedUntil, guesses, codeSpace }: LockedCode, now: number): number =>
  Math.max(lockedUntil, guesses.lockedUntil, riskAllowedAt(guesses, riskOf(codeSpace), now));

/**
 * Returns an error if the code does not accept a guess at this time. `repeats`: the caller may repeat its
 * verification, so a verified or expired code also accepts the guess.
 */
export function rejectionOf(code: LockedCode | undefined, now: number, { repeats = false } = {}): ApiError | undefined {
  if (!code || (code.state !== 'live' && !repeats)) return new ApiError('INVALID_OTP');
  if (now >= code.expiresAt && !repeats) return new ApiError('OTP_EXPIRED');
  const lockedUntil = lockedUntilOf(code, now);
  if (lockedUntil <= now) return undefined;
  return new ApiError('OTP_LOCKED', { retryAfterSeconds: secondsUntil(lockedUntil, now) });
}

/** Returns the error for a wrong code that was counted. After the last attempt, the error says how long the lock lasts. */
export function wrongCode(code: LockedCode, limits: ApplicationLimits, now: number): ApiError {
  const lockedForSeconds = rejectionOf(code, now)?.details.retryAfterSeconds;
  const left = { attemptsLeft: attemptsLeft(code, limits, now) };
  if (lockedForSeconds === undefined) return new ApiError('INVALID_OTP', left);
  const hint = `Too many wrong codes. Try again in ${durationText(lockedForSeconds)}.`;
  return new ApiError('INVALID_OTP', { ...left, lockedForSeconds, hint });
}

const inLastHour = (times: readonly number[], now: number): number[] => times.filter((time) => time > now - HOUR);

/** Counts a wrong guess for the code and for the recipient. Locks either one when its limit is reached. */
export function countWrongGuess(code: LockedCode, limits: ApplicationLimits, now: number): void {
  const { guesses } = code;
  code.wrongGuesses++;
  code.changed = true;
  addRisk(guesses, riskOf(code.codeSpace), now);
  const { wrongCodesPerLock, wrongCodesPerHour } = limits;
  if (wrongCodesPerLock > 0 && code.wrongGuesses % wrongCodesPerLock === 0) {
    const seconds = LOCK_SECONDS[code.wrongGuesses / wrongCodesPerLock - 1];
    code.lockedUntil = seconds === undefined ? code.expiresAt : now + seconds * SECOND;
  }
  if (wrongCodesPerHour > 0) {
    guesses.times = [...inLastHour(guesses.times, now), now];
    if (guesses.times.length >= wrongCodesPerHour) guesses.lockedUntil = now + RECIPIENT_LOCK_SECONDS * SECOND;
  }
}

/** Returns how many more wrong guesses lock the code or the recipient; undefined without limits. */
export function attemptsLeft(code: LockedCode, limits: ApplicationLimits, now: number): number | undefined {
  const { wrongCodesPerLock, wrongCodesPerHour } = limits;
  const left: number[] = [];
  if (wrongCodesPerLock > 0)
    left.push(code.lockedUntil > now ? 0 : wrongCodesPerLock - (code.wrongGuesses % wrongCodesPerLock));
  if (wrongCodesPerHour > 0) left.push(Math.max(0, wrongCodesPerHour - inLastHour(code.guesses.times, now).length));
  return left.length > 0 ? Math.min(...left) : undefined;
}

/** Marks the code as verified, and ends the recipient's other codes in `locked`. */
export function markVerified(code: LockedCode, locked: Iterable<LockedCode>, now: number): void {
  for (const other of locked)
    if (
      isSameRecipient(other.recipient, code.recipient) &&
      other.applicationId === code.applicationId &&
      other.state === 'live'
    )
      other.state = 'ended';
  code.state = 'verified';
  code.verifiedAt = now;
  code.newlyVerified = true;
}
