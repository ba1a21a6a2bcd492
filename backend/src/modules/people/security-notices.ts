/**
 * Emails that notify people of sign-ins to their account, and of changes to their sign-in methods, role or membership.
 */
import { DAY, type Clock } from '../../platform/clock.js';
import { random } from '../../platform/crypto.js';
import { describeError, type Log } from '../../platform/log.js';
import type { Provider } from '../../providers/provider.js';
import { OPERATOR } from '../access/actor.js';
import type { Application } from '../applications/application.js';
import { newMessageId, type MessageDraft } from '../messages/message.js';
import type { MessagesService } from '../messages/messages-service.js';
import { SECURITY_NOTICE } from '../templates/template.js';
import type { DashboardApplication } from './dashboard-application.js';

/** How long Passbell tries to send a notice while the mail server is unavailable. */
const NOTICE_RETRY_DAYS = 1;

export type SecurityNotice =
  | { readonly kind: 'signed in'; readonly method: string; readonly source: string }
  | { readonly kind: 'wrong codes'; readonly source: string }
  | { readonly kind: 'wrong second factor'; readonly source: string }
  | { readonly kind: 'sign-in link created' }
  | { readonly kind: 'passkey added' | 'passkey removed'; readonly name: string }
  | { readonly kind: 'authenticator on' | 'authenticator off' }
  | { readonly kind: 'authenticator reset'; readonly by: string }
  | { readonly kind: 'role changed'; readonly by: string; readonly role: string }
  | { readonly kind: 'removed'; readonly by: string }
  | { readonly kind: 'owner invited' | 'owner removed'; readonly by: string; readonly email: string }
  | { readonly kind: 'owner changed'; readonly by: string; readonly email: string; readonly role: string }
  | { readonly kind: 'invited'; readonly by: string; readonly role: string; readonly link: string };

interface NoticeTexts {
  readonly title: string;
  readonly text: string;
  readonly advice: string;
  /** Absolute URL of the button. */
  readonly link?: string;
  readonly linkLabel?: string;
}

const nameOf = (actor: string): string => (actor === OPERATOR.name ? 'The operator of this server' : actor);

const OWNER_ADVICE =
  'If you did not expect this, ask the person who made the change. On the People page, remove owners that you do not recognize.';

const CHANGE_ADVICE =
  'If this was not you, sign in to the dashboard, choose “Sign out everywhere” on your account page, check your passkeys and your authenticator, and contact the operator of this server.';

function signInTexts(notice: SecurityNotice): NoticeTexts | undefined {
  switch (notice.kind) {
    case 'signed in':
      return {
        title: 'New sign-in to the Passbell dashboard',
        text: `Someone signed in with your email address from a new browser. Method: ${notice.method}. IP address: ${notice.source}.`,
        advice: CHANGE_ADVICE,
      };
    case 'wrong codes':
      return {
        title: 'Incorrect sign-in codes for your email address',
        text: `Someone tried to sign in to the Passbell dashboard with your email address and entered several incorrect codes. They were not signed in. IP address: ${notice.source}.`,
        advice:
          'No action is needed. Never share your codes with anyone. To sign in without codes, add a passkey on your account page.',
      };
    case 'wrong second factor':
      return {
        title: 'Someone may be able to read your email',
        text: `Someone entered the correct code that we emailed you to sign in to the Passbell dashboard, but then an incorrect authenticator code. They were not signed in. IP address: ${notice.source}.`,
        advice: 'If this was not you, change the password of your mailbox.',
      };
    case 'sign-in link created':
      return {
        title: 'A sign-in link for the Passbell dashboard was created for you',
        text: 'The operator of this server created a link that signs you in with your email address. It works once and expires in 15 minutes.',
        advice: 'If you did not request this link, contact the operator of this server.',
      };
    case 'passkey added':
      return {
        title: 'A passkey was added to your Passbell sign-in',
        text: `The passkey "${notice.name}" can now be used to sign in with your email address.`,
        advice: CHANGE_ADVICE,
      };
    case 'passkey removed':
      return {
        title: 'A passkey was removed from your Passbell sign-in',
        text: `The passkey "${notice.name}" can no longer be used to sign in with your email address.`,
        advice: CHANGE_ADVICE,
      };
    case 'authenticator on':
      return {
        title: 'Your authenticator was turned on for the Passbell dashboard',
        text: 'Signing in with an emailed code now also requires a code from your authenticator app.',
        advice: CHANGE_ADVICE,
      };
    case 'authenticator off':
      return {
        title: 'Your authenticator was turned off for the Passbell dashboard',
        text: 'Signing in now requires only an emailed code or a passkey.',
        advice: CHANGE_ADVICE,
      };
    case 'authenticator reset':
      return {
        title: 'Your authenticator was turned off for the Passbell dashboard',
        text: `${nameOf(notice.by)} turned off your authenticator. Signing in now requires only an emailed code or a passkey.`,
        advice: CHANGE_ADVICE,
      };
    default:
      return undefined;
  }
}

