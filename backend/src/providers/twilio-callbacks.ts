import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import type { Keyring } from '../platform/crypto.js';
import type { ReportedState } from './provider.js';
import { speechScript, type Speech } from './twilio-speech.js';

type Form = Readonly<Record<string, string>>;

export type TwilioCallbacks = ReturnType<typeof createTwilioCallbacks>;

/** The URL contains the message id, so that the signature covers it. */
export const callbackUrl = (baseUrl: string, messageId: string): string => `${baseUrl}/callbacks/twilio/${messageId}`;

/**
 * The URL contains the sealed content, because the stored message no longer has it once Twilio has accepted the call.
 */
export const speechUrl = (baseUrl: string, messageId: string, sealed: string): string =>
  `${callbackUrl(baseUrl, messageId)}/speech?content=${sealed}`;

const speechContext = (messageId: string): string => `speech:${messageId}`;

export const sealSpeech = (keyring: Keyring, messageId: string, speech: Speech): string =>
  keyring.seal(speechContext(messageId), JSON.stringify(speech));

/** Statuses of messages and calls by reported state. Intermediate ones count as sent: Twilio has accepted the message. */
const STATUSES: Readonly<Record<ReportedState, readonly string[]>> = {
  sent: ['accepted', 'queued', 'sending', 'sent', 'initiated', 'ringing', 'in-progress'],
  delivered: ['delivered', 'read', 'completed'],
  undelivered: ['undelivered', 'failed', 'canceled', 'busy', 'no-answer'],
};
const STATES = Object.keys(STATUSES) as ReportedState[];

/** `baseUrl` is the public URL of the service, as Twilio calls it. The request's Host header is not trusted. */
export function createTwilioCallbacks(baseUrl: string, authToken: string, keyring: Keyring) {
  const isSigned = (messageId: string, url: string, form: Form, signature: string): boolean =>
    /^[0-9a-f]{32}$/.test(messageId) && validateRequest(authToken, signature, url, form);

  return {
    /** Whether Twilio signed this form for the message's callback URL. Takes constant time. */
    isSignedReport: (messageId: string, form: Form, signature = ''): boolean =>
      isSigned(messageId, callbackUrl(baseUrl, messageId), form, signature),
    /** Returns the script for the rest of a call after a key press, or undefined if Twilio did not sign the request. */
    async speech(messageId: string, sealed: string, form: Form, signature = ''): Promise<string | undefined> {
      if (!isSigned(messageId, speechUrl(baseUrl, messageId, sealed), form, signature)) return undefined;
      return speechScript(JSON.parse(keyring.open(speechContext(messageId), sealed)) as Speech);
    },
    parseReport(form: Form): { readonly providerId: string; readonly reportedState: ReportedState } | undefined {
      const providerId = form.MessageSid ?? form.CallSid;
      const status = form.MessageStatus ?? form.CallStatus ?? '';
      const reportedState = STATES.find((state) => STATUSES[state].includes(status));
      return providerId && reportedState ? { providerId, reportedState } : undefined;
    },
  };
}
