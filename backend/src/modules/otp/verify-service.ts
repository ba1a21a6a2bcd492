/** Verifies one-time passcodes. */
import type { Clock } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import { writeAll } from '../../platform/db/transaction.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { components } from '../../platform/contract/generated/api.js';
import { createGroup } from '../../platform/batch.js';
import type { Application } from '../applications/application.js';
import type { SessionsService } from '../sessions/sessions-service.js';
import type { Announcements } from '../webhooks/announcements.js';
import { codePurpose } from './code.js';
import { countWrong, refusalOf } from './judge.js';
import type { HeldSession, OtpStore } from './otp-store.js';
import type { Proof, ProofsOf } from './proofs.js';

type Schemas = components['schemas'];

export interface VerifyDependencies {
  readonly store: OtpStore;
  readonly proofsOf: ProofsOf;
  readonly announcements: Announcements;
  readonly sessions: SessionsService;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/** Verifies a code and answers a session token; throws the refusal. */
export type VerifyOtp = (
  application: Application,
  request: Schemas['VerifyOtpRequest'],
) => Promise<Schemas['SessionToken']>;

/** A code for a session. */
interface Guess {
  readonly application: Application;
  readonly maskId: string;
  /** A number when it came as one: a spreadsheet drops its leading zeros. */
  readonly code: string | number;
  /** Webhooks that hear of it when it is right. */
  readonly told: readonly number[];
}

const MASK_ID = /^[0-9a-f]{32}$/;

/** Hash that no code has; it is compared with where there is no session, so that both take as long. */
const NO_HASH = '-.-';

export function createVerifyOtp({
  store,
  proofsOf,
  announcements,
  sessions,
  keyring,
  clock,
}: VerifyDependencies): VerifyOtp {
  function matches(session: HeldSession | undefined, { maskId, code }: Pick<Guess, 'maskId' | 'code'>): boolean {
    const digits = typeof code === 'number' ? String(code).padStart(session?.codeLength ?? 0, '0') : code;
    return keyring.macMatches(session?.codeHash ?? NO_HASH, codePurpose(maskId), digits);
  }

  /** The refusal of a guess; undefined when it is right, and then its session is verified. */
  function judge(guess: Guess, held: ReadonlyMap<string, HeldSession>, now: number): ApiError | undefined {
    const found = held.get(guess.maskId);
    const session = found?.applicationId === guess.application.id ? found : undefined;
    const right = matches(session, guess);
    const refusal = refusalOf(session, now);
    if (refusal || !session) return refusal;
    if (!right) {
      countWrong(session, guess.application.settings.limits, now);
      return new ApiError('INVALID_OTP');
    }
    for (const other of held.values())
      if (
        other.recipient === session.recipient &&
        other.applicationId === session.applicationId &&
        other.state === 'live'
      )
        other.state = 'ended';
    session.state = 'verified';
    session.changed = true;
    return undefined;
  }

  /**
   * Guesses that come at one time share a transaction, which holds their sessions: each is judged by what all before it
   * have left, is stored before anybody is told, and of any number of right ones the first wins.
   */
  const judgeTogether = createGroup((guesses: readonly Guess[]) =>
    store.transaction(async (trx): Promise<(Proof | ApiError)[]> => {
      const held = await store.hold(trx, [...new Set(guesses.map(({ maskId }) => maskId))]);
      const now = clock.now();
      const refusals = guesses.map((guess) => judge(guess, held, now));
      await store.save(trx, [...held.values()], now);
      const right = guesses.filter((_guess, n) => !refusals[n]);
      const won = right.map(({ maskId }) => held.get(maskId)!);
      const proofs = await proofsOf(trx, won);
      const events = won.flatMap(({ maskId, applicationId, recipient }, n) => {
        const { user, channel } = proofs[n]!;
        const verified = { maskId, applicationId, userId: user.userId, channel, recipient, verifiedAt: now };
        return announcements.ofVerified(verified, right[n]!.told);
      });
      await writeAll(trx, events);
      return refusals.map((refusal) => refusal ?? proofs.shift()!);
    }),
  );

  return async (application, request) => {
    const maskId = request.maskId.toLowerCase();
    const told = await announcements.toldOfVerified(application.id);
    const guess = { application, maskId, code: request.otp, told };
    // Whatever can fail comes before the code is used up.
    const key = await sessions.signingKey();
    const verdict = MASK_ID.test(maskId) ? await judgeTogether(guess) : judge(guess, new Map(), clock.now())!;
    if (verdict instanceof ApiError) throw verdict;
    return sessions.issue(key, application, verdict.user, verdict.channel);
  };
}
