/**
 * Sign-in to the dashboard: a code by email, then a code of the authenticator if the person uses one. Replies do not reveal
 * whether an address may sign in: other addresses get a decoy session, whose code no one knows, with the same limits.
 */
import type { ChannelName } from '../../platform/contract/channels.js';
import { ApiError } from '../../platform/contract/errors.js';
import { random, sha256 } from '../../platform/crypto.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { sendWindows, type Rule } from '../../platform/rate-limit/rule.js';
import type { Provider } from '../../providers/provider.js';
import type { Application } from '../applications/application.js';
import type { OtpService } from '../otp/index.js';
import type { TwoFactorService } from '../twofactor/index.js';
import { withoutUserTokenCheck, type DashboardApplication } from './dashboard-application.js';
import type { PeopleService } from './people-service.js';
import { mailboxOf, type Mailbox, type Person } from './person.js';

const CODE_MINUTES = 10;
const CODE_SPACING_SECONDS = [30, 60, 120] as const;
const CODES_PER_10_MINUTES = 5;
/** Higher than the default for recipients, so that requests for someone else's address do not easily lock it out. */
const CODES_PER_DAY = 50;
/** Per network address: enough for an office, too few to try a list of email addresses. */
const CODES_PER_HOUR_AND_SOURCE = 60;
const GUESSES_PER_MINUTE = 20;

export type SignIn = ReturnType<typeof createSignIn>;

interface Dependencies {
  readonly people: PeopleService;
  readonly dashboardApplication: DashboardApplication;
  readonly otp: OtpService;
  readonly twoFactor: TwoFactorService;
  readonly limiter: Limiter;
  readonly providers: ReadonlyMap<ChannelName, Provider>;
}

export interface RequestedCode {
  readonly email: string;
  readonly maskId: string;
}

export interface CodeRequest {
  readonly email: string;
  /** Token of the invitation, if the person opened its link. */
  readonly invitation: string | undefined;
  readonly source: string;
  readonly requestId: string;
}

function codeRules({ limitKey }: Mailbox, source: string): Rule[] {
  return [
    {
      key: `sign-in:${sha256(limitKey)}`,
      code: 'COOLDOWN',
      windows: sendWindows(CODES_PER_10_MINUTES, CODES_PER_DAY),
      spacingSeconds: CODE_SPACING_SECONDS,
      durable: true,
    },
    {
      key: `sign-in-from:${source}`,
      code: 'TOO_MANY_CALLS',
      windows: [{ limit: CODES_PER_HOUR_AND_SOURCE, seconds: 3600 }],
    },
  ];
}

function guessRule(source: string): Rule {
  const windows = [{ limit: GUESSES_PER_MINUTE, seconds: 60 }];
  return { key: `sign-in-guess:${source}`, code: 'TOO_MANY_CALLS', windows };
}

/** Makes the address a test recipient with a random code, so that the service creates a session but sends nothing. */
const withDecoySession = (application: Application, email: string): Application => ({
  ...application,
  settings: { ...application.settings, testRecipients: { [email]: random.hex(5) } },
});

export function createSignIn({ people, dashboardApplication, otp, twoFactor, limiter, providers }: Dependencies) {
  async function maySignIn(email: string, invitation: string | undefined): Promise<boolean> {
    const isKnown = (await people.withEmail(email)).length > 0;
    const invited = invitation === undefined ? undefined : await people.findInvitation(invitation);
    return isKnown || (invited !== undefined && (invited.email ?? email) === email);
  }

  const twoFactorCall = async (email: string, source: string) => ({
    application: withoutUserTokenCheck(await dashboardApplication()),
    identity: email,
    source,
  });

  /** The provider of sign-in codes; undefined if no email can be sent. */
  const emailProvider = (): Provider | undefined => providers.get('EMAIL');

  /** Sends a code if the address may sign in. The reply, and the time it takes, are the same if it may not. */
  async function requestCode({ email: typed, invitation, source, requestId }: CodeRequest): Promise<RequestedCode> {
    const mailbox = mailboxOf(typed);
    if (!mailbox) throw new ApiError('INVALID_RECIPIENT');
    const { email } = mailbox;
    await limiter.take(codeRules(mailbox, source));
    const application = await dashboardApplication();
    const reply = await otp.send(
      (await maySignIn(email, invitation))
        ? { ...application, settings: { ...application.settings, testRecipients: {} } }
        : withDecoySession(application, email),
      { to: email, authWay: 'EMAIL', otpLength: 6, expiry: CODE_MINUTES },
      { idempotencyKey: undefined, requestId, waitMs: 0 },
    );
    return { email, maskId: reply.data!.results[0]!.maskId };
  }

  async function verifyCode({ maskId }: RequestedCode, code: string, source: string): Promise<void> {
    await limiter.take([guessRule(source)]);
    await otp.verify(await dashboardApplication(), { maskId, otp: code });
  }

  const needsSecondFactor = async (email: string): Promise<boolean> => twoFactor.isOn(await twoFactorCall(email, ''));

  /** Throws unless it is a code of the person's authenticator or an unused recovery code. */
  async function verifySecondFactor(email: string, code: string, source: string): Promise<void> {
    await limiter.take([guessRule(source)]);
    await twoFactor.verify(await twoFactorCall(email, `sign-in ${source}`), { otp: code });
  }

  /**
   * The person who signs in with a verified address: a new one if there is an invitation, else the one who signed in last.
   * Undefined if there is none, or the invitation is not valid.
   */
  async function personOf(email: string, invitation: string | undefined): Promise<Person | undefined> {
    return invitation === undefined ? (await people.withEmail(email))[0] : people.join(invitation, email);
  }

  return { emailProvider, requestCode, verifyCode, needsSecondFactor, verifySecondFactor, personOf };
}
