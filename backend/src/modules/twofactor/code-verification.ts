/** Verifies codes in constant time. Each guess is counted before it is checked, and each code works once. */
import type { Knex } from 'knex';
import { MINUTE, type Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Keyring } from '../../platform/crypto.js';
import { BROWSER_HASH_PURPOSE } from './caller.js';
import type { FactorSecrets } from './factor-secrets.js';
import type { GuessLimits } from './guess-limits.js';
import { newRecoveryCodes, normalizeRecoveryCode, recoveryCodeHash } from './recovery-codes.js';
import { NO_BROWSER, NO_FACTOR, type Enrollment, type Factor, type TwoFactorCaller } from './second-factor.js';
import { CODE_DIGITS, matchingStep, stepAt } from './totp.js';
import type { EnrollmentKey, TwoFactorStore } from './twofactor-store.js';

/** How long a browser that verified a code may turn two-factor off or replace the factor without another code. */
const RECENT_VERIFICATION_MS = 10 * MINUTE;

export type Otp = string | number;

/** A code, and the enrollment for which it was entered. */
export interface Code {
  readonly otp: Otp;
  readonly maskId?: string | undefined;
}

/** A code that was counted as a guess. It is checked as of the time at which it was counted. */
interface Guess extends Code {
  readonly at: number;
}

interface RecoveryStatus {
  readonly recoveryCodesLeft: number;
  readonly recoveryCodes?: string[];
}

export type CodeVerification = ReturnType<typeof createCodeVerification>;

/** Key of the caller's own enrollment, for requests without a `maskId`. */
const ownEnrollmentKey = ({ browserHash, sourceHash }: TwoFactorCaller): EnrollmentKey =>
  browserHash === NO_BROWSER ? { sourceHash } : { browserHash };

/** Restores the leading zeros of a code that was sent as a number. */
const textOf = (otp: Otp): string => (typeof otp === 'number' ? String(otp).padStart(CODE_DIGITS, '0') : otp);

