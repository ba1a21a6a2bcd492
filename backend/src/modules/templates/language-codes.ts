/** Language codes, in a separate file so that importing them does not load the texts. */

/** To add a language, create a file in `texts/`, add it to `languages.ts`, and add its code here. */
export const LANGUAGE_CODES = ['en', 'de', 'fr', 'es', 'pt', 'pl', 'ar'] as const;
export type LanguageCode = (typeof LANGUAGE_CODES)[number];

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
