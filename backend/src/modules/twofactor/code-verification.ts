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
import { CODE_DIGITS, matchingStep } from './totp.js';
import type { EnrollmentKey, TwoFactorStore } from './twofactor-store.js';

/** How long a browser that verified a code may turn two-factor off or replace the factor without another code. */
const RECENT_VERIFICATION_MS = 10 * MINUTE;

export type Otp = string | number;

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

  /** Counts a guess before it is checked. Throws if the caller is locked or blocked. */
  const countGuess = (caller: TwoFactorCaller, otp: Otp): Promise<void> =>
    limits.countGuess(caller, normalizeRecoveryCode(textOf(otp)) !== undefined);

  /** Resets the guess limits after a correct code, and stores the browser as known. */
  async function recordSuccess(trx: Knex, caller: TwoFactorCaller): Promise<void> {
    await clearGuesses(trx, caller);
    if (caller.browser !== undefined) await store.rememberBrowser(trx, caller.user, caller.browserHash, clock.now());
  }

  /**
   * Marks a code for the current factor as used. Returns false if the code is wrong or already used, or there is no
   * factor.
   */
  async function useCode(trx: Knex, caller: TwoFactorCaller, factor: Factor | undefined, otp: Otp): Promise<boolean> {
    const secret = openSecret(caller.user, factor);
    const id = factor?.id ?? NO_FACTOR;
    const recoveryCode = normalizeRecoveryCode(textOf(otp));
    if (recoveryCode !== undefined)
      return store.useRecoveryCode(trx, id, recoveryCodeHash(secret, recoveryCode), verificationBy(caller));
    const step = matchingStep(secret, textOf(otp), clock.now());
    return step !== undefined && store.useStep(trx, id, step, verificationBy(caller));
  }

  async function confirmEnrollment(
    trx: Knex,
    caller: TwoFactorCaller,
    enrollment: Enrollment,
    current: Factor | undefined,
    otp: Otp,
  ): Promise<RecoveryStatus> {
    const now = clock.now();
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
    (caller: TwoFactorCaller, otp: Otp) =>
    (enrollment: Enrollment): boolean =>
      matchingStep(openSecret(caller.user, enrollment), textOf(otp), clock.now()) !== undefined;

  /** Marks a code for an enrollment or for the current factor as used. Throws if the code is wrong. */
  async function useAnyCode(
    trx: Knex,
    caller: TwoFactorCaller,
    { otp, maskId }: { otp: Otp; maskId?: string | undefined },
  ): Promise<RecoveryStatus> {
    const key = maskId === undefined ? ownEnrollmentKey(caller) : { maskId: maskId.toLowerCase() };
    const enrollments = await store.findEnrollments(trx, caller.user, key);
    const enrollment = enrollments.find(matches(caller, otp)) ?? enrollments[0];
    const factor = await store.findFactor(caller.user, trx);
    if (enrollment && maskId !== undefined) return confirmEnrollment(trx, caller, enrollment, factor, otp);
    // The code is checked even if there is no factor, so that response time does not reveal whether a factor exists.
    const used = await useCode(trx, caller, factor, otp);
    if (used && factor) return { recoveryCodesLeft: await store.countRecoveryCodes(trx, factor.id) };
    // If two-factor is on, an expired enrollment must not change the error for a wrong code.
    const ignoresEnrollment = factor !== undefined && enrollment !== undefined && enrollment.expiresAt <= clock.now();
    if (enrollment && !ignoresEnrollment) return confirmEnrollment(trx, caller, enrollment, factor, otp);
    throw new ApiError('INVALID_OTP');
  }

  /** Verifies a code. Call this in a transaction of {@link GuessLimits.exclusively}. Throws if the code is wrong. */
  async function verifyCode(
    trx: Knex,
    caller: TwoFactorCaller,
    code: { otp: Otp; maskId?: string | undefined },
  ): Promise<RecoveryStatus> {
    const status = await useAnyCode(trx, caller, code);
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
    const code = tokenReplacesCode ? undefined : otp;
    if (code !== undefined) await countGuess(caller, code);
    return exclusively(user, async (trx) => {
      const factor = await store.findFactor(user, trx);
      if (code !== undefined) {
        if (!(await useCode(trx, caller, factor, code))) throw new ApiError('INVALID_OTP');
        await recordSuccess(trx, caller);
      } else if (!tokenReplacesCode && !verifiedRecently(caller, factor)) throw new ApiError('PROOF_REQUIRED');
      return work(trx, factor);
    });
  }

  return { countGuess, verifyCode, ifVerified };
}
