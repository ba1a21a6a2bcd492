import { chooseLanguage, type LanguageCode } from '../language-codes.js';
import type { Language } from './language.js';
import { ar } from './texts/ar.js';
import { de } from './texts/de.js';
import { en } from './texts/en.js';
import { es } from './texts/es.js';
import { fr } from './texts/fr.js';
import { it } from './texts/it.js';
import { nl } from './texts/nl.js';
import { pl } from './texts/pl.js';
import { pt } from './texts/pt.js';

export const LANGUAGES: Readonly<Record<LanguageCode, Language>> = { en, de, fr, es, pt, pl, it, nl, ar };

/** Returns the first supported language among the given tags, otherwise English. */
export const languageOf = (...tags: (string | undefined)[]): Language => LANGUAGES[chooseLanguage(...tags) ?? 'en'];
