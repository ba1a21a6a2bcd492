/** The languages that messages are written in. Adding one is a file in `texts/` and a line here. */
import type { Language } from './language.js';
import { ar } from './texts/ar.js';
import { de } from './texts/de.js';
import { en } from './texts/en.js';
import { pl } from './texts/pl.js';

export const LANGUAGES: Readonly<Record<string, Language>> = { en, de, pl, ar };

/** The first of the wanted tags (`de`, `de-AT`, `DE_at`) whose language is spoken; undefined when none is. */
export function chooseLanguage(...wanted: (string | undefined)[]): string | undefined {
  const codes = wanted.map((tag) => tag?.trim().toLowerCase().split(/[-_]/)[0] ?? '');
  return codes.find((code) => Object.hasOwn(LANGUAGES, code));
}

/** The first of the wanted languages that is spoken, else English. */
export const languageOf = (...wanted: (string | undefined)[]): Language =>
  LANGUAGES[chooseLanguage(...wanted) ?? 'en']!;

/** Variables that tell the templates which language to use: the first wanted one that is spoken, and that of calls. */
export function messageLanguage(voiceLanguage: string, ...wanted: (string | undefined)[]) {
  const language = chooseLanguage(...wanted);
  return { voiceLanguage, ...(language === undefined ? {} : { language }) };
}
