/**
 * Signing in to the dashboard with what the service makes for others: a code by mail, then, where the person has turned it
 * on, a code of an authenticator. Whether an address may sign in shows in no reply: one that may not gets a session that
 * nobody knows the code of, with the same limits, locks and end.
 */
import type { Channel, ChannelName } from '../../providers/provider.js';
import { random, sha256 } from '../../platform/crypto.js';
import { ApiError } from '../../platform/contract/errors.js';
import {
  SIGN_IN_CODE_MINUTES,
  SIGN_IN_GUESSES_PER_MINUTE,
  SIGN_IN_PER_10_MINUTES,
  SIGN_IN_PER_DAY,
  SIGN_IN_PER_HOUR_AND_SOURCE,
  SIGN_IN_SPACING_SECONDS,
} from '../../platform/limits.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { sendWindows, type Rule } from '../../platform/rate-limit/rule.js';
import type { SendOtp } from '../otp/send-service.js';
import type { VerifyOtp } from '../otp/verify-service.js';
import type { TwoFactorService } from '../twofactor/twofactor-service.js';
import { mailboxOf, type Mailbox } from './mailbox.js';
import { trusted, type House } from './dashboard-application.js';
import type { PeopleService } from './people-service.js';
import type { Person } from './person.js';

export interface SignInDependencies {
  readonly people: PeopleService;
  readonly house: House;
  readonly sendOtp: SendOtp;
  readonly verifyOtp: VerifyOtp;
  readonly twoFactor: TwoFactorService;
  readonly limiter: Limiter;
  readonly channels: ReadonlyMap<ChannelName, Channel>;
}

export type SignInService = ReturnType<typeof createSignIn>;

/** Somebody who has asked for a code. */
export interface AskedFor {
  /** In lower case. */
  readonly email: string;
  readonly maskId: string;
}

export interface Ask {
  readonly email: string;
  /** What the link of an invitation holds, for who comes with one. */
  readonly invitation: string | undefined;
  /** Address that limits count. */
  readonly source: string;
  readonly requestId: string;
}

/** The longest code there is: 40 random bits, and nobody is told. */
const unknowable = (): string => random.hex(5);

function askRules({ limitKey }: Mailbox, source: string): Rule[] {
  return [
    {
      key: `sign-in:${sha256(limitKey)}`,
      code: 'COOLDOWN',
      windows: sendWindows(SIGN_IN_PER_10_MINUTES, SIGN_IN_PER_DAY),
      spacingSeconds: SIGN_IN_SPACING_SECONDS,
      durable: true,
    },
    {
      key: `sign-in-from:${source}`,
      code: 'TOO_MANY_CALLS',
      windows: [{ limit: SIGN_IN_PER_HOUR_AND_SOURCE, seconds: 3600 }],
    },
  ];
}

export function createSignIn(dependencies: SignInDependencies) {
  const { people, house, sendOtp, verifyOtp, twoFactor, limiter, channels } = dependencies;

  const countGuess = (source: string) =>
    limiter.take([
      {
        key: `sign-in-guess:${source}`,
        code: 'TOO_MANY_CALLS',
        windows: [{ limit: SIGN_IN_GUESSES_PER_MINUTE, seconds: 60 }],
      },
    ]);

  /** Whether a code may go to an address: to people, and to who holds an invitation that the address fits. */
  async function expects(email: string, invitation: string | undefined): Promise<boolean> {
    const known = (await people.withEmail(email)).length > 0;
    const invited = invitation === undefined ? undefined : await people.invitation(invitation);
    return known || (invited !== undefined && (invited.email ?? email) === email);
  }

  async function callOf(email: string, source: string) {
    return { application: trusted(await house()), identity: email, source };
  }

  return {
    /** How codes get to people here; undefined when no mail can be sent at all. */
    mail: (): Channel | undefined => channels.get('EMAIL'),

    /** Sends a code to the address if it may sign in; the reply is the same if not. Throws a limit's refusal. */
    async ask({ email: typed, invitation, source, requestId }: Ask): Promise<AskedFor> {
      const mailbox = mailboxOf(typed);
      if (!mailbox) throw new ApiError('INVALID_RECIPIENT');
      const { email } = mailbox;
      await limiter.take(askRules(mailbox, source));
      const application = await house();
      const expected = await expects(email, invitation);
      const testRecipients = expected ? {} : { [email]: unknowable() };
      const reply = await sendOtp(
        { ...application, settings: { ...application.settings, testRecipients } },
        { to: email, authWay: 'EMAIL', otpLength: 6, expiry: SIGN_IN_CODE_MINUTES },
        { idempotencyKey: undefined, requestId },
      );
      return { email, maskId: reply.data!.results[0]!.maskId };
    },

    /** Throws unless the code is the one that was sent. */
    async prove({ maskId }: AskedFor, code: string, source: string): Promise<void> {
      await countGuess(source);
      await verifyOtp(await house(), { maskId, otp: code });
    },

    /** Whether a code of an authenticator is needed as well. */
    needsFactor: async (email: string): Promise<boolean> => twoFactor.isOn(await callOf(email, '')),

    /** Throws unless it is a code of the person's authenticator, or a recovery code that was not used. */
    async proveFactor(email: string, code: string, source: string): Promise<void> {
      await countGuess(source);
      await twoFactor.verify(await callOf(email, `sign-in ${source}`), { otp: code });
    },

    /**
     * Who somebody is that has proved to hold the address: the one that the invitation makes of them, else the person who
     * signed in last. Undefined when there is nobody, or the invitation is no longer good.
     */
    async person(email: string, invitation: string | undefined): Promise<Person | undefined> {
      if (invitation !== undefined) return people.accept(invitation, email);
      return (await people.withEmail(email))[0];
    },
  };
}
