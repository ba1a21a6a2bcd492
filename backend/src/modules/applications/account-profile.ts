/** The name of an account, and the branding of its emails and its widget. */
import { UTC } from '../../platform/local-day.js';
import { linesHaveControlCharacters } from '../../platform/control-characters.js';
import type { Branding } from '../templates/template.js';
import { parsePng } from './png.js';
import { parseApplicationName, ValueError } from './setting-values.js';
import { contrast, ratioText, TEXT_CONTRAST } from './contrast.js';

export interface AccountProfile extends Branding {
  /** "" if the owners have not chosen one. */
  readonly name: string;
  readonly shownName: string;
  /** IANA name of the time zone of days and charts; "" if nobody has chosen one. */
  readonly timeZone: string;
}

export interface AccountProfileChange extends Partial<Omit<AccountProfile, 'logoUrl' | 'shownName'>> {
  /** A PNG; null removes the logo. */
  readonly logo?: Buffer | null;
}

/** Branding as stored, with the random id of the logo's URL. */
export interface StoredBranding {
  readonly accentColor?: string;
  readonly footer?: string;
  readonly logo?: string;
}

export const parseBranding = (text: unknown): StoredBranding =>
  text === null ? {} : (JSON.parse(text as string) as StoredBranding);

const MAX_FOOTER_LENGTH = 300;
/** Maximum length of a footer before the spaces around its lines are removed. */
const MAX_TYPED_FOOTER_LENGTH = 4 * MAX_FOOTER_LENGTH;
export const MAX_LOGO_BYTES = 48_000;
const MAX_LOGO_WIDTH = 1200;
const MAX_LOGO_HEIGHT = 600;
export const logoPath = (accountId: number, logo: string): string => `/branding/${accountId}-${logo}.png`;

export function brandingOf(accountId: number, stored: StoredBranding, url: string): Branding {
  const { accentColor = '', footer = '', logo } = stored;
  return { accentColor, footer, logoUrl: logo === undefined ? '' : `${url}${logoPath(accountId, logo)}` };
}

export const accountNameText = (text: string): string => (text.trim() === '' ? '' : parseApplicationName(text));

/** The names of all time zones, UTC first. */
export const TIME_ZONES: readonly string[] = [
  UTC,
  ...Intl.supportedValuesOf('timeZone').filter((name) => name !== UTC),
];

/** Returns the name of a time zone, which people can also find by its city: `new york` → `America/New_York`. */
export function timeZoneName(text: string): string {
  const name = text.trim().replaceAll(' ', '_').toLowerCase();
  const zone = TIME_ZONES.find((one) => `/${one.toLowerCase()}`.endsWith(`/${name}`));
  if (name === '' || zone === undefined)
    throw new ValueError(
      `${name === '' ? '' : `“${text.trim()}” is not in the list. `}Enter a large city in ${name === '' ? 'your' : 'the same'} time zone, such as Berlin.`,
    );
  return zone;
}

const footerTooLong = (length: number): ValueError =>
  new ValueError(`Enter at most ${MAX_FOOTER_LENGTH} characters. This text has ${length}.`);

export function brandFooter(text: string): string {
  if (text.length > MAX_TYPED_FOOTER_LENGTH) throw footerTooLong(text.length);
  const lines = text.split('\n').map((line) => line.trim());
  const footer = lines.filter((line) => line !== '').join('\n');
  if (footer.length > MAX_FOOTER_LENGTH) throw footerTooLong(footer.length);
  if (linesHaveControlCharacters(footer))
    throw new ValueError('Remove control characters and characters that change the direction of text.');
  return footer;
}

/** Parses a color for links and buttons. It must be readable on white, and white text must be readable on it. */
export function brandColor(text: string): string {
  const color = text.trim().toLowerCase();
  if (color === '') return '';
  if (!/^#[0-9a-f]{6}$/.test(color))
    throw new ValueError('Enter a color as # and six hexadecimal digits, such as #1a56db, or leave the field empty.');
  const ratio = contrast(color, '#ffffff');
  if (ratio >= TEXT_CONTRAST) return color;
  throw new ValueError(
    `The contrast of ${color} with white is ${ratioText(ratio)}. Links and buttons need at least ${TEXT_CONTRAST}:1. Choose a darker color.`,
  );
}

/** Parses a PNG from a data URL, or from base64. Returns it without metadata. */
export function brandLogo(text: string): Buffer {
  const base64 = text.replace(/\s/g, '').replace(/^data:image\/png;base64,/i, '');
  if (base64 === '') throw new ValueError('Choose a PNG file first.');
  const png = /^[A-Za-z0-9+/]+=*$/.test(base64) ? parsePng(Buffer.from(base64, 'base64')) : undefined;
  if (!png) throw new ValueError('This is not a PNG image. Export your logo as PNG, and choose the file again.');
  if (png.data.length > MAX_LOGO_BYTES || png.width > MAX_LOGO_WIDTH || png.height > MAX_LOGO_HEIGHT)
    throw new ValueError(
      `This image is ${png.width} × ${png.height} pixels and ${Math.ceil(png.data.length / 1000)} kB. Use at most ${MAX_LOGO_WIDTH} × ${MAX_LOGO_HEIGHT} pixels and ${MAX_LOGO_BYTES / 1000} kB.`,
    );
  return png.data;
}
