/**
 * Sign-in to the dashboard: an emailed code, then an authenticator code if the person uses one. A sign-in link replaces
 * the emailed code, and a passkey replaces both. Replies do not reveal whether an address may sign in: every address
 * gets a code with the same limits, and the code is sent after the reply, if someone with this address may sign in.
 */
import { ApiError } from '../../platform/contract/errors.js';
import type { BackgroundWork } from '../../platform/background.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { Provider } from '../../providers/provider.js';
import type { Application } from '../applications/application.js';
import type { OtpService } from '../otp/index.js';
import type { DashboardApplication } from './dashboard-application.js';
import type { EmailCheck } from './email-check.js';
import type { PasskeyResponse, PasskeySite } from './passkey.js';
import type { Passkeys } from './passkeys.js';
import type { PeopleService } from './people-service.js';
import type { PersonSecondFactor } from './person-second-factor.js';
import type { PersonSessions } from './person-sessions.js';
import { mailboxOf, type Person } from './person.js';
import type { SecurityNotices } from './security-notices.js';
import { codeRules, guessRules, type SignInAttempt } from './sign-in-limits.js';
import type { SignInEvent, SignInLog } from './sign-in-log.js';

export const CODE_MINUTES = 10;

export type SignIn = ReturnType<typeof createSignIn>;

interface Dependencies {
  readonly people: PeopleService;
  readonly sessions: PersonSessions;
  readonly secondFactor: PersonSecondFactor;
  readonly passkeys: Passkeys;
  readonly dashboardApplication: DashboardApplication;
  readonly otp: OtpService;
  readonly limiter: Limiter;
  readonly background: BackgroundWork;
  /** The provider that sends sign-in codes; undefined if Passbell cannot send email. */
  readonly emailProvider: () => Provider | undefined;
  readonly signInLog: SignInLog;
  readonly notices: SecurityNotices;
  /** Returns true if the mail server does not respond, or rejects the credentials. */
  readonly isEmailDown: EmailCheck;
}

export interface CodeRequest extends SignInAttempt {
  readonly invitation: string | undefined;
  /** The phone number or email address for the code of the first run, which is sent only while nobody can sign in. */
  readonly firstRunTo?: string | undefined;
  readonly requestId: string;
}

/** A code that is sent only if someone with the email address may sign in. */
export interface RequestedCode {
  readonly maskId: string;
  /** Sends the code in the background. Must be called after the reply, whose time would otherwise reveal who may sign in. */
  send(): void;
}

const codeRequest = (to: string) =>
  ({ to, authWay: to.includes('@') ? 'EMAIL' : 'SMS', otpLength: 6, expiry: CODE_MINUTES }) as const;

const withoutTestRecipients = (application: Application): Application => ({
  ...application,
  settings: { ...application.settings, testRecipients: {} },
});

