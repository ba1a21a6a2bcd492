import { getCountries, getCountryCallingCode, type CountryCode } from 'libphonenumber-js/max';

const REGIONS = new Intl.DisplayNames('en', { type: 'region' });

/** `DE` → `Germany`; `No country` for "". */
export const countryName = (code: string): string => (code === '' ? 'No country' : (REGIONS.of(code) ?? code));

const CODES = new Map(
  getCountries().flatMap((code) =>
    [code, countryName(code)].map((text): [string, string] => [text.toLowerCase(), code]),
  ),
);

export const COUNTRY_NAMES: readonly string[] = getCountries()
  .map(countryName)
  .sort((a, b) => a.localeCompare(b, 'en'));

/** Returns the ISO 3166 code of a country, by its code or English name. */
export const countryNamed = (text: string): string | undefined => CODES.get(text.trim().toLowerCase());

/** Returns the codes of the countries with a calling code: `+33` → `FR`. Empty for other text. */
export const countriesWithCode = (callingCode: string): readonly string[] =>
  getCountries().filter((code) => callingCode === callingCodeOf(code));

/** `FR` → `+33`; `+` for "". */
export const callingCodeOf = (country: string): string =>
  `+${country === '' ? '' : getCountryCallingCode(country as CountryCode)}`;

/** Matches the names of countries that need an article in a sentence. */
const WITH_ARTICLE =
  /^(?:United|Dominican|Central African|Isle of|British|U\.S\.|Bahamas|Gambia|Maldives|Netherlands|Philippines)|Islands/;

/** The country's name within a sentence: `US` → `the United States`. */
export function countryInSentence(code: string): string {
  const name = countryName(code);
  return WITH_ARTICLE.test(name) ? `the ${name}` : name;
}
