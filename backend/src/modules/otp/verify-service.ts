/** Verifies one-time passcodes. */
import type { Knex } from 'knex';
import type { ChannelName } from '../../channels/channel.js';
import type { Clock } from '../../clock.js';
import type { Keyring } from '../../crypto.js';
import { ApiError } from '../../errors.js';
import type { components } from '../../generated/api.js';
import { createGroup } from '../../group.js';
import type { Application } from '../applications/application.js';
import type { MessagesService } from '../messages/messages-service.js';
import type { SessionsService } from '../sessions/sessions-service.js';
import type { User } from '../sessions/users-store.js';
import { codePurpose } from './code.js';
import { countWrong, refusalOf } from './judge.js';
import type { HeldSession, OtpSession, OtpStore } from './otp-store.js';

type Schemas = components['schemas'];

export interface VerifyDependencies {
  readonly store: OtpStore;
  readonly messages: MessagesService;
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
}

/** Who has proved an identity, and over which channel. */
interface Proof {
  readonly user: User;
  readonly channel: ChannelName;
}

const MASK_ID = /^[0-9a-f]{32}$/;

/** Hash that no code has; it is compared with where there is no session, so that both take as long. */
const NO_HASH = '-.-';

function identityOf({ applicationId, recipient }: OtpSession) {
  const identityType = recipient.startsWith('+') ? ('phone' as const) : ('email' as const);
  return { applicationId, identityType, identity: recipient, verified: true };
}

export function createVerifyOtp({ store, messages, sessions, keyring, clock }: VerifyDependencies): VerifyOtp {
  function matches(session: HeldSession | undefined, { maskId, code }: Guess): boolean {
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

  /** Who the winners are, found or made, in their order. */
  async function proofsOf(trx: Knex, winners: readonly HeldSession[]): Promise<Proof[]> {
    if (winners.length === 0) return [];
    const users = await sessions.findOrCreateUsers(trx, winners.map(identityOf), clock.now());
    const carried = await messages.carriersOf(
      trx,
      winners.flatMap(({ messageId }) => messageId ?? []),
    );
    return winners.map(({ messageId, channel }, n) => ({
      user: users[n]!,
      channel: carried.get(messageId ?? '') ?? channel,
    }));
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
      await store.save(trx, [...held.values()]);
      const won = guesses.filter((_guess, n) => !refusals[n]).map(({ maskId }) => held.get(maskId)!);
      const proofs = await proofsOf(trx, won);
      return refusals.map((refusal) => refusal ?? proofs.shift()!);
    }),
  );

  return async (application, request) => {
    const maskId = request.maskId.toLowerCase();
    const guess = { application, maskId, code: request.otp };
    // Whatever can fail comes before the code is used up.
    const key = await sessions.signingKey();
    const verdict = MASK_ID.test(maskId) ? await judgeTogether(guess) : judge(guess, new Map(), clock.now())!;
    if (verdict instanceof ApiError) throw verdict;
    return sessions.issue(key, application, verdict.user, verdict.channel);
  };
}
