/**
 * Parsers for settings that people type in the dashboard or on the command line. Each parser returns the stored value,
 * or throws a {@link ValueError} that describes the expected format.
 */
import { countryNamed } from '../recipients/country.js';
import { PHONE_CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { hasControlCharacters } from '../../platform/control-characters.js';
import { chooseLanguage, LANGUAGE_CODES } from '../templates/language-codes.js';
import { parseRecipient, phoneDigits } from '../recipients/recipient.js';
import { parseUrl } from '../../platform/url.js';
import { CHALLENGE_KINDS, type ChallengeKind } from './challenge-settings.js';
import { isAddressHost } from './allow-list.js';
import { entryProblem } from './allow-list-entry.js';

/** Thrown for an invalid value. The error message is shown to the person who typed the value. */
export class ValueError extends Error {}

/** Maximum number of hours that a replaced secret stays valid: a month, for clients with slow release cycles. */
export const MAX_GRACE_HOURS = 744;

/** `unit`: what the number counts, such as `days`. */
export function wholeNumber(min: number, max: number, unit?: string) {
  return (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < min || number > max)
      throw new ValueError(
        `Enter a whole number${unit ? ` of ${unit}` : ''} from ${min} to ${max.toLocaleString('en')}.`,
      );
    return number;
  };
}

/** Splits text at commas and line breaks, and removes blank items and duplicates. */
export const listOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,\n]/)
      .map((item) => item.trim())
      .filter(Boolean),
  ),
];

/** Parses an application name. It must be one line, because messages and email subjects contain it. */
export function parseApplicationName(text: string): string {
  const name = text.trim();
  if (name === '') throw new ValueError('Enter a name.');
  if (name.length > 100 || hasControlCharacters(name))
    throw new ValueError('Enter one line of at most 100 characters, without control characters.');
  return name;
}

export function parseEndpoints(text: string): string[] {
  const entries = listOf(text);
  const problems = entries.flatMap((entry) => {
    const problem = entryProblem(entry);
    return problem === undefined ? [] : [`“${entry}” ${problem}`];
  });
  if (problems.length > 0) throw new ValueError(problems.join(' '));
  return entries;
}

export function parseChannelOrder(names: readonly string[]): ChannelName[] {
  if (names.length === 0 || names.some((name) => !PHONE_CHANNELS.some((channel) => channel === name)))
    throw new ValueError(`Choose from ${PHONE_CHANNELS.join(', ')}. Email addresses always use EMAIL.`);
  if (new Set(names).size < names.length) throw new ValueError('Choose each channel only once.');
  return names as ChannelName[];
}

const isCountry = (name: string): boolean => countryNamed(name) !== undefined;

/** Names may contain spaces, but spaces also separate codes. */
const countriesIn = (text: string): string[] =>
  [...new Set(text.split(/[,;\n]/))]
    .flatMap((entry) => {
      const parts = entry.split(/\s+/);
      return !isCountry(entry) && parts.some(isCountry) ? parts : [entry.trim()];
    })
    .filter((entry) => entry !== '');

/** Parses names or ISO 3166 codes of countries, and returns codes. */
export function parseCountries(text: string): string[] {
  const entries = countriesIn(text);
  const unknown = entries.filter((entry) => !isCountry(entry)).map((entry) => `“${entry}” is not a country.`);
  if (unknown.length > 0)
    throw new ValueError(`${unknown.join(' ')} Enter a name such as Germany, or an ISO 3166 code such as DE.`);
  return [...new Set(entries.flatMap((entry) => countryNamed(entry) ?? []))];
}

export function parseMessageLanguage(text: string): string {
  const language = chooseLanguage(text);
  if (text.trim() !== '' && language === undefined) throw new ValueError(`Choose one of ${LANGUAGE_CODES.join(', ')}.`);
  return language ?? '';
}

/** The shortest time is enough for most people to enter a code. After the longest one, many have given up. */
const SILENT_SECONDS = { min: 15, max: 600 };

/** Parses the seconds after which a code is sent another way; 0: never. */
export function parseSilentSeconds(text: string): number {
  const { min, max } = SILENT_SECONDS;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (seconds !== 0 && !(seconds >= min && seconds <= max))
    throw new ValueError(`Enter 0, or a whole number from ${min} to ${max}.`);
  return seconds;
}

/** With longer quiet hours, no time of day might suit all time zones of a country. Russia has the most. */
const MAX_QUIET_HOURS = 12;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Whether a text is a time of 24 hours, such as `08:00`. */
export const isTime = (text: string): boolean => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);

