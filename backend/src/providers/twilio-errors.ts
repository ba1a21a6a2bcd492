import { httpFailure } from './http-failure.js';
import { ProviderError, type FailureDetails, type FailureKind } from './provider.js';
import type { ReportedMessage } from './provider-type.js';

/** Reasons by Twilio error code, for errors that the operator or the recipient can resolve. */
const REASONS: Readonly<Record<number, string>> = {
  20003: 'Twilio rejected the credentials',
  20404: 'this Twilio account does not exist',
  20429: 'the Twilio account has reached its rate limit',
  21210: 'the Twilio account may not call from this number',
  21211: 'this is not a valid phone number',
  21212: "the sender's number is not valid",
  21214: 'this phone number cannot be reached',
  21215: 'calls to this country are not enabled in the Twilio account',
  21216: 'Twilio does not call this number',
  21217: 'this is not a valid phone number',
  21219: 'a Twilio trial account calls verified numbers only',
  21408: 'messages to this country are not enabled in the Twilio account',
  21603: 'the sender is missing',
  21606: 'the sender may not send messages from this Twilio account',
  21608: 'a Twilio trial account sends to verified numbers only',
  21610: 'the recipient has opted out of messages from this sender',
  21611: 'too many messages are waiting at Twilio for this sender',
  21612: 'Twilio has no route from this sender to this number',
  21614: 'this number cannot receive SMS',
  21617: 'the message is too long',
  21635: 'this number is a landline, which cannot receive SMS',
  30001: 'too many messages were waiting at Twilio',
  30002: 'Twilio has suspended the account',
  30003: 'the phone is switched off or cannot be reached',
  30004: 'the recipient or the carrier blocks this message',
  30005: 'this number does not exist, or cannot be reached',
  30006: 'this number is a landline, or its carrier cannot be reached',
  30007: 'a carrier has filtered the message as unwanted',
  30008: 'the carrier did not deliver the message, and gave no reason',
  30036: 'the message waited at Twilio for too long',
  30410: 'the carrier did not reply to Twilio in time',
  21655: 'the WhatsApp template does not exist in the Twilio account',
  21656: 'the variables do not match the WhatsApp template',
  63003: 'this number is not on WhatsApp',
  63007: 'the WhatsApp sender does not belong to this Twilio account',
  63016: 'WhatsApp requires an approved template for this message',
  63018: 'the WhatsApp sender has reached its rate limit',
  63024: 'this number is not on WhatsApp',
  63038: 'the Twilio account has reached its daily message limit',
};

/** Error codes of delivery reports after which no other provider of the channel could reach the recipient. */
const UNREACHABLE_CODES: ReadonlySet<number> = new Set([21211, 21610, 21614, 30004, 30005, 30006, 63003, 63024]);

/** Twilio's documentation has a page for each error code. */
export const ERROR_PAGES = 'https://www.twilio.com/docs/api/errors';

const OPTED_OUT = 21610;

export function codeDetails(code: number): FailureDetails {
  if (!REASONS[code]) return { code: `${code}` };
  const details = { code: `${code}`, link: `${ERROR_PAGES}/${code}` };
  return code === OPTED_OUT ? { ...details, optedOut: true } : details;
}

/** Returns why Twilio reports a message as undelivered. `code`: Twilio's error code; 0 if there is none. */
export const undeliveredReason = (code: number): Pick<ReportedMessage, 'reason' | 'unreachable' | 'details'> =>
  code > 0
    ? {
        reason: `${REASONS[code] ?? 'Twilio did not deliver the message'} (${code})`,
        unreachable: UNREACHABLE_CODES.has(code),
        details: codeDetails(code),
      }
    : {};

/** Error codes of rate limits that reset within seconds. Twilio may report them with status 400. */
const TRANSIENT_CODES: ReadonlySet<number> = new Set([20429, 21611, 63018]);

const ACCOUNT_NOT_FOUND = 20404;

/**
 * Error codes that concern the account, its senders or its templates: another provider may be able to send the message.
 * All other rejections concern the recipient: another provider would reject the message as well, or ignore that the
 * recipient has opted out.
 */
const ROUTE_CODES: ReadonlySet<number> = new Set([
  21210, 21212, 21215, 21219, 21408, 21603, 21606, 21608, 21612, 21655, 21656, 63007, 63016,
  // A daily limit, which lasts longer than a code is valid. Twilio reports it with status 429.
  63038,
]);

/**
 * Converts a reply with a status other than 2xx. `code` is Twilio's error code, if the body has one.
 * `retryAfterSeconds` comes from the header.
 */
export function toProviderError(status: number, code?: number, retryAfterSeconds?: number): ProviderError {
  const label = code ?? status;
  const error = (kind: FailureKind, otherwise: string, concerns?: ProviderError['concerns']) => {
    const wait = kind === 'transient' ? retryAfterSeconds : undefined;
    return new ProviderError(kind, `${REASONS[label] ?? otherwise} (${label})`, wait, concerns);
  };
  if (TRANSIENT_CODES.has(label)) return error('transient', '');
  if (ROUTE_CODES.has(label)) return error('permanent', '', 'route');
  const { kind, concerns } = httpFailure(status);
  if (kind !== 'permanent')
    return error(kind, status === 429 ? 'the Twilio account has reached its rate limit' : 'Twilio is having problems');
  if (status === 401 || status === 403) return error(kind, 'Twilio rejected the credentials', concerns);
  if (status < 400)
    return new ProviderError(kind, `TWILIO_API_URL is not the address of the API (${status})`, undefined, concerns);
  // A rejection with another error code concerns the recipient. Without a code, the reply is not Twilio's.
  const scope = code === undefined || code === ACCOUNT_NOT_FOUND ? 'provider' : 'message';
  return error(kind, 'Twilio rejected the message', scope);
}
