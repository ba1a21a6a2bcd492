/** The language of the widget. English is part of the script; other languages are loaded from the service. */
import { logError } from './developer.js';
import { en, type Texts } from './languages/en.js';

export interface Language {
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  readonly texts: Texts;
}

/** Version of each language's texts, by tag. The build defines it. */
declare const LANGUAGE_VERSIONS: Readonly<Record<string, string>>;

const RIGHT_TO_LEFT: readonly string[] = ['ar'];

export const ENGLISH: Language = { tag: 'en', direction: 'ltr', texts: en };

/** Users prefer a form in English to none. */
const TIMEOUT_MS = 5000;

/** Selects the first supported language of these tags, ignoring regions; English by default. */
export function selectLanguage(candidates: readonly (string | undefined)[]): string {
  const tags = candidates.map((candidate) => candidate?.trim().toLowerCase().split(/[-_]/)[0] ?? '');
  return tags.find((tag) => Object.hasOwn(LANGUAGE_VERSIONS, tag)) ?? ENGLISH.tag;
}

/** Loads the texts of a language. Returns English if they cannot be loaded. */
export async function loadLanguage(tag: string, folder: string): Promise<Language> {
  if (tag === ENGLISH.tag) return ENGLISH;
  // The version keeps this script from showing cached texts of an earlier release.
  const url = `${folder}/${tag}.json?v=${LANGUAGE_VERSIONS[tag]}`;
  try {
    const response = await fetch(url, { credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    // During an upgrade, the texts can be those of another release, with fewer names.
    const texts = { ...en, ...((await response.json()) as Partial<Texts>) };
    return { tag, direction: RIGHT_TO_LEFT.includes(tag) ? 'rtl' : 'ltr', texts };
  } catch (error) {
    logError(
      `Could not load ${url}. The widget is shown in English. Check connect-src in your Content-Security-Policy.`,
      error,
    );
    return ENGLISH;
  }
}
