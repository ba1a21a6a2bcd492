/** Phone numbers and email addresses: canonical form, rate-limit key and mask. */
import { domainToASCII } from 'node:url';
import type { PhoneNumber } from 'libphonenumber-js/max';
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';

export interface Recipient {
  readonly type: 'phone' | 'email';
  /** E.164 number, or email address with its domain in lower case and punycode. */
  readonly address: string;
  /** Rate-limit key, shared by all variants of an email address or phone number. */
  readonly limitKey: string;
  readonly country?: string | undefined;
  /** Whether the number is in an assigned range; true for email addresses. */
  readonly assigned: boolean;
  /** The kind of a rejected number, for the error message; undefined for accepted recipients. */
  readonly rejectedKind?: string | undefined;
  /** Whether the number can be called, but cannot receive SMS. */
  readonly landline?: boolean;
}

/**
 * Rejected types of phone numbers, with their names for the error message. These numbers belong to no person, or are
 * expensive.
 */
const REJECTED_TYPES: Readonly<Record<string, string>> = {
  PREMIUM_RATE: 'a premium-rate number',
  SHARED_COST: 'a shared-cost number',
  TOLL_FREE: 'a toll-free number',
  PERSONAL_NUMBER: 'a personal number that forwards calls',
  UAN: 'a nationwide company number',
  PAGER: 'a pager number',
  VOICEMAIL: 'a voicemail number',
};
const INTERNATIONAL_NUMBER = 'a number of a satellite or international network';
/**
 * National ranges of satellite networks, which libphonenumber classifies as VoIP or mobile: +1 600 in Canada, which also has
 * other non-geographic services, and ranges in Australia, China, Russia, Indonesia and Papua New Guinea.
 */
const SATELLITE_RANGE = /^\+(?:1600|61147|861349|861740|7954|62868|675275)/;
/** The exchange of premium-rate services in all area codes of the United States and Canada. */
const PREMIUM_EXCHANGE = /^\+1\d{3}976/;

const COUNTRY_CODES: ReadonlySet<string> = new Set(getCountries().map((country) => getCountryCallingCode(country)));

/** An email address with an unquoted local part, which every provider accepts. */
const EMAIL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([\p{L}\p{M}\p{N}.\u3002-]{1,255})$/u;
/**
 * A domain with at least two labels, within the length limits of DNS. The last label is not numeric, unlike in an IP
 * address.
 */
const DOMAIN =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;

const GMAIL_DOMAINS = ['gmail.com', 'googlemail.com'];

