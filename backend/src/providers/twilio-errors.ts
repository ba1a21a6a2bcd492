import { ProviderError } from './provider.js';

/** Reasons by Twilio error code, for errors that the operator or the recipient can resolve. */
const REASONS: Readonly<Record<number, string>> = {
  20003: 'Twilio rejected the credentials',
  20404: 'this Twilio account does not exist',
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
  21655: 'the WhatsApp template does not exist in the Twilio account',
  21656: 'the variables do not match the WhatsApp template',
  63003: 'this number is not on WhatsApp',
  63007: 'the WhatsApp sender does not belong to this Twilio account',
  63016: 'WhatsApp requires an approved template for this message',
  63018: 'the WhatsApp sender has reached its rate limit',
  63024: 'this number is not on WhatsApp',
  63038: 'the Twilio account has reached its daily message limit',
};

/** Error codes of rate limits that reset within seconds. Twilio may report them with status 400. */
const TRANSIENT_CODES: ReadonlySet<number> = new Set([20429, 21611, 63018]);

/** Error codes of limits that last longer than a verification code is valid. Twilio reports them with status 429. */
const PERMANENT_CODES: ReadonlySet<number> = new Set([63038]);

/**
 * Error codes that concern the account, its senders or its templates: another provider may be able to send the message.
 * All other rejections concern the recipient: another provider would reject the message as well, or ignore that the
 * recipient has opted out.
 */
const ROUTE_CODES: ReadonlySet<number> = new Set([
  ...[21210, 21212, 21215, 21219, 21408, 21603, 21606, 21608, 21612, 21655, 21656, 63007, 63016, 63038],
]);

function rejection(label: number, otherwise: string): ProviderError {
  const concerns = ROUTE_CODES.has(label) ? 'route' : 'message';
  return new ProviderError('permanent', reasonText(label, otherwise), undefined, concerns);
}

/** Converts a reply with a status other than 2xx. `code` is Twilio's error code, if the body has one. */
export function toProviderError(status: number, code?: number, retryAfter?: string): ProviderError {
  const label = code ?? status;
  if (PERMANENT_CODES.has(label)) return rejection(label, '');
  if (status === 429 || TRANSIENT_CODES.has(label))
    return new ProviderError(
      'transient',
      reasonText(label, 'the Twilio account has reached its rate limit'),
      waitSeconds(retryAfter),
    );
  // The gateway timed out, but Twilio may have accepted the message.
  if (status === 504) return new ProviderError('unknown', reasonText(label, 'a gateway in front of Twilio timed out'));
  if (status >= 500)
    return new ProviderError('transient', reasonText(label, 'Twilio is having problems'), waitSeconds(retryAfter));
  if (status === 401 || status === 403) return invalidAccount(reasonText(label, 'Twilio rejected the credentials'));
  if (status < 400) return invalidAccount(`TWILIO_API_URL is not the address of the API (${status})`);
  // Error 20404: the account does not exist.
  if (label === 20404) return invalidAccount(reasonText(label, ''));
  return rejection(label, 'Twilio rejected the message');
}

const invalidAccount = (reason: string): ProviderError => new ProviderError('permanent', reason, undefined, 'provider');

function reasonText(label: number, otherwise: string): string {
  return `${REASONS[label] ?? otherwise} (${label})`;
}

function waitSeconds(retryAfter: string | undefined): number | undefined {
  if (!retryAfter) return undefined;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined;
}