/** Parses quiet hours in local time, such as `22:00-08:00`; "" for none. */
export function parseQuietHours(text: string): string {
  const typed = text.replace(/\s/g, '').replace('–', '-');
  if (typed === '') return '';
  const times = typed.split('-');
  if (times.length !== 2 || !times.every(isTime))
    throw new ValueError('Enter two times such as 22:00-08:00, or leave this empty.');
  const [from, to] = times.map(minutesOf) as [number, number];
  const minutes = (to - from + 1440) % 1440;
  if (minutes === 0 || minutes > MAX_QUIET_HOURS * 60)
    throw new ValueError(
      `Quiet hours can be at most ${MAX_QUIET_HOURS} hours long. Otherwise, no time would suit all time zones of some countries.`,
    );
  return typed;
}

/** A longer host name does not fit into one SMS with a code in all languages. */
const MAX_HOST_LENGTH = 100;

const isHostLabel = (label: string): boolean => /^[a-z0-9-]{1,63}$/.test(label) && !/^-|-$/.test(label);

/** Parses the host name of a site; "" for none. Converts letters that DNS does not have: `möbel.example` → `xn--mbel-5qa.example`. */
export function parseWebOtpHost(text: string): string {
  const typed = text.trim();
  if (typed === '') return '';
  const isHost = typed.length <= MAX_HOST_LENGTH && !/[\s:/?#@\\]/.test(typed);
  const host = (isHost && parseUrl(`https://${typed}`)?.hostname) || '';
  const labels = host.split('.');
  const isName = labels.every(isHostLabel) && !isAddressHost(host) && (labels.length > 1 || host === 'localhost');
  if (!isName || host.length > MAX_HOST_LENGTH)
    throw new ValueError(
      `Enter a host name such as shop.example, without https:// and without a port. It can have at most ${MAX_HOST_LENGTH} characters.`,
    );
  return host;
}

/** Parses the hash that identifies an Android app; "" for none. */
export function parseAndroidAppHash(text: string): string {
  const hash = text.trim();
  if (!/^(?:[A-Za-z0-9+/]{11})?$/.test(hash))
    throw new ValueError('Enter 11 letters, digits, + or /, such as FA+9qCX9VSu.');
  return hash;
}

const TEST_CODE = /^[A-Za-z0-9]{4,10}$/;
const TEST_CODE_RULE = 'The code must be 4 to 10 letters or digits.';

/** Test numbers need not exist, so all digits are accepted. */
const testAddress = (text: string): string | undefined => phoneDigits(text) ?? parseRecipient(text)?.address;

/** Parses `RECIPIENT=CODE`. The code may be empty. Splits at the last `=`, because email addresses can contain `=`. */
export function parseTestRecipient(text: string): { address: string; code: string } {
  const split = text.lastIndexOf('=');
  const address = testAddress(text.slice(0, Math.max(split, 0)));
  const code = text.slice(split + 1).trim();
  if (split < 0 || address === undefined)
    throw new ValueError('Enter a recipient and a code, such as +15550100=123456.');
  if (code !== '' && !TEST_CODE.test(code)) throw new ValueError(TEST_CODE_RULE);
  return { address, code };
}

export function parseTestAddress(text: string): string {
  const address = testAddress(text);
  if (address === undefined)
    throw new ValueError('Enter a phone number with its country code, such as +15550100, or an email address.');
  return address;
}

export function parseTestCode(text: string): string {
  const code = text.trim();
  if (!TEST_CODE.test(code)) throw new ValueError(TEST_CODE_RULE);
  return code;
}

/** Keys of both vendors have fewer than 100 characters. */
const MAX_KEY_LENGTH = 200;

export function parseChallengeKind(text: string): ChallengeKind {
  const kind = CHALLENGE_KINDS.find((name) => name === text);
  if (kind === undefined) throw new ValueError(`Choose one of ${CHALLENGE_KINDS.join(', ')}.`);
  return kind;
}

/** Parses a site key or a secret key; "" for none. */
export function parseChallengeKey(text: string): string {
  const key = text.trim();
  if (key.length > MAX_KEY_LENGTH || !/^[\w.-]*$/.test(key))
    throw new ValueError(
      `Copy the key from the vendor. It has at most ${MAX_KEY_LENGTH} letters, digits, -, _ or dots.`,
    );
  return key;
}
