/** A widget's design as a form: each field read in its own way, in the words of who fills it in. */
import { WIDGET_TEXTS } from '../../platform/contract/generated/widget.js';
import type { WidgetDesign } from '../../modules/applications/application.js';
import { FieldError, readForm, type FieldReader, type FormBody, type FormState } from '../form.js';

export type TextName = keyof (typeof WIDGET_TEXTS)['en'];

export const TEXT_NAMES = Object.keys(WIDGET_TEXTS.en) as TextName[];

/** The field of one of the widget's texts. */
export const textField = (name: TextName): string => `text-${name}`;

/** The bounds of the contract's WidgetDesign. */
const TITLE_LENGTH = 100;
const TEXT_LENGTH = 300;
const LOGO_LENGTH = 500;
const LOGO = /^(https:\/\/[^\s"<>\\]+)?$/;
export const MAX_RADIUS = 32;
const THEMES: readonly WidgetDesign['theme'][] = ['auto', 'light', 'dark'];

const atMost =
  (length: number): FieldReader<string> =>
  (text) => {
    if (text.length > length) throw new FieldError(`Write at most ${length} characters; these are ${text.length}.`);
    return text.trim();
  };

/** Also without `#`, and in the short form of three digits. */
function colour(text: string): string {
  const digits = text.trim().replace(/^#/, '').toLowerCase();
  if (digits === '') return '';
  const long = /^[0-9a-f]{3}$/.test(digits) ? digits.replace(/./g, '$&$&') : digits;
  if (!/^[0-9a-f]{6}$/.test(long))
    throw new FieldError('Write a colour as # and six digits, such as #0a7cff, or leave the field empty.');
  return `#${long}`;
}

function radius(text: string): number {
  const pixels = Number(text);
  if (!/^\s*\d+\s*$/.test(text) || pixels > MAX_RADIUS)
    throw new FieldError(`Write a whole number of pixels from 0 to ${MAX_RADIUS}.`);
  return pixels;
}

function logo(text: string): string {
  const address = text.trim();
  if (!LOGO.test(address) || address.length > LOGO_LENGTH)
    throw new FieldError('Give the address of a picture that starts with https://, or leave the field empty.');
  return address;
}

function oneOf<T extends string>(values: readonly T[]): FieldReader<T> {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found === undefined) throw new FieldError('Choose one of the list.');
    return found;
  };
}

/** "" leaves it to the page and its visitor. A language that the command has set and the widget does not speak stays. */
export const languages = (stored: string): string[] => [...new Set(['', ...Object.keys(WIDGET_TEXTS), stored])];

const fieldsOf = (stored: WidgetDesign) => ({
  title: atMost(TITLE_LENGTH),
  logoUrl: logo,
  theme: oneOf(THEMES),
  accentColor: colour,
  backgroundColor: colour,
  textColor: colour,
  radius,
  language: oneOf(languages(stored.language)),
});

const TEXT_FIELDS = Object.fromEntries(TEXT_NAMES.map((name) => [textField(name), atMost(TEXT_LENGTH)]));

export type ReadDesign =
  | { readonly ok: true; readonly design: WidgetDesign; readonly state: FormState }
  | { readonly ok: false; readonly state: FormState };

/** Reads a posted form. Texts of names that this form has not stay as they are stored. */
export function readDesign(body: FormBody, stored: WidgetDesign): ReadDesign {
  const [look, words] = [readForm(fieldsOf(stored), body), readForm(TEXT_FIELDS, body)];
  const state = {
    typed: { ...look.state.typed, ...words.state.typed },
    errors: { ...look.state.errors, ...words.state.errors },
  };
  if (!look.ok || !words.ok) return { ok: false, state };
  const others = Object.entries(stored.texts).filter(([name]) => !(TEXT_NAMES as string[]).includes(name));
  const own = TEXT_NAMES.map((name) => [name, words.values[textField(name)]!]).filter(([, text]) => text !== '');
  return { ok: true, design: { ...look.values, texts: Object.fromEntries([...others, ...own]) }, state };
}

/** What the form shows of a design. */
export function shownDesign({ texts, radius: pixels, ...look }: WidgetDesign): Record<string, string> {
  const words = TEXT_NAMES.map((name) => [textField(name), texts[name] ?? '']);
  return { ...look, radius: String(pixels), ...Object.fromEntries(words) };
}
