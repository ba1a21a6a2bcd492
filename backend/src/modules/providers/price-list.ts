/** Price lists: texts with one country and its price per line, such as a vendor's CSV file. */
import { parsePrice, type ChannelPrices } from '../../platform/config/prices-file.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { countryNamed } from '../recipients/country.js';
import { chargeOf } from '../usage/usage.js';
import { ANY_COUNTRY } from './route.js';

export interface PriceList {
  readonly prices: ChannelPrices;
  /** Problems with line numbers, such as `Line 3: no price …`. */
  readonly problems: readonly string[];
  /** Number of lines that repeat an earlier line's country. The highest price counts. */
  readonly repeated: number;
}

/** A country whose price is new, different or removed. */
export interface PriceChange {
  readonly country: string;
  /** Undefined if there is no price. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const ANY_COUNTRY_NAMES: readonly string[] = [ANY_COUNTRY, 'default', 'all other countries'];

/** Returns the ISO 3166 code of a country, by its code or English name, or `*` for all others. */
export const countryOf = (text: string): string | undefined =>
  ANY_COUNTRY_NAMES.includes(text.trim().toLowerCase()) ? ANY_COUNTRY : countryNamed(text);

/**
 * Splits a line at tabs, semicolons, equals signs or commas, otherwise at the last space. Quoted cells may contain
 * commas.
 */
function cellsOf(line: string): readonly string[] {
  const separator = ['\t', ';', '=', ','].find((character) => line.includes(character));
  if (separator === undefined) return /^(.*\S)\s+(\S+)$/.exec(line.trim())?.slice(1) ?? [line];
  // The parts at even positions are outside of quotation marks.
  const cells = [''];
  for (const [position, part] of line.split('"').entries()) {
    const [first = '', ...others] = position % 2 === 0 ? part.split(separator) : [part];
    cells[cells.length - 1] += first;
    cells.push(...others);
  }
  return cells.map((cell) => cell.trim());
}

const MAX_PRICE_LENGTH = 30;

/** `$0.0042`, `0.0042 USD` and `0,0042` → `0.0042`. Further decimals are rounded up: `0.00421` → `0.0043`. */
export function priceOf(text: string): string | undefined {
  if (text.length > MAX_PRICE_LENGTH || !/\d/.test(text)) return undefined;
  const number = text
    .trim()
    .replace(/^(?:[A-Z]{3}|\p{Sc})|(?:[A-Z]{3}|\p{Sc})$/giu, '')
    .trim();
  const [, whole = '', decimals = '', rest = ''] = /^(\d{1,6})(?:[.,](\d{1,4})(\d*))?$/.exec(number) ?? [];
  if (whole === '') return undefined;
  if (!/[1-9]/.test(rest)) return parsePrice(decimals === '' ? whole : `${whole}.${decimals}`);
  return chargeOf(BigInt(whole + decimals) + 1n);
}

const isPriceTitle = (cell: string): boolean => /price|rate|cost/i.test(cell);

const NO_PRICE = 'no price. Use a number such as 0.0042.';

function problemOf(
  cells: readonly string[],
  country: string | undefined,
  price: string | undefined,
  channel: ChannelName,
): string | undefined {
  // In lines with more cells, any of them may be the country.
  const entered = cells.length > 2 ? undefined : cells.find((cell) => cell !== '' && priceOf(cell) === undefined);
  if (country === undefined && entered !== undefined) return `“${entered}” is not a country.`;
  if (country === undefined) return 'no country. Use a code such as IN, an English name, or * for all other countries.';
  if (price === undefined) return NO_PRICE;
  return channel === 'EMAIL' && country !== ANY_COUNTRY ? 'emails have no country. Use *.' : undefined;
}

/** Names the country of a form's row, because its rows have no numbers. */
function rowProblem(country: string | undefined, entered: string, problem: string): string {
  if (entered === '') return 'Enter a country for each price.';
  if (country === undefined) return `“${entered}” is not a country.`;
  return `${entered}: ${problem === NO_PRICE ? 'Enter a price such as 0.0042.' : problem}`;
}

/** Longer lines would take a long time to read. */
const MAX_LINE_LENGTH = 2000;

/**
 * Reads a price list. If the first line contains no price, but a title such as `Price`, `Rate` or `Cost`, it is a
 * heading, and this title marks the price column. `unit`: whether the lines are those of a list, or the rows of a form.
 */
export function parsePriceList(text: string, channel: ChannelName, unit: 'Line' | 'Row' = 'Line'): PriceList {
  const prices: Record<string, string> = {};
  const problems: string[] = [];
  let priceColumn = -1;
  let repeated = 0;
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const first = lines.findIndex((line) => line.trim() !== '');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    if (line.length > MAX_LINE_LENGTH) {
      problems.push(`${unit} ${index + 1}: too long. Enter one country and its price per line.`);
      continue;
    }
    const cells = cellsOf(line);
    const found = priceColumn >= 0 ? priceOf(cells[priceColumn] ?? '') : cells.map(priceOf).filter(Boolean).at(-1);
    const country = cells.map(countryOf).find(Boolean);
    if (index === first && found === undefined && cells.some(isPriceTitle)) {
      priceColumn = cells.findIndex(isPriceTitle);
      continue;
    }
    const problem = problemOf(cells, country, found, channel);
    if (problem !== undefined) {
      problems.push(unit === 'Row' ? rowProblem(country, cells[0]!, problem) : `Line ${index + 1}: ${problem}`);
      continue;
    }
    const before = prices[country!];
    if (before !== undefined) repeated++;
    if (before === undefined || Number(before) < Number(found)) prices[country!] = found!;
  }
  return { prices: sorted(prices), problems, repeated };
}

/** Sorts by country, so that equal prices produce the same JSON. `*` comes first. */
const sorted = (prices: ChannelPrices): ChannelPrices =>
  Object.fromEntries(Object.entries(prices).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Replaces the prices of the given countries. An undefined price removes the country. */
export function mergePrices(
  before: ChannelPrices,
  change: Readonly<Record<string, string | undefined>>,
): ChannelPrices {
  const kept = Object.entries({ ...before, ...change }).filter(([, price]) => price !== undefined);
  return sorted(Object.fromEntries(kept) as Record<string, string>);
}

export function priceChanges(before: ChannelPrices, after: ChannelPrices): readonly PriceChange[] {
  const countries = Object.keys(sorted({ ...before, ...after }));
  return countries
    .map((country) => ({ country, before: before[country], after: after[country] }))
    .filter((change) => change.before !== change.after);
}
