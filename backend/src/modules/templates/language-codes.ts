/** Language codes in a file of their own, so that importing them does not load the texts. */

/** To add a language: a file in `texts/`, a line in `languages.ts`, and its code here. */
export const LANGUAGE_CODES = ['en', 'de', 'pl', 'ar'] as const;
export type LanguageCode = (typeof LANGUAGE_CODES)[number];

/** The first supported language among the given tags (`de`, `de-AT`, `DE_at`). */
export function chooseLanguage(...tags: (string | undefined)[]): LanguageCode | undefined {
  for (const tag of tags) {
    const code = tag?.trim().toLowerCase().split(/[-_]/)[0];
    const found = LANGUAGE_CODES.find((one) => one === code);
    if (found) return found;
  }
  return undefined;
}

/** Variables for a message's language, the first supported one of `tags`, and for the language of voice calls. */
export function messageLanguage(voiceLanguage: string, ...tags: (string | undefined)[]) {
  const language = chooseLanguage(...tags);
  return { voiceLanguage, ...(language === undefined ? {} : { language }) };
}
