import type { WidgetDesign } from '../../modules/applications/application.js';
import { WIDGET_TEXTS } from '../../platform/contract/generated/widget.js';
import { linesHaveControlCharacters } from '../../platform/control-characters.js';
import { oneOf } from '../fields.js';
import { FieldError, readForm, type FieldReader, type FormBody, type FormState } from '../form.js';

export type TextName = keyof (typeof WIDGET_TEXTS)['en'];

export const TEXT_NAMES = Object.keys(WIDGET_TEXTS.en) as TextName[];

export const textField = (name: TextName): string => `text-${name}`;

const CONTROL_CHARACTERS_ERROR = 'Remove control characters and characters that change the direction of text.';

// All limits in this file match `WidgetDesign` in the contract.
export const MAX_RADIUS = 32;

const textUpTo =
  (length: number): FieldReader<string> =>
  (text) => {
    if (text.length > length) throw new FieldError(`Enter at most ${length} characters. This text has ${text.length}.`);
    if (linesHaveControlCharacters(text)) throw new FieldError(CONTROL_CHARACTERS_ERROR);
    return text.trim();
  };

/** Accepts colors with and without `#`, with three or six digits. */
function parseColor(text: string): string {
  const digits = text.trim().replace(/^#/, '').toLowerCase();
  if (digits === '') return '';
  const long = /^[0-9a-f]{3}$/.test(digits) ? digits.replace(/./g, '$&$&') : digits;
  if (!/^[0-9a-f]{6}$/.test(long))
    throw new FieldError('Enter a color as # and six hexadecimal digits, such as #0a7cff, or leave the field empty.');
  return `#${long}`;
}

function parseRadius(text: string): number {
  const pixels = Number(text);
  if (!/^\s*\d+\s*$/.test(text) || pixels > MAX_RADIUS)
    throw new FieldError(`Enter a whole number of pixels from 0 to ${MAX_RADIUS}.`);
  return pixels;
}

function parseLogo(text: string): string {
  const address = text.trim();
  if (!/^(https:\/\/[^\s"<>\\]+)?$/.test(address) || address.length > 500)
    throw new FieldError('Enter the URL of an image, starting with https://, or leave the field empty.');
  return address;
}

/**
 * Returns the languages that can be selected. "" means the language of the page or the visitor. `stored` is included
 * even if it is not supported, because the operator command accepts any language.
 */
export const languages = (stored: string): string[] => [...new Set(['', ...Object.keys(WIDGET_TEXTS), stored])];

const fieldsOf = (stored: WidgetDesign) => ({
  title: textUpTo(100),
  logoUrl: parseLogo,
  theme: oneOf(['auto', 'light', 'dark']),
  accentColor: parseColor,
  backgroundColor: parseColor,
  textColor: parseColor,
  radius: parseRadius,
  language: oneOf(languages(stored.language)),
});

const TEXT_FIELDS = Object.fromEntries(TEXT_NAMES.map((name) => [textField(name), textUpTo(300)]));

type ReadDesign =
  | { readonly ok: true; readonly design: WidgetDesign; readonly state: FormState }
  | { readonly ok: false; readonly state: FormState };

/** Parses the design form. Keeps stored texts that the form has no field for. */
export function readDesign(body: FormBody, stored: WidgetDesign): ReadDesign {
  const look = readForm(fieldsOf(stored), body);
  const texts = readForm(TEXT_FIELDS, body);
  const state: FormState = {
    ...look.state,
    typed: { ...look.state.typed, ...texts.state.typed },
    errors: { ...look.state.errors, ...texts.state.errors },
  };
  if (!look.ok || !texts.ok) return { ok: false, state };
  const others = Object.entries(stored.texts).filter(([name]) => !(TEXT_NAMES as string[]).includes(name));
  const own = TEXT_NAMES.map((name) => [name, texts.values[textField(name)]!]).filter(([, text]) => text !== '');
  return { ok: true, design: { ...look.values, texts: Object.fromEntries([...others, ...own]) }, state };
}

export function designFields({ texts, radius: pixels, ...look }: WidgetDesign): Record<string, string> {
  const fields = TEXT_NAMES.map((name) => [textField(name), texts[name] ?? '']);
  return { ...look, radius: String(pixels), ...Object.fromEntries(fields) };
}
