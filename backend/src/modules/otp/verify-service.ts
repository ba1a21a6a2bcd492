/** Verifies one-time passcodes. */
import { createBatcher } from '../../platform/batch.js';
import type { Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import type { Keyring } from '../../platform/crypto.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import type { Application } from '../applications/application.js';
import type { FraudGuard } from '../fraud/fraud-guard.js';
import type { SessionsService } from '../sessions/sessions-service.js';
import type { Outbox } from '../webhooks/outbox.js';
import { countWrongGuess, markVerified, rejectionOf } from './guess-rules.js';
import { codeContext, isMaskId, type LockedSession } from './otp-session.js';
import type { OtpStore } from './otp-store.js';
import { verifiedEvent } from './verified-event.js';
import type { FindVerifiedUsers, VerifiedUser } from './verified-users.js';

export interface VerifyDependencies {
  readonly store: OtpStore;
  readonly inTransaction: InTransaction;
  readonly findVerifiedUsers: FindVerifiedUsers;
  readonly sessions: Pick<SessionsService, 'signingKey' | 'issue'>;
  readonly fraud: Pick<FraudGuard, 'countVerified'>;
  readonly outbox: Outbox;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/** Verifies a code and returns a session token; throws an {@link ApiError} when the code is rejected. */
export type VerifyOtp = (
  application: Application,
  request: Schemas['VerifyOtpRequest'],
) => Promise<Schemas['SessionToken']>;

interface Guess {
  readonly application: Application;
  readonly maskId: string;
  /** The code as the caller sent it. A number may have lost its leading zeros, for example in a spreadsheet. */
  readonly code: string | number;
}

/**
 * A hash that matches no code. If the session does not exist, the code is compared with this hash, so that response
 * time does not reveal whether it exists.
 */
const UNMATCHABLE_HASH = '-.-';

export function createVerifyOtp(dependencies: VerifyDependencies): VerifyOtp {
  const { store, inTransaction, findVerifiedUsers, sessions, fraud, outbox, keyring, clock } = dependencies;

  function isCorrect(session: LockedSession | undefined, { maskId, code }: Guess): boolean {
    const text = typeof code === 'number' ? String(code).padStart(session?.codeLength ?? 0, '0') : code;
    return keyring.macMatches(session?.codeHash ?? UNMATCHABLE_HASH, codeContext(maskId), text);
  }

  /** Marks the session as verified if the guess is correct; otherwise returns an error. Counts a wrong code. */
  function check(guess: Guess, locked: ReadonlyMap<string, LockedSession>, now: number): ApiError | undefined {
    const found = locked.get(guess.maskId);
    const session = found?.applicationId === guess.application.id ? found : undefined;
    // The code is compared even if the guess will be rejected, so that response time does not reveal whether the
    // session exists.
    const correct = isCorrect(session, guess);
    const rejection = rejectionOf(session, now);
    if (rejection || !session) return rejection;
    if (correct) {
      markVerified(session, locked.values());
      return undefined;
    }
    countWrongGuess(session, guess.application.settings.limits, now);
    return new ApiError('INVALID_OTP');
  }

  /**
   * Checks concurrent guesses in order, in one transaction that locks the sessions. All results are stored before any
   * caller gets a reply. Only the first of several correct guesses succeeds.
   */
  const checkInBatch = createBatcher((guesses: readonly Guess[]) =>
    inTransaction(async (trx): Promise<(VerifiedUser | ApiError)[]> => {
      const locked = await store.lock(trx, [...new Set(guesses.map(({ maskId }) => maskId))]);
      const now = clock.now();
      const rejections = guesses.map((guess) => check(guess, locked, now));
      await store.save(trx, [...locked.values()], now);
      const verified = guesses.filter((_guess, n) => !rejections[n]).map(({ maskId }) => locked.get(maskId)!);
      const users = await findVerifiedUsers(trx, verified);
      const events = verified.map((session, n) => verifiedEvent(session, users[n]!, now));
      await fraud.countVerified(trx, verified, now);
      await outbox.publish(trx, events, now);
      return rejections.map((rejection) => rejection ?? users.shift()!);
    }),
  );

  return async function verifyOtp(application, request) {
    const guess = { application, maskId: request.maskId.toLowerCase(), code: request.otp };
    // Fetches the signing key first: if this fails, the code stays valid.
    const key = await sessions.signingKey();
    const result = isMaskId(guess.maskId) ? await checkInBatch(guess) : check(guess, new Map(), clock.now())!;
    if (result instanceof ApiError) throw result;
    return sessions.issue(key, application, result.user, result.channel);
  };
}
