import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import type { ReportedState } from './provider.js';

type Form = Readonly<Record<string, string>>;

export type TwilioCallbacks = ReturnType<typeof createTwilioCallbacks>;

/** The URL contains the message id, so that the signature covers it. */
export const callbackUrl = (baseUrl: string, messageId: string): string => `${baseUrl}/callbacks/twilio/${messageId}`;

/** Statuses of messages and calls by reported state. Intermediate ones count as sent: Twilio has accepted the message. */
const STATUSES: Readonly<Record<ReportedState, readonly string[]>> = {
  sent: ['accepted', 'queued', 'sending', 'sent', 'initiated', 'ringing', 'in-progress'],
  delivered: ['delivered', 'read', 'completed'],
  undelivered: ['undelivered', 'failed', 'canceled', 'busy', 'no-answer'],
};
const STATES = Object.keys(STATUSES) as ReportedState[];

/** `baseUrl` is the public URL of the service, as Twilio calls it. The request's Host header is not trusted. */
export function createTwilioCallbacks(baseUrl: string, authToken: string) {
  return {
    /** Whether Twilio signed this form for the message's callback URL. Takes constant time. */
    isSigned: (messageId: string, form: Form, signature = ''): boolean =>
      /^[0-9a-f]{32}$/.test(messageId) && validateRequest(authToken, signature, callbackUrl(baseUrl, messageId), form),
    parseReport(form: Form): { readonly providerId: string; readonly reportedState: ReportedState } | undefined {
      const providerId = form.MessageSid ?? form.CallSid;
      const status = form.MessageStatus ?? form.CallStatus ?? '';
      const reportedState = STATES.find((state) => STATUSES[state].includes(status));
      return providerId && reportedState ? { providerId, reportedState } : undefined;
    },
  };
}
