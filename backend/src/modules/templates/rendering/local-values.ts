/**
 * Formats dates and amounts in the recipient's language. Only unambiguous values are formatted: ISO 8601 dates, and
 * amounts with an ISO 4217 code. All others stay as the caller sent them.
 */

import { isDay } from '../../../platform/clock.js';
import { losesAccents } from '../../../platform/gsm7.js';

/** Digits stay Latin in every language, because the rest of the message (such as an order number) has Latin digits. */
const localeOf = (language: string): string => `${language}-u-nu-latn`;

interface LocalDate {
  /** The date and time as the caller wrote them, as a UTC time. */
  readonly time: number;
  readonly hasTime: boolean;
  readonly isUtc: boolean;
}

/** Parses `2026-03-05`, `2026-03-05T10:00Z` and `2026-03-05T10:00:00+01:00`. */
function parseDate(value: string): LocalDate | undefined {
  const [, date, time, zone] =
    /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(value) ?? [];
  const parsed = date === undefined || !isDay(date) ? NaN : Date.parse(`${date}T${time ?? '00:00'}Z`);
  return Number.isNaN(parsed) ? undefined : { time: parsed, hasTime: time !== undefined, isUtc: zone === 'Z' };
}

/** Parses `USD 59.90` and `59.90 USD`. */
function parseAmount(value: string): { readonly number: number; readonly currency: string } | undefined {
  const [, before, number, after] = /^([A-Z]{3})?\s?(\d{1,12}(?:\.\d{1,3})?)\s?([A-Z]{3})?$/.exec(value) ?? [];
  const currency = before ?? after;
  if (number === undefined || currency === undefined || (before !== undefined && after !== undefined)) return undefined;
  return { number: Number(number), currency };
}

const DATE: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' };
const TIME: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' };

function formatAmount(value: string, language: string, currencyDisplay: 'code' | 'name' | 'symbol') {
  const amount = parseAmount(value);
  if (!amount) return undefined;
  const { number, currency } = amount;
  const format = new Intl.NumberFormat(localeOf(language), { style: 'currency', currency, currencyDisplay });
  const decimals = /\.(\d+)/.exec(value)?.[1]?.length ?? 0;
  // An amount with more decimals than its currency has would be rounded.
  return decimals > (format.resolvedOptions().maximumFractionDigits ?? 2) ? undefined : format.format(number);
}

/** `2026-03-05` → `March 5, 2026`, `USD 59.90` → `59.90 US dollars`. Voices would read out the currency code. */
export function spokenValue(value: string, language: string): string {
  const date = parseDate(value);
  if (date) return new Intl.DateTimeFormat(localeOf(language), DATE).format(date.time);
  return formatAmount(value, language, 'name') ?? value;
}

/** The date in digits, for an SMS, whose alphabet lacks letters of some months, such as `março`. */
const DIGITS: Intl.DateTimeFormatOptions = { ...DATE, day: '2-digit', month: '2-digit' };

function formatDate({ time, hasTime, isUtc }: LocalDate, language: string, plain: boolean): string {
  const format = (date: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(localeOf(language), hasTime ? { ...date, ...TIME } : date).format(time) +
    (isUtc ? ' UTC' : '');
  const written = format(DATE);
  return plain && losesAccents(written) ? format(DIGITS) : written;
}

/**
 * `2026-03-05` → `5. März 2026`, `EUR 59.90` → `59,90 €`. `plain` keeps the currency code, because symbols make an SMS
 * longer.
 */
export function writtenValue(value: string, language: string, { plain = false } = {}): string {
  const date = parseDate(value);
  const formatted = date ? formatDate(date, language, plain) : formatAmount(value, language, plain ? 'code' : 'symbol');
  // Direction marks could reorder the rest of the message. Narrow spaces are not in the alphabet of SMS.
  return formatted?.replace(/[\u061c\u200e\u200f]/g, '').replace(/[\u00a0\u202f]/g, plain ? ' ' : '\u00a0') ?? value;
}
