import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import type { Keyring } from '../platform/crypto.js';
import type { ReportedState } from './provider.js';
import { speechScript, type Speech } from './twilio-speech.js';

type CallbackForm = Readonly<Record<string, string>>;

export type TwilioCallbacks = ReturnType<typeof createTwilioCallbacks>;

/** Returns the URL for Twilio's requests about a message, with an optional last path segment. */
export type CallbackUrlFor = (messageId: string, path?: string) => string;

/**
 * Returns the URL of the script that Twilio runs after the key press in a call. The URL contains the sealed content,
 * because the stored content is deleted once Twilio has accepted the call.
 */
export function speechUrl(urlFor: CallbackUrlFor, messageId: string, sealed: string): string {
  const url = urlFor(messageId, 'speech');
  return `${url}${url.includes('?') ? '&' : '?'}content=${sealed}`;
}

const speechContext = (messageId: string): string => `speech:${messageId}`;

export const sealSpeech = (keyring: Keyring, messageId: string, speech: Speech): string =>
  keyring.seal(speechContext(messageId), JSON.stringify(speech));

/** Twilio's message and call statuses by reported state. Intermediate statuses count as `sent`. */
const TWILIO_STATUSES: Readonly<Record<ReportedState, readonly string[]>> = {
  sent: ['accepted', 'queued', 'sending', 'sent', 'initiated', 'ringing', 'in-progress'],
  delivered: ['delivered', 'read', 'completed'],
  undelivered: ['undelivered', 'failed', 'canceled', 'busy', 'no-answer'],
};
const REPORTED_STATES = Object.keys(TWILIO_STATUSES) as ReportedState[];

/** Verifies requests from Twilio against the public service URL instead of the Host header. */
export function createTwilioCallbacks(urlFor: CallbackUrlFor, authToken: string, keyring: Keyring) {
  const isSigned = (messageId: string, url: string, form: CallbackForm, signature: string): boolean =>
    /^[0-9a-f]{32}$/.test(messageId) && validateRequest(authToken, signature, url, form);

  return {
    /** Whether Twilio signed this form for the message's callback URL. Compares in constant time. */
    isSignedReport: (messageId: string, form: CallbackForm, signature = ''): boolean =>
      isSigned(messageId, urlFor(messageId), form, signature),
    /** Returns the script that Twilio runs after the key press, or undefined if Twilio did not sign the request. */
    async speech(messageId: string, sealed: string, form: CallbackForm, signature = ''): Promise<string | undefined> {
      if (!isSigned(messageId, speechUrl(urlFor, messageId, sealed), form, signature)) return undefined;
      return speechScript(JSON.parse(keyring.open(speechContext(messageId), sealed)) as Speech);
    },
    parseReport(
      form: CallbackForm,
    ): { readonly providerId: string; readonly reportedState: ReportedState } | undefined {
      const providerId = form.MessageSid ?? form.CallSid;
      const status = form.MessageStatus ?? form.CallStatus ?? '';
      const reportedState = REPORTED_STATES.find((state) => TWILIO_STATUSES[state].includes(status));
      return providerId && reportedState ? { providerId, reportedState } : undefined;
    },
  };
}
