/** Twilio's status call-backs: where they go, whether they are Twilio's, and what they tell. */
import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';

type Told = 'sent' | 'delivered' | 'undelivered';
type Form = Readonly<Record<string, string>>;

export interface TwilioCallbacks {
  /** Whether Twilio signed this form for the message's own address; compared in constant time. */
  isSigned(messageId: string, form: Form, signature: string | undefined): boolean;
  /** What a form tells of a message or call; undefined where it tells nothing that is known. */
  reportIn(form: Form): { readonly providerId: string; readonly told: Told } | undefined;
}

/** Where Twilio reports on a message. The address names the message, so that the signature covers which one it is. */
export const callbackUrl = (baseUrl: string, messageId: string): string => `${baseUrl}/callbacks/twilio/${messageId}`;

/** Of messages, then of calls. A step on the way tells that Twilio has it. */
const STATUSES: ReadonlyMap<string | undefined, Told> = new Map([
  ['accepted', 'sent'],
  ['queued', 'sent'],
  ['sending', 'sent'],
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['undelivered', 'undelivered'],
  ['failed', 'undelivered'],
  ['canceled', 'undelivered'],
  ['initiated', 'sent'],
  ['ringing', 'sent'],
  ['in-progress', 'sent'],
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
      const told = STATUSES.get(form.MessageStatus ?? form.CallStatus);
      return providerId && told ? { providerId, told } : undefined;
    },
  };
}
