/** Values as people say them. */
import type { VariableName } from './language.js';

/** What is read out character by character: nobody says an order number as a quantity. */
const SPELLED: ReadonlySet<VariableName> = new Set<VariableName>([
  'orderId',
  'trackingNo',
  'refundId',
  'transactionId',
  'invoiceNumber',
]);

const characters = (value: string): string => (value.match(/[\p{L}\p{N}]/gu) ?? [value]).join(', ');

/** `2026-03-05`, with or without a time: a day with the name of its month. */
function day(value: string, language: string): string | undefined {
  const date = /^(\d{4}-\d{2}-\d{2})(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/.exec(value)?.[1];
  const time = date === undefined ? NaN : Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(time)) return undefined;
  const format: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' };
  return new Intl.DateTimeFormat(`${language}-u-nu-latn`, format).format(time);
}

/** `USD 59.90`: voices know signs of currencies, but spell their codes. */
function money(value: string, language: string): string | undefined {
  const [, before, number, after] = /^([A-Z]{3})?\s?(\d{1,12}(?:\.\d{1,3})?)\s?([A-Z]{3})?$/.exec(value) ?? [];
  const currency = before ?? after;
  if (number === undefined || currency === undefined || (before !== undefined && after !== undefined)) return undefined;
  const format: Intl.NumberFormatOptions = { style: 'currency', currency, currencyDisplay: 'name' };
  return new Intl.NumberFormat(`${language}-u-nu-latn`, format).format(Number(number));
}

/** A variable's value for a call in a language. */
export function spoken(name: VariableName, value: string, language: string): string {
  if (SPELLED.has(name)) return characters(value);
  return day(value, language) ?? money(value, language) ?? value;
}
