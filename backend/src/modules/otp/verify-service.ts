/** Verifies one-time passcodes. */
import type { Knex } from 'knex';
import type { Base } from '../../platform/base.js';
import { createBatcher } from '../../platform/batch.js';
import { DAY, MINUTE } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { isHexId, type Keyring } from '../../platform/crypto.js';
import type { Application } from '../applications/application.js';
import type { FraudGuard } from '../fraud/fraud-service.js';
import { channelOf } from '../../platform/contract/auth-types.js';
import type { SessionsService } from '../sessions/sessions-service.js';
import type { MessagesService } from '../messages/messages-service.js';
import type { Outbox } from '../webhooks/outbox.js';
import type { EndCooldown } from './cooldown.js';
import { countWrongGuess, lockedUntilOf, markVerified, rejectionOf, wrongCode } from './guess-rules.js';
import { decoyCode } from './decoy.js';
import { recipientLookup } from './recipient-keys.js';
import { codeContext, UNMATCHABLE_HASH, wrongCodeContext, type LockedCode, type OtpCode } from './otp-code.js';
import type { OtpStore } from './otp-store.js';
import { lockedEvent, verifiedEvent } from './code-events.js';
import type { FindVerifiedUsers, VerifiedUser } from './verified-users.js';

/** How long a verification can be repeated with the same Idempotency-Key. */
const REPEAT_BY_KEY_MS = DAY;
/** How long a caller that did not receive the reply can repeat the verification without an Idempotency-Key. */
const REPEAT_BY_CALLER_MS = MINUTE;

export interface VerifyDependencies extends Pick<Base, 'clock' | 'inTransaction' | 'keyring'> {
  readonly store: OtpStore;
  readonly findVerifiedUsers: FindVerifiedUsers;
  readonly messages: Pick<MessagesService, 'settle'>;
  readonly endCooldown: EndCooldown;
  readonly sessions: Pick<SessionsService, 'signingKey' | 'issue'>;
  readonly fraud: Pick<FraudGuard, 'countVerified'>;
  readonly outbox: Outbox;
}

/**
 * Identifies a caller that repeats a verification. Without any of these values, the verification cannot be repeated.
 */
export interface VerifyOptions {
  readonly idempotencyKey?: string | undefined;
  readonly source?: string | undefined;
}

/** A verified code. `maskId` identifies it, for {@link VerifyService.replyLost}. */
export interface Verification {
  readonly maskId: string;
  readonly token: Schemas['SessionToken'];
  /** Whether this call repeats an earlier verification. */
  readonly repeated: boolean;
}

/** A code, with its `maskId` or its recipient. Requests without both are rejected. */
export type VerifyRequest = Omit<Schemas['VerifyOtpRequest'], 'otp'> & { readonly otp: string | number };

export type VerifyService = ReturnType<typeof createVerifyService>;

interface Guess {
  readonly application: Application;
  readonly maskId: string;
  /** The code as the caller sent it. A number may have lost its leading zeros, for example in a spreadsheet. */
  readonly otp: string | number;
  readonly options: VerifyOptions;
  /** Stored before the check, because the recipient may have no open code. */
  readonly decoy?: OtpCode | undefined;
}

/** The result of a correct guess. A repeated verification has the same result. */
interface VerifiedGuess extends VerifiedUser {
  readonly code: LockedCode;
  readonly verifiedAt: number;
  readonly repeated: boolean;
}

const PURPOSE = 'repeated-verification';
const ofKey = (application: Application, key: string) => `key:${application.id}:${key}`;
const ofSource = (application: Application, source: string) => `source:${application.id}:${source}`;

/**
 * Counts a wrong guess, unless it repeats the last wrong guess, for example after a double click: such a guess
 * has no chance of being correct. Compares the code as it was sent: restored zeros would reveal the length of the code.
 */
