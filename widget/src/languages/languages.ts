/** The languages of the widget. To add one, write its file and add its line. */
import { ar } from './ar.js';
import { de } from './de.js';
import { en, type Texts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { pl } from './pl.js';
import { pt } from './pt.js';

export const LANGUAGES: Readonly<Record<string, Texts>> = { en, de, fr, es, pt, pl, ar };

const RIGHT_TO_LEFT = ['ar'];

export interface Language {
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  readonly texts: Texts;
}

/** Selects the first supported language of these tags, ignoring regions; English by default. */
export function selectLanguage(...candidates: readonly (string | undefined)[]): Language {
  const tags = candidates.map((candidate) => candidate?.trim().toLowerCase().split(/[-_]/)[0] ?? '');
  const tag = tags.find((name) => Object.hasOwn(LANGUAGES, name)) ?? 'en';
  return { tag, direction: RIGHT_TO_LEFT.includes(tag) ? 'rtl' : 'ltr', texts: LANGUAGES[tag]! };
}