function membershipTexts(notice: SecurityNotice): NoticeTexts | undefined {
  switch (notice.kind) {
    case 'role changed':
      return {
        title: 'Your role in the Passbell dashboard was changed',
        text: `${nameOf(notice.by)} changed your role to ${notice.role}.`,
        advice: 'If you did not expect this, contact an owner of your account.',
      };
    case 'removed':
      return {
        title: 'You were removed from a Passbell account',
        text: `${nameOf(notice.by)} removed you from the account. You have been signed out of it everywhere.`,
        advice: 'If you did not expect this, contact an owner of the account.',
      };
    case 'owner invited':
      return {
        title: 'Someone was invited as an owner of your Passbell account',
        text: `${nameOf(notice.by)} invited ${notice.email} as an owner. Owners can do everything, including removing you.`,
        advice: OWNER_ADVICE,
      };
    case 'owner changed':
      return {
        title: 'The owners of your Passbell account have changed',
        text: `${nameOf(notice.by)} changed the role of ${notice.email} to ${notice.role}.`,
        advice: OWNER_ADVICE,
      };
    case 'owner removed':
      return {
        title: 'The owners of your Passbell account have changed',
        text: `${nameOf(notice.by)} removed the owner ${notice.email}.`,
        advice: OWNER_ADVICE,
      };
    case 'invited':
      return {
        title: 'You have been invited to a Passbell dashboard',
        text: `${nameOf(notice.by)} invited you to an account as ${ROLE_NAMES[notice.role] ?? notice.role}. Open the link, and enter the code that we email you. The link is for your email address only, and expires in 7 days.`,
        advice: 'If you do not know the person who invited you, ignore this email.',
        link: notice.link,
        linkLabel: 'Accept the invitation',
      };
    default:
      return undefined;
  }
}

const ROLE_NAMES: Readonly<Record<string, string>> = { owner: 'an owner', member: 'a member', viewer: 'a viewer' };

function textsOf(notice: SecurityNotice): Readonly<Record<string, string>> {
  const texts = signInTexts(notice) ?? membershipTexts(notice);
  if (!texts) throw new Error(`a notice without a text: ${notice.kind}`);
  return { ...texts };
}

/** Returns the draft of an email from the dashboard application. `texts` contains the template's variables. */
export function noticeDraft(
  { id: applicationId, name: application }: Pick<Application, 'id' | 'name'>,
  email: string,
  texts: Readonly<Record<string, string>>,
  now: number,
): MessageDraft {
  const draft = { id: newMessageId(), maskId: random.hex(16), applicationId, template: SECURITY_NOTICE };
  const request = { recipient: email, plan: ['EMAIL'] as const, requestId: random.hex(16) };
  return { ...draft, ...request, expiresAt: now + NOTICE_RETRY_DAYS * DAY, variables: { ...texts, application } };
}

export type SecurityNotices = ReturnType<typeof createSecurityNotices>;

export function createSecurityNotices(
  dashboardApplication: DashboardApplication,
  messages: MessagesService,
  emailProvider: () => Provider | undefined,
  clock: Clock,
  log: Log,
) {
  async function accept(email: string, notice: SecurityNotice): Promise<void> {
    await messages.accept(noticeDraft(await dashboardApplication(), email, textsOf(notice), clock.now()), [], 0);
  }

  /**
   * Enqueues an email. Logs errors instead of throwing them, because the reported event has already happened. Returns
   * whether the email was enqueued.
   */
  async function send(email: string, notice: SecurityNotice): Promise<boolean> {
    if (!emailProvider()) return false;
    return accept(email, notice).then(
      () => true,
      (error: unknown) => {
        log.error({ err: describeError(error), notice: notice.kind }, 'could not enqueue a security notice');
        return false;
      },
    );
  }

  return { send };
}
