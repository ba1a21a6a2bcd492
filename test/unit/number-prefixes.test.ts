/** The prefixes by which numbers are counted. */
import fc from 'fast-check';
import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { prefixesOf } from '../../backend/src/modules/recipients/number-prefixes.js';

const COUNTRIES = getCountries();
const exampleOf = (country: (typeof COUNTRIES)[number]): string => getExampleNumber(country, examples)!.number;

it.each([
  ['+4915112345678', ['+491511234', '+4915112']],
  ['+491511234567', ['+491511234', '+4915112']],
  ['+14155550123', ['+1415555', '+14155']],
  ['+4520123456', ['+452012', '+4520']],
  ['+4740612345', ['+474061', '+4740']],
  ['+6581234567', ['+658123', '+6581']],
  // Spellings of one number in Argentina have the same prefixes.
  ['+541123456789', ['+549112345', '+5491123']],
  ['+5491123456789', ['+549112345', '+5491123']],
  ['+24740123', ['+2474']],
  // Numbers of different lengths in one range.
  ['+62817100275', ['+628171002', '+6281710']],
  ['+628171002751', ['+628171002', '+6281710']],
])('%s is counted by %j', (number, prefixes) => {
  expect(prefixesOf(number)).toEqual(prefixes);
});

it('every country has a prefix, and all but tiny countries have two', () => {
  const counts = COUNTRIES.map((country) => [country, prefixesOf(exampleOf(country)).length] as const);
  expect(counts.filter(([, count]) => count === 0)).toEqual([]);
  const single = counts.filter(([, count]) => count === 1).map(([country]) => country);
  expect(single).toEqual(['AC', 'CK', 'FK', 'SH', 'TA']);
});

it('appending a digit to a number changes neither prefix', () => {
  fc.assert(
    fc.property(fc.constantFrom(...COUNTRIES), fc.stringMatching(/^\d{1,3}$/), (country, digits) => {
      const number = exampleOf(country);
      expect(prefixesOf(`${number}${digits}`)).toEqual(prefixesOf(number));
    }),
  );
});

it('the prefixes start the number, contain the calling code and a national digit, and each other', () => {
  for (const country of COUNTRIES) {
    const number = exampleOf(country);
    const counted = number.replace(/^\+54(?!9)/, '+549');
    const [prefix, range = prefix] = prefixesOf(number) as [string, string?];
    expect(counted.startsWith(prefix) && prefix.startsWith(range!)).toBe(true);
    expect(range!.length).toBeGreaterThan(1 + getCountryCallingCode(country).length);
    // Not a single number.
    expect(prefix.length).toBeLessThan(counted.length);
  }
});

it('a number that is shorter than a prefix, and one without a country, do not fail', () => {
  expect(prefixesOf('+4912')).toEqual(['+4912']);
  expect(prefixesOf('+870773111632')).toEqual([]);
});