export function createSignIn(dependencies: Dependencies) {
  const { people, sessions, secondFactor, passkeys, dashboardApplication, otp, limiter, background } = dependencies;
  const { emailProvider, signInLog, notices, isEmailDown } = dependencies;

  async function maySignIn(email: string, invitation: string | undefined): Promise<boolean> {
    const isKnown = (await people.withEmail(email)).length > 0;
    const invited = invitation === undefined ? undefined : await people.findInvitation(invitation);
    return isKnown || (invited !== undefined && (invited.email ?? email) === email);
  }

  async function prepareCode(email: string, requestId: string, to = email) {
    // Without this check, the code could be delivered to the dev inbox, which other people may be able to read.
    if (!emailProvider()) throw new ApiError('CHANNEL_NOT_CONFIGURED', { values: { channel: 'EMAIL' } });
    const application = withoutTestRecipients(await dashboardApplication());
    // Limits apply to the exact address, because addresses with different plus-tags belong to different people here.
    return otp.prepare(application, codeRequest(to), { requestId, limitKey: email });
  }

  /** Sends a code to a dashboard user. Returns its `maskId`. */
  async function sendCodeTo(email: string, requestId: string): Promise<string> {
    const { maskId, sendMessage } = await prepareCode(email, requestId);
    await sendMessage();
    return maskId;
  }

  /** Prepares a code for any address. Does not look up whether someone with this address may sign in. */
  async function requestCode({ invitation, firstRunTo, requestId, ...attempt }: CodeRequest): Promise<RequestedCode> {
    const { email } = attempt;
    if (!mailboxOf(email)) throw new ApiError('INVALID_RECIPIENT');
    await limiter.take(codeRules(attempt));
    const { maskId, sendMessage } = await prepareCode(email, requestId, firstRunTo);
    const isAllowed = () => (firstRunTo === undefined ? maySignIn(email, invitation) : people.hasNobody());
    const sendIfKnown = async () => (await isAllowed()) && sendMessage();
    return { maskId, send: () => background.run('sign-in code', sendIfKnown) };
  }

  async function checkCode(maskId: string, code: string): Promise<void> {
    await otp.verify(await dashboardApplication(), { maskId, otp: code });
  }

  async function verifyCode(attempt: SignInAttempt, maskId: string, code: string): Promise<void> {
    await limiter.take(guessRules(attempt));
    await checkCode(maskId, code).catch((error: unknown) => {
      const { email, source } = attempt;
      if (error instanceof ApiError && error.code === 'INVALID_OTP')
        signInLog.reportFailure(email, { method: 'emailed code', source });
      throw error;
    });
  }

  /** Throws unless `code` is a valid authenticator code or an unused recovery code. */
  async function verifySecondFactor(attempt: SignInAttempt, code: string): Promise<void> {
    const { email, source } = attempt;
    await limiter.take(guessRules(attempt));
    await secondFactor.verifyFor(email, `sign-in ${source}`, code).catch((error: unknown) => {
      if (error instanceof ApiError)
        signInLog.reportFailure(email, { method: 'authenticator', source }, { afterCode: true });
      throw error;
    });
  }

  /**
   * Returns the passkey's owner; undefined if the passkey is rejected. Not rate-limited: a signature cannot be guessed,
   * and a limit would let someone on the same network lock the person out.
   */
  async function personByPasskey(
    holder: string,
    site: PasskeySite,
    response: PasskeyResponse,
  ): Promise<Person | undefined> {
    const email = await passkeys.verify(holder, site, response);
    return email === undefined ? undefined : (await people.withEmail(email))[0];
  }

  /**
   * Returns the person to sign in after their address was verified: with an invitation, the person who joins its
   * account; otherwise, the address's most recently seen person. Returns undefined if there is no person or the
   * invitation is not valid.
   */
  async function personOf(email: string, invitation: string | undefined): Promise<Person | undefined> {
    return invitation === undefined ? (await people.withEmail(email))[0] : people.join(invitation, email);
  }

  /**
   * Returns the person to sign in with a sign-in link. Accepts the account's invitation if the address has not joined
   * the account. Returns undefined if there is no invitation either.
   */
  async function personOfLink(email: string, accountId: number): Promise<Person | undefined> {
    const joined = (await people.withEmail(email)).find((person) => person.accountId === accountId);
    return joined ?? people.joinInvited(email, accountId);
  }

  /** Signs a person in. Returns the session token. */
  async function open(
    person: Person,
    event: SignInEvent & { readonly isKnownBrowser: boolean },
    browser: string,
  ): Promise<string> {
    const token = await sessions.open(person, browser, (trx) => signInLog.recordSuccess(trx, person, event));
    const isFirst = person.lastSeenAt === null;
    const { method, source } = event;
    if (!event.isKnownBrowser && !isFirst) await notices.send(person.email, { kind: 'signed in', method, source });
    return token;
  }

  return {
    emailProvider,
    isEmailDown,
    requestCode,
    sendCodeTo,
    checkCode,
    verifyCode,
    verifySecondFactor,
    personByPasskey,
    personOf,
    personOfLink,
    open,
    needsSecondFactor: secondFactor.isOnFor,
  };
}
