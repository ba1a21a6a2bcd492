/** Parses prefixes and countries that people enter. */
import { isSupportedCountry } from 'libphonenumber-js/max';
import { countedPrefix } from '../recipients/recipient.js';

/**
 * Returns the prefix in the spelling that counts; undefined unless the text can be a number without its last four or six
 * digits.
 */
export function parsePrefix(text: string): string | undefined {
  const compact = text.replace(/[\s()./-]/g, '');
  return /^\+[1-9]\d{4,13}$/.test(compact) ? countedPrefix(compact) : undefined;
}

/** Returns undefined unless the text is an ISO 3166 code. */
export function parseCountry(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return isSupportedCountry(code) ? code : undefined;
}

export const PREFIX_RULE = 'It must be a number without its last four or six digits, such as +491512345.';
export const COUNTRY_RULE = 'It must be an ISO 3166 code such as DE.';
