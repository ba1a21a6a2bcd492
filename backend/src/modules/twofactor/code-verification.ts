/** Verifies codes in constant time. Each guess is counted before it is checked, and each code works once. */
import type { Knex } from 'knex';
import { MINUTE, SECOND, secondsUntil, type Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import { random, type Keyring } from '../../platform/crypto.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import { SOURCE_HASH_PURPOSE } from './caller.js';
import { newRecoveryCodes, normalizeRecoveryCode, recoveryCodeHash } from './recovery-codes.js';
import {
  addGuess,
  NO_FACTOR,
  type Enrolment,
  type Factor,
  type FactorUser,
  type TwoFactorCaller,
} from './second-factor.js';
import { CODE_DIGITS, matchingStep, newSecret } from './totp.js';
import type { TwoFactorStore } from './twofactor-store.js';

/** Enough to install an authenticator app and scan. After that, a QR code left on a screen is worthless. */
const ENROLMENT_SECONDS = 600;
/** How long the source of a correct code may turn two-factor off or replace it without another code. */
const RECENTLY_MS = 10 * MINUTE;
/** Longer than a lock, so that every lock follows five wrong codes. */
const GUESS_COUNT_SECONDS = 3600;

export type Otp = string | number;

interface RecoveryStatus {
  readonly recoveryCodesLeft: number;
  readonly recoveryCodes?: string[];
}

export type CodeVerification = ReturnType<typeof createCodeVerification>;

const NO_SOURCE_HASH = '-.-';

const secretContext = ({ applicationId, identity }: FactorUser): string => `two-factor:${applicationId}:${identity}`;

/** Restores the leading zeros of a code that was sent as a number. */
const textOf = (otp: Otp): string => (typeof otp === 'number' ? String(otp).padStart(CODE_DIGITS, '0') : otp);

export function createCodeVerification(store: TwoFactorStore, transact: InTransaction, keyring: Keyring, clock: Clock) {
  /** Codes are compared with it when there is no factor, so that response time does not reveal that. */
  const decoySecret = newSecret();

  function openSecret(user: FactorUser, holder: Pick<Factor, 'secretSealed'> | undefined): string {
    const context = secretContext(user);
    return keyring.open(context, holder?.secretSealed ?? keyring.seal(context, decoySecret));
  }

  const verificationBy = ({ sourceHash }: TwoFactorCaller) => ({ sourceHash, until: clock.now() + RECENTLY_MS });

  /** Runs a transaction that excludes all others of the same user. */
  function exclusively<T>(user: FactorUser, work: (trx: Knex) => Promise<T>): Promise<T> {
    return transact(async (trx) => {
      await store.lockGuessCount(trx, user, clock.now() + GUESS_COUNT_SECONDS * SECOND);
      return work(trx);
    });
  }

  /**
   * Counts a guess before it is checked. Throws `OTP_LOCKED`, without counting, while the user is locked. Users
   * without two-factor are counted and locked as well, so that the lock does not reveal whether it is on.
   */
  async function countGuess(user: FactorUser): Promise<void> {
    const now = clock.now();
    const lockedUntil = await exclusively(user, async (trx) => {
      const count = await store.guessCount(trx, user);
      if (count.lockedUntil > now) return count.lockedUntil;
      await store.saveGuessCount(trx, user, addGuess(count, now));
      return undefined;
    });
    if (lockedUntil !== undefined)
      throw new ApiError('OTP_LOCKED', { retryAfterSeconds: secondsUntil(lockedUntil, now) });
  }

  const clearGuesses = (trx: Knex, user: FactorUser): Promise<void> =>
    store.saveGuessCount(trx, user, { guesses: 0, lockedUntil: 0 });

  /** Uses a code of the current factor. Returns false for a wrong or used code, and when there is no factor. */
  async function useCode(trx: Knex, caller: TwoFactorCaller, factor: Factor | undefined, otp: Otp): Promise<boolean> {
    const secret = openSecret(caller.user, factor);
    const id = factor?.id ?? NO_FACTOR;
    const recoveryCode = normalizeRecoveryCode(textOf(otp));
    if (recoveryCode !== undefined)
      return store.useRecoveryCode(trx, id, recoveryCodeHash(secret, recoveryCode), verificationBy(caller));
    const step = matchingStep(secret, textOf(otp), clock.now());
    return step !== undefined && store.useStep(trx, id, step, verificationBy(caller));
  }

  async function confirm(
    trx: Knex,
    caller: TwoFactorCaller,
    enrolment: Enrolment,
    current: Factor | undefined,
    otp: Otp,
  ): Promise<RecoveryStatus> {
    const now = clock.now();
    const { secretSealed, replaces } = enrolment;
    if (enrolment.expiresAt <= now) throw new ApiError('ENROLMENT_EXPIRED');
    const secret = openSecret(caller.user, enrolment);
    const step = matchingStep(secret, textOf(otp), now);
    // An enrolment that was started before the current factor lacks the verification that replacing it needs.
    if (step === undefined || replaces !== (current?.id ?? NO_FACTOR)) throw new ApiError('INVALID_OTP');
    const recoveryCodes = newRecoveryCodes();
    const recoveryHashes = recoveryCodes.map((code) => recoveryCodeHash(secret, code));
    const by = verificationBy(caller);
    await store.activateFactor(trx, caller.user, { secretSealed, step, by, recoveryHashes, now });
    return { recoveryCodesLeft: recoveryCodes.length, recoveryCodes };
  }

  /** Uses a code of an enrolment or of the current factor. Throws when the code is wrong. */
  async function verifyCode(
    trx: Knex,
    caller: TwoFactorCaller,
    { otp, maskId }: { otp: Otp; maskId?: string | undefined },
  ): Promise<RecoveryStatus> {
    const key = maskId === undefined ? { sourceHash: caller.sourceHash } : { maskId: maskId.toLowerCase() };
    const enrolment = await store.findEnrolment(trx, caller.user, key);
    const factor = await store.findFactor(caller.user, trx);
    if (enrolment && maskId !== undefined) return confirm(trx, caller, enrolment, factor, otp);
    // Also without a factor, so that response time does not reveal whether there is one.
    const used = await useCode(trx, caller, factor, otp);
    if (used && factor) return { recoveryCodesLeft: await store.countRecoveryCodes(trx, factor.id) };
    // With a factor, an expired enrolment must not change the error of a wrong code.
    const abandoned = factor !== undefined && enrolment !== undefined && enrolment.expiresAt <= clock.now();
    if (enrolment && !abandoned) return confirm(trx, caller, enrolment, factor, otp);
    throw new ApiError('INVALID_OTP');
  }

  function verifiedRecently(caller: TwoFactorCaller, factor: Factor | undefined): boolean {
    // Hashes without a factor as well, so that response time does not reveal whether there is one.
    const sameSource = keyring.macMatches(factor?.verifiedBy ?? NO_SOURCE_HASH, SOURCE_HASH_PURPOSE, caller.source);
    return sameSource && factor !== undefined && factor.verifiedUntil > clock.now();
  }

  /** Runs `work` for a caller with a userToken, a correct code or a recent verification. Throws for anyone else. */
  async function ifVerified<T>(
    caller: TwoFactorCaller,
    otp: Otp | undefined,
    work: (trx: Knex, factor: Factor | undefined) => Promise<T>,
  ): Promise<T> {
    const { user, hasUserToken } = caller;
    const code = hasUserToken ? undefined : otp;
    if (code !== undefined) await countGuess(user);
    return exclusively(user, async (trx) => {
      const factor = await store.findFactor(user, trx);
      if (code !== undefined) {
        if (!(await useCode(trx, caller, factor, code))) throw new ApiError('INVALID_OTP');
        await clearGuesses(trx, user);
      } else if (!hasUserToken && !verifiedRecently(caller, factor)) throw new ApiError('PROOF_REQUIRED');
      return work(trx, factor);
    });
  }

  function enrol(trx: Knex, caller: TwoFactorCaller, replaced: Factor | undefined): Promise<Enrolment> {
    const now = clock.now();
    const fresh = {
      maskId: random.hex(16),
      sourceHash: caller.sourceHash,
      secretSealed: keyring.seal(secretContext(caller.user), newSecret()),
      replaces: replaced?.id ?? NO_FACTOR,
      // A whole second, as the API returns it.
      expiresAt: (Math.floor(now / SECOND) + ENROLMENT_SECONDS) * SECOND,
    };
    return store.findOrCreateEnrolment(trx, caller.user, fresh, now);
  }

  /** Returns undefined if the newest key has sealed the secret already. */
  const resealSecret = (factor: FactorUser & Pick<Factor, 'secretSealed'>): string | undefined =>
    keyring.reseal(secretContext(factor), factor.secretSealed);

  return { openSecret, resealSecret, exclusively, countGuess, clearGuesses, verifyCode, ifVerified, enrol };
}
