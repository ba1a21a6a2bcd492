/** What a code proves: judged in constant time, counted before and used up after. */
import type { Knex } from 'knex';
import { SECOND, secondsUntil, type Clock } from '../../platform/clock.js';
import { random, type Keyring } from '../../platform/crypto.js';
import { ApiError } from '../../platform/contract/errors.js';
import { ENROLMENT_SECONDS, PROOF_SECONDS } from '../../platform/limits.js';
import type { GuessesStore } from './guesses-store.js';
import { newRecoveryCodes, recoveryCodeOf, recoveryHash } from './recovery-codes.js';
import type { Caller, Subject } from './subject.js';
import { CODE_DIGITS, matchingStep, newSecret } from './totp.js';
import type { Enrolment, Factor, Proof, TwoFactorStore } from './twofactor-store.js';

/** What a person entered, or a program sent. */
export type Otp = string | number;

export interface ProofsDependencies {
  readonly store: TwoFactorStore;
  readonly guesses: GuessesStore;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

export type Proofs = ReturnType<typeof createProofs>;

/** The codes on paper, after a right code. */
export interface Recovery {
  readonly recoveryCodesLeft: number;
  /** Only when the code turned two-factor on. */
  readonly recoveryCodes?: string[];
}

export const CLIENT = 'two-factor-client';
/** Keyed hash that no browser has. */
const NOBODY = '-.-';
/** Id that no factor has. */
export const NO_FACTOR = 0;

export const sealContext = ({ applicationId, identity }: Subject): string => `two-factor:${applicationId}:${identity}`;

/** A spreadsheet drops the leading zeros of a number. */
const textOf = (otp: Otp): string => (typeof otp === 'number' ? String(otp).padStart(CODE_DIGITS, '0') : otp);

export function createProofs({ store, guesses, keyring, clock }: ProofsDependencies) {
  /** Judged where there is no factor, so that both take as long. */
  const decoy = newSecret();

  function secretOf(subject: Subject, holder: Pick<Factor, 'secretSealed'> | undefined): string {
    const context = sealContext(subject);
    return keyring.open(context, holder?.secretSealed ?? keyring.seal(context, decoy));
  }

  const proofBy = ({ client }: Caller): Proof => ({ client, until: clock.now() + PROOF_SECONDS * SECOND });

  async function countGuess(subject: Subject): Promise<void> {
    const now = clock.now();
    const lockedUntil = await guesses.count(subject, now);
    if (lockedUntil === undefined) return;
    throw new ApiError('OTP_LOCKED', { retryAfterSeconds: secondsUntil(lockedUntil, now) });
  }

  /** Uses up a code of the factor that is on; false for a wrong or used one, and where there is no factor. */
  async function use(trx: Knex, caller: Caller, factor: Factor | undefined, otp: Otp): Promise<boolean> {
    const secret = secretOf(caller.subject, factor);
    const id = factor?.id ?? NO_FACTOR;
    const recoveryCode = recoveryCodeOf(textOf(otp));
    if (recoveryCode !== undefined)
      return store.useRecoveryCode(trx, id, recoveryHash(secret, recoveryCode), proofBy(caller));
    const step = matchingStep(secret, textOf(otp), clock.now());
    return step !== undefined && store.useStep(trx, id, step, proofBy(caller));
  }

  /** The first good code of an enrolment turns two-factor on. */
  async function confirm(
    trx: Knex,
    caller: Caller,
    enrolment: Enrolment,
    on: Factor | undefined,
    otp: Otp,
  ): Promise<Recovery> {
    const now = clock.now();
    if (enrolment.expiresAt <= now) throw new ApiError('ENROLMENT_EXPIRED');
    const secret = secretOf(caller.subject, enrolment);
    const step = matchingStep(secret, textOf(otp), now);
    // Begun before the factor that is on now: without the proof that replacing it needs.
    if (step === undefined || enrolment.replaces !== (on?.id ?? NO_FACTOR)) throw new ApiError('INVALID_OTP');
    const recoveryCodes = newRecoveryCodes();
    const recoveryHashes = recoveryCodes.map((code) => recoveryHash(secret, code));
    const { secretSealed } = enrolment;
    await store.promote(trx, caller.subject, { secretSealed, step, proof: proofBy(caller), recoveryHashes, now });
    return { recoveryCodesLeft: recoveryCodes.length, recoveryCodes };
  }

  function provenHere(caller: Caller, factor: Factor | undefined): boolean {
    const here = keyring.macMatches(factor?.provedBy ?? NOBODY, CLIENT, caller.source);
    return here && factor !== undefined && factor.provedUntil > clock.now();
  }

  return {
    /** The seed of a factor or an enrolment in base32. */
    secretOf,

    /** Counts a guess that is about to be judged; throws when the identity is locked. */
    countGuess,

    /** Uses up a code, of an enrolment or of the factor that is on. */
    async redeem(
      trx: Knex,
      caller: Caller,
      { otp, maskId }: { otp: Otp; maskId?: string | undefined },
    ): Promise<Recovery> {
      const key = maskId === undefined ? { client: caller.client } : { maskId: maskId.toLowerCase() };
      const enrolment = await store.enrolment(trx, caller.subject, key);
      const factor = await store.factor(caller.subject, trx);
      if (enrolment && maskId !== undefined) return confirm(trx, caller, enrolment, factor, otp);
      // Judged without a factor as well, so that both take as long.
      const used = await use(trx, caller, factor, otp);
      if (used && factor) return { recoveryCodesLeft: await store.countRecoveryCodes(trx, factor.id) };
      // One that was given up is no reason to refuse a code of the factor that is on.
      const givenUp = factor !== undefined && enrolment !== undefined && enrolment.expiresAt <= clock.now();
      if (enrolment && !givenUp) return confirm(trx, caller, enrolment, factor, otp);
      throw new ApiError('INVALID_OTP');
    },

    /** Does `work` for a caller who has proved to be the user of the factor; throws the refusal. */
    async proven<T>(
      caller: Caller,
      otp: Otp | undefined,
      work: (trx: Knex, factor: Factor | undefined) => Promise<T>,
    ): Promise<T> {
      const code = caller.vouched ? undefined : otp;
      if (code !== undefined) await countGuess(caller.subject);
      return guesses.exclusively(caller.subject, clock.now(), async (trx) => {
        const factor = await store.factor(caller.subject, trx);
        if (code !== undefined) {
          if (!(await use(trx, caller, factor, code))) throw new ApiError('INVALID_OTP');
          await guesses.forget(trx, caller.subject);
        } else if (!caller.vouched && !provenHere(caller, factor)) throw new ApiError('PROOF_REQUIRED');
        return work(trx, factor);
      });
    },

    /** The enrolment that this browser has begun, or a new one. */
    enrol(trx: Knex, caller: Caller, replaced: Factor | undefined): Promise<Enrolment> {
      const now = clock.now();
      const fresh = {
        maskId: random.hex(16),
        client: caller.client,
        secretSealed: keyring.seal(sealContext(caller.subject), newSecret()),
        replaces: replaced?.id ?? NO_FACTOR,
        // A whole second, as callers read it.
        expiresAt: (Math.floor(now / SECOND) + ENROLMENT_SECONDS) * SECOND,
      };
      return store.enrol(trx, caller.subject, fresh, now);
    },
  };
}
