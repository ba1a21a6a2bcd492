/** Language codes, in a separate file so that importing them does not load the texts. */

/** To add a language, create a file in `rendering/texts/`, add it to `languages.ts`, and add its code here. */
export const LANGUAGE_CODES = ['en', 'de', 'fr', 'es', 'pt', 'pl', 'it', 'nl', 'ar'] as const;
export type LanguageCode = (typeof LANGUAGE_CODES)[number];

/**
 * Countries by language. A country with several official languages has the one that most of its inhabitants speak, such
 * as German in Switzerland and Dutch in Belgium. Everywhere else, the application's language is used.
 */
const COUNTRIES: Readonly<Partial<Record<LanguageCode, string>>> = {
  en: 'AG AI AU BB BM BS BZ CA FJ GB GD GG GH GI GM GY IE IM JE JM KE KN KY LC LR MS MT NG NZ SG SL TC TT UG US VC VG VI ZA ZM ZW',
  de: 'AT CH DE LI',
  fr: 'BF BJ BL CD CF CG CI CM FR GA GF GN GP MC MF ML MQ NC NE PF PM RE SN TG WF YT',
  es: 'AR BO CL CO CR CU DO EC ES GQ GT HN MX NI PA PE PR PY SV UY VE',
  pt: 'AO BR CV GW MZ PT ST',
  pl: 'PL',
  it: 'IT SM VA',
  nl: 'BE NL SR',
  ar: 'AE BH DJ DZ EG EH IQ JO KM KW LB LY MA MR OM PS QA SA SD SY TN YE',
};

const LANGUAGE_BY_COUNTRY = new Map(
  LANGUAGE_CODES.flatMap((code) => (COUNTRIES[code] ?? '').split(' ').map((country) => [country, code] as const)),
);

/** The value of `language` that selects the language of the recipient's country. */
const AUTO = 'auto';

/** Replaces `auto` with the language of the country; undefined for email addresses and countries without a language. */
export const requestedLanguage = (tag: string | undefined, country: string): string | undefined =>
  tag?.trim().toLowerCase() === AUTO ? LANGUAGE_BY_COUNTRY.get(country) : tag;

/** Returns the first supported language among the given tags (`de`, `de-AT`, `DE_at`). */
export function chooseLanguage(...tags: (string | undefined)[]): LanguageCode | undefined {
  for (const tag of tags) {
    const code = tag?.trim().toLowerCase().split(/[-_]/)[0];
    const found = LANGUAGE_CODES.find((known) => known === code);
    if (found) return found;
  }
  return undefined;
}

/**
 * Returns a message's `language` and `voiceLanguage` variables. The language is the first supported language in `tags`.
 */
export function languageVariables(voiceLanguage: string, ...tags: (string | undefined)[]) {
  const language = chooseLanguage(...tags);
  return { voiceLanguage, ...(language === undefined ? {} : { language }) };
}
