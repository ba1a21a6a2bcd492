/**
 * Parsers for settings that people type in the dashboard or on the command line. Each parser returns the stored value,
 * or throws a {@link ValueError} that describes the expected format.
 */
import { isSupportedCountry } from 'libphonenumber-js/max';
import { PHONE_CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { hasControlCharacters } from '../../platform/control-characters.js';
import { chooseLanguage, LANGUAGE_CODES } from '../templates/language-codes.js';
import { parseRecipient, phoneDigits } from '../recipients/recipient.js';
import { entryProblem } from './allow-list-entry.js';

/** Thrown for an invalid value. The error message is shown to the person who typed the value. */
export class ValueError extends Error {}

/** Maximum number of hours that a replaced secret stays valid: a month, for clients with slow release cycles. */
export const MAX_GRACE_HOURS = 744;

export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < min || number > max)
      throw new ValueError(`It must be a whole number from ${min} to ${max}.`);
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
    throw new ValueError('It must be one line of 1 to 100 characters, without control characters.');
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
  const known = PHONE_CHANNELS.filter((channel) => names.includes(channel));
  if (names.length === 0 || known.length !== names.length)
    throw new ValueError(
      `It must list one or more of ${PHONE_CHANNELS.join(', ')}, each at most once. Email addresses always use EMAIL.`,
    );
  return names as ChannelName[];
}

export function parseCountries(text: string): string[] {
  const codes = listOf(text.toUpperCase());
  const unknown = codes.filter((code) => !isSupportedCountry(code));
  if (unknown.length > 0)
    throw new ValueError(`It must list ISO 3166 codes such as US,DE. Unknown: ${unknown.join(', ')}.`);
  return codes;
}

export function parseMessageLanguage(text: string): string {
  const language = chooseLanguage(text);
  if (text.trim() !== '' && language === undefined)
    throw new ValueError(`It must be one of ${LANGUAGE_CODES.join(', ')}.`);
  return language ?? '';
}

/** Parses `RECIPIENT=CODE`. The code may be empty. Splits at the last `=`, because email addresses can contain `=`. */
export function parseTestRecipient(text: string): { address: string; code: string } {
  const split = text.lastIndexOf('=');
  const recipient = text.slice(0, Math.max(split, 0));
  const code = text.slice(split + 1).trim();
  // Test numbers need not exist, so all digits are accepted.
  const address = phoneDigits(recipient) ?? parseRecipient(recipient)?.address;
  if (split < 0 || address === undefined) throw new ValueError('It must be RECIPIENT=CODE, such as +15550100=123456.');
  if (!/^(?:[A-Za-z0-9]{4,10})?$/.test(code))
    throw new ValueError('The code must be 4 to 10 letters or digits. An empty code removes the recipient.');
  return { address, code };
}
