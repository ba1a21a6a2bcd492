/**
 * Emails that notify people of sign-ins to their account, and of changes to their sign-in methods, role or membership.
 */
import { DAY, type Clock } from '../../platform/clock.js';
import { random } from '../../platform/crypto.js';
import { describeError, type Log } from '../../platform/log.js';
import type { Provider } from '../../providers/provider.js';
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
  | { readonly kind: 'role changed'; readonly by: string; readonly role: string }
  | { readonly kind: 'removed'; readonly by: string };

const CHANGE_ADVICE =
  'If this was not you, sign in to the dashboard, choose "Sign out everywhere" on your account page, check your passkeys and your authenticator, and contact the operator of this server.';

function textsOf(notice: SecurityNotice): { title: string; text: string; advice: string } {
  switch (notice.kind) {
    case 'signed in':
      return {
        title: 'New sign-in to the Passbell dashboard',
        text: `Someone signed in with your email address from a new browser. Method: ${notice.method}. Network address: ${notice.source}.`,
        advice: CHANGE_ADVICE,
      };
    case 'wrong codes':
      return {
        title: 'Incorrect sign-in codes for your email address',
        text: `Someone tried to sign in to the Passbell dashboard with your email address and entered several incorrect codes. They were not signed in. Network address: ${notice.source}.`,
        advice:
          'No action is needed. Never share your codes with anyone. To sign in without codes, add a passkey on your account page.',
      };
    case 'wrong second factor':
      return {
        title: 'Someone may be able to read your email',
        text: `Someone entered the correct code that we emailed you to sign in to the Passbell dashboard, but then an incorrect authenticator code. They were not signed in. Network address: ${notice.source}.`,
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
    case 'role changed':
      return {
        title: 'Your role in the Passbell dashboard was changed',
        text: `${notice.by} changed your role to ${notice.role}.`,
        advice: 'If you did not expect this, contact an owner of your account.',
      };
    case 'removed':
      return {
        title: 'You were removed from a Passbell account',
        text: `${notice.by} removed you from the account. You have been signed out of it everywhere.`,
        advice: 'If you did not expect this, contact an owner of the account.',
      };
  }
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

  /** Enqueues an email. Logs errors instead of throwing them, because the reported event has already happened. */
  async function send(email: string, notice: SecurityNotice): Promise<void> {
    if (!emailProvider()) return;
    await accept(email, notice).catch((error: unknown) =>
      log.error({ err: describeError(error), notice: notice.kind }, 'could not enqueue a security notice'),
    );
  }

  return { send };
}