export function createCodeVerification(
  store: TwoFactorStore,
  limits: GuessLimits,
  { openSecret }: FactorSecrets,
  keyring: Keyring,
  clock: Clock,
) {
  const { exclusively, clearGuesses } = limits;
  const verificationBy = ({ browserHash, hasUserToken }: TwoFactorCaller) => ({
    browserHash,
    hasUserToken,
    until: clock.now() + RECENT_VERIFICATION_MS,
  });

  /**
   * Counts a code before it is checked. Throws if the caller is locked or blocked. An authenticator code is another guess
   * in each time step, because it could be correct in the next one.
   */
  async function countGuess(caller: TwoFactorCaller, code: Code): Promise<Guess> {
    const at = clock.now();
    const recoveryCode = normalizeRecoveryCode(textOf(code.otp));
    const guess = recoveryCode ?? `${stepAt(at)} ${textOf(code.otp)}`;
    const text = [caller.browserHash, code.maskId ?? '', guess].join('\n');
    await limits.countGuess(caller, { isRecoveryCode: recoveryCode !== undefined, text });
    return { ...code, at };
  }

  /** Resets the guess limits after a correct code, and stores the browser as known. */
  async function recordSuccess(trx: Knex, caller: TwoFactorCaller): Promise<void> {
    await clearGuesses(trx, caller);
    if (caller.browser !== undefined) await store.rememberBrowser(trx, caller.user, caller.browserHash, clock.now());
  }

  /**
   * Marks a code for the current factor as used. Returns false if the code is wrong or already used, or there is no
   * factor.
   */
  async function useCode(
    trx: Knex,
    caller: TwoFactorCaller,
    factor: Factor | undefined,
    { otp, at }: Guess,
  ): Promise<boolean> {
    const secret = openSecret(caller.user, factor);
    const id = factor?.id ?? NO_FACTOR;
    const recoveryCode = normalizeRecoveryCode(textOf(otp));
    if (recoveryCode !== undefined)
      return store.useRecoveryCode(trx, id, recoveryCodeHash(secret, recoveryCode), verificationBy(caller));
    const step = matchingStep(secret, textOf(otp), at);
    return step !== undefined && store.useStep(trx, id, step, verificationBy(caller));
  }

  async function confirmEnrollment(
    trx: Knex,
    caller: TwoFactorCaller,
    enrollment: Enrollment,
    current: Factor | undefined,
    { otp, at: now }: Guess,
  ): Promise<RecoveryStatus> {
    const { secretSealed, replaces } = enrollment;
    if (enrollment.expiresAt <= now) throw new ApiError('ENROLMENT_EXPIRED');
    const secret = openSecret(caller.user, enrollment);
    const step = matchingStep(secret, textOf(otp), now);
    // An enrollment started before the current factor was set up lacks the verification required to replace that factor.
    if (step === undefined || replaces !== (current?.id ?? NO_FACTOR)) throw new ApiError('INVALID_OTP');
    const recoveryCodes = newRecoveryCodes();
    const recoveryHashes = recoveryCodes.map((code) => recoveryCodeHash(secret, code));
    const by = verificationBy(caller);
    await store.activateFactor(trx, caller.user, { secretSealed, step, by, recoveryHashes, now });
    return { recoveryCodesLeft: recoveryCodes.length, recoveryCodes };
  }

  const matches =
    (caller: TwoFactorCaller, { otp, at }: Guess) =>
    (enrollment: Enrollment): boolean =>
      matchingStep(openSecret(caller.user, enrollment), textOf(otp), at) !== undefined;

  /** Marks a code for an enrollment or for the current factor as used. Throws if the code is wrong. */
  async function useAnyCode(trx: Knex, caller: TwoFactorCaller, guess: Guess): Promise<RecoveryStatus> {
    const { maskId } = guess;
    const key = maskId === undefined ? ownEnrollmentKey(caller) : { maskId: maskId.toLowerCase() };
    const enrollments = await store.findEnrollments(trx, caller.user, key);
    const enrollment = enrollments.find(matches(caller, guess)) ?? enrollments[0];
    const factor = await store.findFactor(caller.user, trx);
    if (enrollment && maskId !== undefined) return confirmEnrollment(trx, caller, enrollment, factor, guess);
    // The code is checked even if there is no factor, so that response time does not reveal whether a factor exists.
    const used = await useCode(trx, caller, factor, guess);
    if (used && factor) return { recoveryCodesLeft: await store.countRecoveryCodes(trx, factor.id) };
    // If two-factor is on, an expired enrollment must not change the error for a wrong code.
    const ignoresEnrollment = factor !== undefined && enrollment !== undefined && enrollment.expiresAt <= guess.at;
    if (enrollment && !ignoresEnrollment) return confirmEnrollment(trx, caller, enrollment, factor, guess);
    throw new ApiError('INVALID_OTP');
  }

  /** Verifies a code. Call this in a transaction of {@link GuessLimits.exclusively}. Throws if the code is wrong. */
  async function verifyCode(trx: Knex, caller: TwoFactorCaller, guess: Guess): Promise<RecoveryStatus> {
    const status = await useAnyCode(trx, caller, guess);
    await recordSuccess(trx, caller);
    return status;
  }

  function verifiedRecently(caller: TwoFactorCaller, factor: Factor | undefined): boolean {
    // The browser secret is hashed even if there is no factor, so that response time does not reveal whether a factor
    // exists.
    const { browser = '' } = caller;
    const sameBrowser = keyring.macMatches(factor?.verifiedBy ?? NO_BROWSER, BROWSER_HASH_PURPOSE, browser);
    return sameBrowser && browser !== '' && factor !== undefined && factor.verifiedUntil > clock.now();
  }

  /**
   * Runs `work` if the caller has a userToken that replaces a code, a correct code, or a recent verification;
   * otherwise, throws.
   */
  async function ifVerified<T>(
    caller: TwoFactorCaller,
    otp: Otp | undefined,
    work: (trx: Knex, factor: Factor | undefined) => Promise<T>,
  ): Promise<T> {
    const { user, tokenReplacesCode } = caller;
    const guess = tokenReplacesCode || otp === undefined ? undefined : await countGuess(caller, { otp });
    return exclusively(user, async (trx) => {
      const factor = await store.findFactor(user, trx);
      if (guess) {
        if (!(await useCode(trx, caller, factor, guess))) throw new ApiError('INVALID_OTP');
        await recordSuccess(trx, caller);
      } else if (!tokenReplacesCode && !verifiedRecently(caller, factor)) throw new ApiError('PROOF_REQUIRED');
      return work(trx, factor);
    });
  }

  return { countGuess, verifyCode, ifVerified };
}