function rejectWrongCode(
  keyring: Keyring,
  code: LockedCode,
  { application, maskId, otp }: Guess,
  now: number,
): ApiError {
  const { limits } = application.settings;
  const context = wrongCodeContext(maskId);
  const text = String(otp);
  if (!keyring.macMatches(code.lastWrongCode ?? UNMATCHABLE_HASH, context, text)) {
    countWrongGuess(code, limits, now);
    code.lastWrongCode = keyring.mac(context, text);
    const lockedUntil = lockedUntilOf(code, now);
    code.newlyLocked = lockedUntil > now;
    // Also the lock of the recipient, so that the event can be reconstructed.
    if (code.newlyLocked) code.lockedUntil = lockedUntil;
  }
  return wrongCode(code, limits, now);
}

export function createVerifyService(dependencies: VerifyDependencies) {
  const { store, inTransaction, findVerifiedUsers, messages, endCooldown, sessions, fraud, outbox, keyring, clock } =
    dependencies;

  function isCorrect(code: LockedCode | undefined, { maskId, otp }: Guess): boolean {
    const text = typeof otp === 'number' ? String(otp).padStart(code?.codeLength ?? 0, '0') : otp;
    return keyring.macMatches(code?.codeHash ?? UNMATCHABLE_HASH, codeContext(maskId), text);
  }

  /** Whether the caller may repeat the verification of this code and get the same result again. */
  function mayRepeat({ verifiedAt, repeatableBy }: LockedCode, { application, options }: Guess, now: number): boolean {
    const { idempotencyKey, source } = options;
    if (verifiedAt === null || repeatableBy === null) return false;
    const isBy = (caller: string) => keyring.macMatches(repeatableBy, PURPOSE, caller);
    if (idempotencyKey !== undefined)
      return now < verifiedAt + REPEAT_BY_KEY_MS && isBy(ofKey(application, idempotencyKey));
    return source !== undefined && now < verifiedAt + REPEAT_BY_CALLER_MS && isBy(ofSource(application, source));
  }

  /**
   * Checks a guess. Marks its code as verified if the guess is correct, and counts a new wrong code. A correct guess
   * that repeats a verification changes nothing.
   */
  function check(
    guess: Guess,
    locked: ReadonlyMap<string, LockedCode>,
    now: number,
  ): 'verified' | 'repeated' | ApiError {
    const found = locked.get(guess.maskId);
    const code = found?.applicationId === guess.application.id ? found : undefined;
    // The code is compared even if the guess will be rejected, so that response time does not reveal whether the
    // code exists.
    const correct = isCorrect(code, guess);
    const repeats = code?.state === 'verified' && mayRepeat(code, guess, now);
    const rejection = rejectionOf(code, now, { repeats });
    if (rejection || !code) return rejection ?? new ApiError('INVALID_OTP');
    if (!correct) return rejectWrongCode(keyring, code, guess, now);
    if (repeats) return 'repeated';
    const { idempotencyKey } = guess.options;
    markVerified(code, locked.values(), now);
    if (idempotencyKey !== undefined)
      code.repeatableBy = keyring.mac(PURPOSE, ofKey(guess.application, idempotencyKey));
    return 'verified';
  }

  /**
   * Stores what entered codes change: their messages and users, the counts of the fraud guard, and the events. Locks the rows
   * in this order, after those of codes and guesses. Returns the users by `maskId`.
   */
  async function storeEntered(
    trx: Knex,
    locked: readonly LockedCode[],
    { verified, repeated }: Record<'verified' | 'repeated', readonly LockedCode[]>,
    endedMessages: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, VerifiedUser>> {
    const entered = [...verified, ...repeated];
    const messageIds = entered.flatMap(({ messageId }) => messageId ?? []);
    const channels = await messages.settle(trx, messageIds, endedMessages);
    const users = await findVerifiedUsers(trx, entered, channels);
    const userOf = new Map(entered.map(({ maskId }, n) => [maskId, users[n]!]));
    await fraud.countVerified(trx, verified, now);
    const events = [
      ...verified.map((code) => verifiedEvent(code, userOf.get(code.maskId)!, now)),
      ...locked.filter(({ newlyLocked }) => newlyLocked).map((code) => lockedEvent(code, now)),
    ];
    await outbox.publish(trx, events, now);
    return userOf;
  }

  /**
   * Checks concurrent guesses in order, in one transaction that locks the codes. All results are stored before any
   * caller gets a reply. Only the first of several correct guesses succeeds.
   */
  const checkInBatch = createBatcher((guesses: readonly Guess[]) =>
    inTransaction(async (trx): Promise<(VerifiedGuess | ApiError)[]> => {
      await store.insertDecoys(
        trx,
        guesses.flatMap(({ decoy }) => decoy ?? []),
      );
      const locked = await store.lock(trx, [...new Set(guesses.map(({ maskId }) => maskId))]);
      const codes = [...locked.values()];
      const now = clock.now();
      const results = guesses.map((guess) => check(guess, locked, now));
      const endedMessages = await store.save(trx, codes, now);
      const withResult = (result: 'verified' | 'repeated') =>
        new Set(guesses.flatMap(({ maskId }, n) => (results[n] === result ? locked.get(maskId)! : [])));
      const verified = withResult('verified');
      const repeated = withResult('repeated');
      for (const code of verified) repeated.delete(code);
      const entered = { verified: [...verified], repeated: [...repeated] };
      const userOf = await storeEntered(trx, codes, entered, endedMessages, now);
      return results.map((result, n) => {
        if (result instanceof ApiError) return result;
        const { maskId } = guesses[n]!;
        const code = locked.get(maskId)!;
        const repeats = result === 'repeated';
        return { ...userOf.get(maskId)!, code, verifiedAt: code.verifiedAt!, repeated: repeats };
      });
    }),
  );

  /** Finds the code before the transaction starts, so that the transaction's first statement locks it. */
  async function codeOf(
    application: Application,
    { maskId, to, authWay }: Omit<VerifyRequest, 'otp'>,
    { idempotencyKey }: VerifyOptions,
  ): Promise<Pick<Guess, 'maskId' | 'decoy'>> {
    if (maskId !== undefined) return { maskId: maskId.toLowerCase() };
    if (to === undefined)
      throw new ApiError('MISSING_PARAMETERS', { field: 'maskId', values: { field: 'maskId or to' } });
    const now = clock.now();
    // The decoy is stored even if the recipient has an open code, so that response time does not reveal
    // whether a code was sent.
    const recipient = recipientLookup(application, to);
    const decoy = decoyCode(keyring, application, recipient, now);
    const open = await store.openMaskId(application.id, recipient, {
      channel: authWay === undefined ? undefined : channelOf(authWay),
      repeatableBy: idempotencyKey === undefined ? [] : keyring.macs(PURPOSE, ofKey(application, idempotencyKey)),
      now,
    });
    return { maskId: open ?? decoy.maskId, decoy };
  }

  /**
   * Verifies a code and returns a session token; throws an {@link ApiError} when the code is rejected. A caller that
   * repeats a successful verification with the same Idempotency-Key gets the same token again.
   */
  async function verify(
    application: Application,
    request: VerifyRequest,
    options: VerifyOptions = {},
  ): Promise<Verification> {
    const { maskId, decoy } = await codeOf(application, request, options);
    const guess = { application, maskId, otp: request.otp, options, decoy };
    // Fetches the key first. If this fails, the code stays valid.
    const key = await sessions.signingKey();
    const result = isHexId(maskId) ? await checkInBatch(guess) : check(guess, new Map(), clock.now());
    if (result instanceof ApiError) throw result;
    const { user, channel, code, verifiedAt, repeated } = result as VerifiedGuess;
    if (!repeated && !code.cooldownEnded) await endCooldown(code);
    const token = sessions.issue(key, application, user, channel, { id: maskId, at: verifiedAt });
    return { maskId, token, repeated };
  }

  /**
   * Allows the caller to repeat a verification for a minute, after the connection was closed before the reply was sent.
   * Changes nothing if the verification had an Idempotency-Key, which already allows this.
   */
  const replyLost = (application: Application, maskId: string, source: string): Promise<void> =>
    store.setRepeatableBy(maskId, keyring.mac(PURPOSE, ofSource(application, source)));

  return { verify, replyLost };
}
