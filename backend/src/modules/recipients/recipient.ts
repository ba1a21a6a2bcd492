/** One canonical form of a phone number or mail address, what it shares limits with, and its mask. */
import { domainToASCII } from 'node:url';
import { parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max';

export interface Recipient {
  readonly type: 'phone' | 'email';
  /** E.164, or the mail address with its domain in lower case and punycode. */
  readonly address: string;
  /** What all spellings of one mailbox or phone share: limits are counted on it. */
  readonly limitKey: string;
  /** ISO 3166 code of a phone number's country; undefined for mail and for numbers of no country. */
  readonly country?: string | undefined;
  /** Whether the number is in a range that is assigned to somebody; mail is always. */
  readonly assigned: boolean;
}

const PREMIUM = new Set(['PREMIUM_RATE', 'SHARED_COST']);

/** A local part without quotes, and a domain of at least two labels: what every provider accepts. */
const MAIL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([\p{L}\p{M}\p{N}.\u3002-]{1,255})$/u;
/** As long as DNS has it. Ends in a name, never in a number: that would be an IP address. */
const DOMAIN =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;

function parseMail(text: string): Recipient | undefined {
  const match = text.match(MAIL);
  const domain = match && domainToASCII(match[1]!);
  if (!domain || !DOMAIN.test(domain)) return undefined;
  const local = text.slice(0, text.lastIndexOf('@'));
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return undefined;
  const limitKey = `${local.toLowerCase().replace(/(?!^)\+.*$/, '')}@${domain}`;
  return { type: 'email', address: `${local}@${domain}`, limitKey, assigned: true };
}

/** `+` and digits of a number in any usual writing; undefined where anything else is in it. */
export function phoneDigits(text: string): string | undefined {
  const compact = text.replace(/[\s\u00a0().\-‐-―/]/g, '');
  const match = compact.match(/^(?:\+|00)?([1-9]\d{5,14})$/);
  return match ? `+${match[1]}` : undefined;
}

function parsePhone(text: string): Recipient | undefined {
  const digits = phoneDigits(text);
  const number: PhoneNumber | undefined = digits ? parsePhoneNumberFromString(digits) : undefined;
  if (!number?.isPossible() || PREMIUM.has(number.getType() ?? '')) return undefined;
  const address = number.number;
  return { type: 'phone', address, limitKey: address, country: number.country, assigned: number.isValid() };
}

/** Reads a recipient as people write it; undefined when it is neither a phone number nor a mail address. */
export function parseRecipient(text: string): Recipient | undefined {
  const trimmed = text.trim();
  return trimmed.includes('@') ? parseMail(trimmed) : parsePhone(trimmed);
}

/** `+1415*****23`, `an***@example.com`. */
export function maskRecipient(address: string): string {
  const at = address.lastIndexOf('@');
  if (at > 0) return `${address.slice(0, Math.min(2, at - 1))}***${address.slice(at)}`;
  const shown = Math.max(0, address.length - 5);
  const tail = Math.min(2, Math.floor(shown / 2));
  return `${address.slice(0, shown - tail)}*****${address.slice(address.length - tail)}`;
}
