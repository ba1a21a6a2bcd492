/** Parses countries and prefixes that people enter. */
import { countriesWithCode, countryInSentence, countryNamed } from '../recipients/country.js';
import { prefixesOf } from '../recipients/number-prefixes.js';
import { countedPrefix } from '../recipients/recipient.js';
import type { ScopeRef } from './fraud.js';

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

export const PREFIX_RULE = 'Enter a number without its last four or six digits, such as +491512345.';
export const COUNTRY_RULE = 'Enter the name or the ISO 3166 code of a country, such as Germany or DE.';
const PLACE_RULE =
  'Enter a country, such as Germany or +49, or a number without its last four or six digits, such as +491512345.';

/** Countries that share a calling code are named. */
const NAMED_COUNTRIES = 3;

/** Returns the country or the prefix that a person means; a message if it is neither. `+33` is France. */
export function parsePlace(text: string): ScopeRef | string {
  const countries = countriesWithCode(text.replace(/\s/g, ''));
  const country = countryNamed(text) ?? (countries.length === 1 ? countries[0] : undefined);
  if (country !== undefined) return { scope: 'country', key: country };
  if (countries.length > 1) {
    const names = countries.slice(0, NAMED_COUNTRIES).map(countryInSentence).join(', ');
    return `Several countries have the calling code ${text.trim()}. Enter the name of one, such as ${names}.`;
  }
  const prefix = parsePrefix(text);
  return prefix === undefined ? PLACE_RULE : { scope: 'prefix', key: prefix };
}
