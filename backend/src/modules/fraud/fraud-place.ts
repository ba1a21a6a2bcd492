/** Parses prefixes that people enter. */
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

export const PREFIX_RULE = 'It must be a number without its last four or six digits, such as +491512345.';
export const COUNTRY_RULE = 'It must be the name or the ISO 3166 code of a country, such as Germany or DE.';
