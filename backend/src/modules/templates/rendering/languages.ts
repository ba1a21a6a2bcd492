import { chooseLanguage, LANGUAGE_CODES, type LanguageCode } from '../language-codes.js';
import type { Language } from './language.js';
import ar from './texts/ar.json' with { type: 'json' };
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import es from './texts/es.json' with { type: 'json' };
import fr from './texts/fr.json' with { type: 'json' };
import it from './texts/it.json' with { type: 'json' };
import nl from './texts/nl.json' with { type: 'json' };
import pl from './texts/pl.json' with { type: 'json' };
import pt from './texts/pt.json' with { type: 'json' };

const TEXTS: Readonly<Record<LanguageCode, Omit<Language, 'code' | 'direction'>>> = {
  en,
  de,
  fr,
  es,
  pt,
  pl,
  it,
  nl,
  ar,
};

/** The texts of each language, with its code and the direction of its script. */
export const LANGUAGES = Object.fromEntries(
  LANGUAGE_CODES.map((code) => [code, { ...TEXTS[code], code, direction: code === 'ar' ? 'rtl' : 'ltr' }]),
) as Readonly<Record<LanguageCode, Language>>;

/** Returns the first supported language among the given tags, otherwise English. */
export const languageOf = (...tags: (string | undefined)[]): Language => LANGUAGES[chooseLanguage(...tags) ?? 'en'];
