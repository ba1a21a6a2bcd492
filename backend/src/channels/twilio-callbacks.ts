/** Twilio's status call-backs: where they go, whether they are Twilio's, and what they tell. */
import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';

type Form = Readonly<Record<string, string>>;

export interface TwilioCallbacks {
  /** Whether Twilio signed this form for the message's own address; compared in constant time. */
  isSigned(messageId: string, form: Form, signature: string | undefined): boolean;
  /** What a form tells of the end of a message or call; undefined while it has none. */
  reportIn(form: Form): { readonly providerId: string; readonly report: 'delivered' | 'undelivered' } | undefined;
}

/** Where Twilio reports on a message. The address names the message, so that the signature covers which one it is. */
export const callbackUrl = (baseUrl: string, messageId: string): string => `${baseUrl}/callbacks/twilio/${messageId}`;

/** Of messages, then of calls. Steps on the way, such as `sent` or `ringing`, are not the end. */
const REPORTS: ReadonlyMap<string | undefined, 'delivered' | 'undelivered'> = new Map([
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['undelivered', 'undelivered'],
  ['failed', 'undelivered'],
  ['canceled', 'undelivered'],
  ['completed', 'delivered'],
  ['busy', 'undelivered'],
  ['no-answer', 'undelivered'],
]);

export function createTwilioCallbacks({
  baseUrl,
  authToken,
}: {
  /** The service's address as Twilio calls it: the request's own Host header can say anything. */
  readonly baseUrl: string;
  readonly authToken: string;
}): TwilioCallbacks {
  return {
    isSigned: (messageId, form, signature = '') =>
      /^[0-9a-f]{32}$/.test(messageId) && validateRequest(authToken, signature, callbackUrl(baseUrl, messageId), form),
    reportIn(form) {
      const providerId = form.MessageSid ?? form.CallSid;
      const report = REPORTS.get(form.MessageStatus ?? form.CallStatus);
      return providerId && report ? { providerId, report } : undefined;
    },
  };
}
