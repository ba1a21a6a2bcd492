import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import { isHexId, type Keyring } from '../platform/crypto.js';
import type { ReportedState } from './provider.js';
import type {
  CallbackReply,
  CallbackRequest,
  ProviderContext,
  ProviderSettings,
  ReportedMessage,
} from './provider-type.js';
import { undeliveredReason } from './twilio-errors.js';
import { speechScript, type Speech } from './twilio-speech.js';

type CallbackForm = Readonly<Record<string, string>>;

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

function reportOf(messageId: string, form: CallbackForm): ReportedMessage[] {
  const providerId = form.MessageSid ?? form.CallSid;
  const status = form.MessageStatus ?? form.CallStatus ?? '';
  const reportedState = REPORTED_STATES.find((state) => TWILIO_STATUSES[state].includes(status));
  if (!providerId || !reportedState) return [];
  return [{ messageId, providerId, reportedState, ...undeliveredReason(Number(form.ErrorCode ?? 0)) }];
}

const WHATSAPP = 'whatsapp:';

/** Twilio requires a reply with a script, which may send a text back to the recipient. */
async function messagingScript(text?: string): Promise<string> {
  const { default: MessagingResponse } = await import('twilio/lib/twiml/MessagingResponse.js');
  const script = new MessagingResponse();
  if (text !== undefined) script.message(text);
  return script.toString();
}

async function receiveInbound(
  { headers, body }: CallbackRequest,
  { authToken = '' }: ProviderSettings,
  url: string,
): Promise<CallbackReply | undefined> {
  const form: CallbackForm = Object.fromEntries(new URLSearchParams(body.toString('utf8')));
  if (!validateRequest(authToken, headers['x-twilio-signature'] ?? '', url, form)) return undefined;
  const { From: from = '', Body: text = '' } = form;
  const channel = from.startsWith(WHATSAPP) ? 'WHATSAPP' : 'SMS';
  const inbound = [{ channel, from: from.replace(WHATSAPP, ''), text } as const];
  return { reports: [], inbound, contentType: 'text/xml', body: await messagingScript(), replyWith: messagingScript };
}

/**
 * Processes a delivery report, or the request for the script after the key press in a call. Verifies Twilio's signature
 * against the public service URL instead of the Host header.
 */
export async function receiveFromTwilio(
  request: CallbackRequest,
  settings: ProviderSettings,
  { callbackUrl, keyring }: ProviderContext,
): Promise<CallbackReply | undefined> {
  const { messageId = '', path, query, headers, body } = request;
  const { authToken } = settings;
  if (callbackUrl && authToken && request.messageId === undefined && path === 'inbound')
    return receiveInbound(request, settings, callbackUrl(undefined, path));
  if (!callbackUrl || !authToken || !isHexId(messageId)) return undefined;
  const sealed = path === 'speech' ? (query.content ?? '') : undefined;
  const url = sealed === undefined ? callbackUrl(messageId) : speechUrl(callbackUrl, messageId, sealed);
  const form = Object.fromEntries(new URLSearchParams(body.toString('utf8')));
  if (!validateRequest(authToken, headers['x-twilio-signature'] ?? '', url, form)) return undefined;
  if (sealed === undefined) return { reports: reportOf(messageId, form) };
  const speech = JSON.parse(keyring.open(speechContext(messageId), sealed)) as Speech;
  return { reports: [], contentType: 'text/xml', body: await speechScript(speech) };
}
