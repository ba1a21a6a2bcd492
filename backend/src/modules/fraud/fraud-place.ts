/** Parses prefixes and countries that people enter. */
import { isSupportedCountry } from 'libphonenumber-js/max';
import { prefixesOf } from '../recipients/number-prefixes.js';
import { countedPrefix } from '../recipients/recipient.js';

const LONGEST_NUMBER = '+123456789012345'.length;

/**
 * Returns the prefix in the spelling that counts; undefined unless the text can be a number without its last four or six
 * digits.
 */
export function parsePrefix(text: string): string | undefined {
  const compact = text.replace(/[\s()./-]/g, '');
  if (!/^\+[1-9]\d{1,13}$/.test(compact)) return undefined;
  const prefix = countedPrefix(compact);
  return prefixesOf(prefix.padEnd(LONGEST_NUMBER, '0')).includes(prefix) ? prefix : undefined;
}

/** Returns undefined unless the text is an ISO 3166 code. */
export function parseCountry(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return isSupportedCountry(code) ? code : undefined;
}

export const PREFIX_RULE = 'It must be a number without its last four or six digits, such as +491512345.';
export const COUNTRY_RULE = 'It must be an ISO 3166 code such as DE.';