/** Returns a mailbox's rate-limit key. Ignores case and plus-tags; for Gmail, also dots and the domain alias. */
function mailboxKey(local: string, domain: string): string {
  const tag = local.indexOf('+', 1);
  const name = local.slice(0, tag < 0 ? undefined : tag).toLowerCase();
  return GMAIL_DOMAINS.includes(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

function parseEmail(text: string): Recipient | undefined {
  const match = text.match(EMAIL);
  const domain = match && domainToASCII(match[1]!);
  if (!domain || !DOMAIN.test(domain)) return undefined;
  const local = text.slice(0, text.lastIndexOf('@'));
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return undefined;
  return { type: 'email', address: `${local}@${domain}`, limitKey: mailboxKey(local, domain), assigned: true };
}

/** `+1 (415) 555-0123` → `+14155550123`; undefined for other text. Ignores invisible characters, which phones copy as well. */
export function phoneDigits(text: string): string | undefined {
  const compact = text.replace(/[\s\p{Cf}().\-‐-―/]/gu, '');
  const match = compact.match(/^(?:\+|00)?([1-9]\d{5,14})$/);
  return match ? `+${match[1]}` : undefined;
}

/** Removes the `1` after +52, which callers from abroad had to dial before Mexican mobile numbers until 2019. */
const withoutMexicanPrefix = (digits: string): string => digits.replace(/^\+521(?=\d{10}$)/, '+52');

/**
 * Returns the one spelling of a number under which it is counted: adds the 9 that is often omitted from Argentine mobile
 * numbers, which then look like landlines. For rate-limit keys, counters and look-ups, never for the number to send to.
 */
export const countedNumber = (address: string): string => address.replace(/^\+54(?!9)/, '+549');

/**
 * Returns all addresses under which a recipient may be stored: for an Argentine number, with and without the 9 for
 * mobile numbers; otherwise, only the address itself.
 */
export function variantsOf(address: string): readonly string[] {
  if (!address.startsWith('+54')) return [address];
  const mobile = countedNumber(address);
  return [mobile, mobile.replace('+549', '+54')];
}

/**
 * Returns all spellings of an address in which codes may have been delivered to the recipient, in lower case. Addresses
 * that differ only in letter case are one recipient. Addresses that differ in plus-tags or dots are different recipients
 * with one rate-limit key.
 */
export const spellingsOf = (address: string): readonly string[] => variantsOf(address.toLowerCase());

export const isSameRecipient = (address: string, other: string): boolean =>
  spellingsOf(address).includes(other.toLowerCase());

/**
 * Returns the start of a number in the spelling of {@link countedNumber}. No national number in Mexico starts with 1.
 */
export const countedPrefix = (prefix: string): string => countedNumber(prefix.replace(/^\+521/, '+52'));

/**
 * Number of recent phone numbers that stay parsed. A process parses the number of a message several times: to send the
 * message, to route and charge it, and when the code is verified.
 */
const RECENT_NUMBERS = 1000;
const recentNumbers = new Map<string, Recipient | undefined>();

function parsePhone(text: string): Recipient | undefined {
  const digits = phoneDigits(text);
  if (digits === undefined) return undefined;
  if (!recentNumbers.has(digits)) {
    recentNumbers.set(digits, parseDigits(digits));
    const [oldest] = recentNumbers.keys();
    if (recentNumbers.size > RECENT_NUMBERS) recentNumbers.delete(oldest!);
  }
  return recentNumbers.get(digits);
}

function rejectedKindOf({ number, country, countryCallingCode }: PhoneNumber, type: string | undefined) {
  if (!COUNTRY_CODES.has(countryCallingCode) || SATELLITE_RANGE.test(number)) return INTERNATIONAL_NUMBER;
  // Other countries with +1 use this exchange for ordinary numbers.
  const isPremium = PREMIUM_EXCHANGE.test(number) && (country === 'US' || country === 'CA' || country === undefined);
  return REJECTED_TYPES[isPremium ? 'PREMIUM_RATE' : (type ?? '')];
}

function parseDigits(digits: string): Recipient | undefined {
  const number: PhoneNumber | undefined = parsePhoneNumberFromString(withoutMexicanPrefix(digits));
  if (!number) return undefined;
  const { number: address, country } = number;
  const kind = number.getType();
  const rejectedKind = rejectedKindOf(number, kind);
  if (rejectedKind === undefined && !number.isPossible()) return undefined;
  return {
    type: 'phone',
    address,
    limitKey: countedNumber(address),
    country,
    // Only numbers of assigned ranges have a kind.
    assigned: kind !== undefined,
    rejectedKind,
    landline: kind === 'FIXED_LINE' && country !== 'AR',
  };
}

/**
 * Adds the country code to a number that is written as in its own country: `0151 23456789`, `DE` → `+4915123456789`.
 * Returns all other texts unchanged.
 */
export function internationalNumber(text: string, country: string): string {
  const code = getCountries().find((known) => known === country.toUpperCase());
  if (code === undefined || text.includes('@') || /^\s*(?:\+|00)/.test(text)) return text;
  const number = parsePhoneNumberFromString(text, code);
  return number?.isPossible() ? number.number : text;
}

export function parseRecipient(text: string): Recipient | undefined {
  const trimmed = text.trim();
  return trimmed.includes('@') ? parseEmail(trimmed) : parsePhone(trimmed);
}

/** Returns the ISO 3166 code of a number's country; "" for email addresses, and for numbers without a country. */
export const countryOf = (address: string): string => parseRecipient(address)?.country ?? '';

/** `+14155550123` → `+1415*****23`, `ana@example.com` → `an***@example.com`. */
export function maskRecipient(address: string): string {
  const at = address.lastIndexOf('@');
  if (at > 0) return `${address.slice(0, Math.min(2, at - 1))}***${address.slice(at)}`;
  const shown = Math.max(0, address.length - 5);
  const tail = Math.min(2, Math.floor(shown / 2));
  return `${address.slice(0, shown - tail)}*****${address.slice(address.length - tail)}`;
}
