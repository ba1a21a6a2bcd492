/** The ranges of numbers by which sends are counted. */
import { getCountries, getCountryCallingCode, Metadata } from 'libphonenumber-js/max';
import { countedNumber, countryOf } from './recipient.js';

/** Digits that a prefix leaves out: 10,000 and 1,000,000 numbers of the usual length. */
const OMITTED_DIGITS = [4, 6];

/** The types of libphonenumber do not contain this method. */
interface Plan {
  type(name: 'MOBILE'): { possibleLengths(): number[] } | undefined;
  possibleLengths(): number[];
}

const upperMedian = (lengths: readonly number[]): number =>
  [...lengths].sort((a, b) => a - b)[Math.floor(lengths.length / 2)]!;

/**
 * The usual length of national mobile numbers by calling code, such as `49` → 11. If countries share a calling code, it is
 * the length of the longest.
 */
const USUAL_LENGTHS: ReadonlyMap<string, number> = (() => {
  const lengths = new Map<string, number>();
  for (const country of getCountries()) {
    const metadata = new Metadata();
    metadata.selectNumberingPlan(country);
    const plan = metadata.numberingPlan as unknown as Plan;
    const code = getCountryCallingCode(country);
    const usual = upperMedian((plan.type('MOBILE') ?? plan).possibleLengths());
    lengths.set(code, Math.max(usual, lengths.get(code) ?? 0));
  }
  return lengths;
})();

/** No calling code is the start of another one. */
function callingCodeOf(number: string): string | undefined {
  return [1, 2, 3].map((digits) => number.slice(1, 1 + digits)).find((code) => USUAL_LENGTHS.has(code));
}

/**
 * Returns the prefixes by which an E.164 number is counted, the longest first: `+4915112345678` → `+491511234`, `+4915112`.
 * They have a fixed number of digits, so that numbers of other lengths do not get other prefixes. Short numbering plans
 * have only one. Empty for numbers without a country.
 */
export function prefixesOf(address: string): readonly string[] {
  const number = countedNumber(address);
  const code = callingCodeOf(number);
  if (code === undefined) return [];
  const usual = USUAL_LENGTHS.get(code)!;
  const lengths = OMITTED_DIGITS.map((omitted) => 1 + code.length + Math.max(1, usual - omitted));
  return [...new Set(lengths.map((length) => number.slice(0, length)))];
}

/** Returns the ISO 3166 code of a prefix's country, by an example of its numbers; "" if it is not known. */
export const countryOfPrefix = (prefix: string): string =>
  [0, ...OMITTED_DIGITS].map((digits) => countryOf(prefix + '0'.repeat(digits))).find((country) => country !== '') ??
  '';
