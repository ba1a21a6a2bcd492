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

/** The kinds of notices, with the values that their texts contain. */
interface Notices {
  readonly 'signed in': { method: string; source: string };
  readonly 'wrong codes': { source: string };
  readonly 'wrong second factor': { source: string };
  readonly 'sign-in link created': object;
  readonly 'passkey added': { name: string };
  readonly 'passkey removed': { name: string };
  readonly 'authenticator on': object;
  readonly 'authenticator off': object;
  readonly 'authenticator reset': { by: string };
  readonly 'role changed': { by: string; role: string };
  readonly removed: { by: string };
  readonly 'owner invited': { by: string; email: string };
  readonly 'owner changed': { by: string; email: string; role: string };
  readonly 'owner removed': { by: string; email: string };
  readonly invited: { by: string; role: string; link: string };
}

export type SecurityNotice = { [K in keyof Notices]: { readonly kind: K } & Readonly<Notices[K]> }[keyof Notices];

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
  'If this was not you, sign in to the dashboard, choose “Sign out everywhere” in your profile, check your passkeys and your authenticator, and contact the operator of this server.';

const ROLE_NAMES: Readonly<Record<string, string>> = { owner: 'an owner', member: 'a member', viewer: 'a viewer' };

const TEXTS: { readonly [K in keyof Notices]: (values: Readonly<Notices[K]>) => NoticeTexts } = {
  'signed in': ({ method, source }) => ({
    title: 'New sign-in to the Passbell dashboard',
    text: `Someone signed in with your email address from a new browser. Method: ${method}. IP address: ${source}.`,
    advice: CHANGE_ADVICE,
  }),
  'wrong codes': ({ source }) => ({
    title: 'Incorrect sign-in codes for your email address',
    text: `Someone tried to sign in to the Passbell dashboard with your email address and entered several incorrect codes. They were not signed in. IP address: ${source}.`,
    advice:
      'No action is needed. Never share your codes with anyone. To sign in without codes, add a passkey in your profile.',
  }),
  'wrong second factor': ({ source }) => ({
    title: 'Someone may be able to read your email',
    text: `Someone entered the sign-in code that we emailed you, or opened your sign-in link, and then entered a wrong authenticator code. They were not signed in to the Passbell dashboard. IP address: ${source}.`,
    advice: 'If this was not you, change the password of your mailbox.',
  }),
  'sign-in link created': () => ({
    title: 'A sign-in link for the Passbell dashboard was created for you',
    text: 'The operator of this server created a link that signs you in with your email address. It works once and expires in 15 minutes.',
    advice: 'If you did not request this link, contact the operator of this server.',
  }),
  'passkey added': ({ name }) => ({
    title: 'A passkey was added to your Passbell sign-in',
    text: `The passkey “${name}” can now be used to sign in with your email address.`,
    advice: CHANGE_ADVICE,
  }),
  'passkey removed': ({ name }) => ({
    title: 'A passkey was removed from your Passbell sign-in',
    text: `The passkey “${name}” can no longer be used to sign in with your email address.`,
    advice: CHANGE_ADVICE,
  }),
  'authenticator on': () => ({
    title: 'Your authenticator was turned on for the Passbell dashboard',
    text: 'Signing in with an emailed code now also requires a code from your authenticator app.',
    advice: CHANGE_ADVICE,
  }),
  'authenticator off': () => ({
    title: 'Your authenticator was turned off for the Passbell dashboard',
    text: 'Signing in now requires only an emailed code or a passkey.',
    advice: CHANGE_ADVICE,
  }),
  'authenticator reset': ({ by }) => ({
    title: 'Your authenticator was turned off for the Passbell dashboard',
    text: `${nameOf(by)} turned off your authenticator. Signing in now requires only an emailed code or a passkey.`,
    advice: CHANGE_ADVICE,
  }),
  'role changed': ({ by, role }) => ({
    title: 'Your role in the Passbell dashboard was changed',
    text: `${nameOf(by)} changed your role to ${role}.`,
    advice: 'If you did not expect this, contact an owner of your account.',
  }),
  removed: ({ by }) => ({
    title: 'You were removed from a Passbell account',
    text: `${nameOf(by)} removed you from the account. You have been signed out of it everywhere.`,
    advice: 'If you did not expect this, contact an owner of the account.',
  }),
  'owner invited': ({ by, email }) => ({
    title: 'Someone was invited as an owner of your Passbell account',
    text: `${nameOf(by)} invited ${email} as an owner. Owners can do everything, including removing you.`,
    advice: OWNER_ADVICE,
  }),
  'owner changed': ({ by, email, role }) => ({
    title: 'The owners of your Passbell account have changed',
    text: `${nameOf(by)} changed the role of ${email} to ${role}.`,
    advice: OWNER_ADVICE,
  }),
  'owner removed': ({ by, email }) => ({
    title: 'The owners of your Passbell account have changed',
    text: `${nameOf(by)} removed the owner ${email}.`,
    advice: OWNER_ADVICE,
  }),
  invited: ({ by, role, link }) => ({
    title: 'You have been invited to a Passbell dashboard',
    text: `${nameOf(by)} invited you to an account as ${ROLE_NAMES[role] ?? role}. Open the link, and enter the code that we email you. The link is for your email address only, and expires in 7 days.`,
    advice: 'If you do not know the person who invited you, ignore this email.',
    link,
    linkLabel: 'Accept the invitation',
  }),
};

const textsOf = (notice: SecurityNotice): NoticeTexts =>
  (TEXTS[notice.kind] as (notice: SecurityNotice) => NoticeTexts)(notice);

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
    await messages.accept(noticeDraft(await dashboardApplication(), email, { ...textsOf(notice) }, clock.now()), [], 0);
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
