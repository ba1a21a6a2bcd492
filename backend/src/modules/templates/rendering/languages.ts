import { chooseLanguage, type LanguageCode } from '../language-codes.js';
import type { Language } from './language.js';
import { ar } from './texts/ar.js';
import { de } from './texts/de.js';
import { en } from './texts/en.js';
import { pl } from './texts/pl.js';

export const LANGUAGES: Readonly<Record<LanguageCode, Language>> = { en, de, pl, ar };

/** Returns the first supported language among the given tags, otherwise English. */
export const languageOf = (...tags: (string | undefined)[]): Language => LANGUAGES[chooseLanguage(...tags) ?? 'en'];
