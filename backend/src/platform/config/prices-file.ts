import { readFileSync } from 'node:fs';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { isObject } from '../json.js';
import { CHANNELS, type ChannelName } from '../contract/channels.js';

/**
 * Prices of a channel by ISO 3166 country code. `*` is the price for all other countries. Missing countries are free.
 */
export type ChannelPrices = Readonly<Record<string, string>>;

/** Prices are strings with four decimals, because binary floating-point numbers are inexact. */
export interface PriceTable {
  readonly currency: string;
  /** Prices by channel. Missing channels are free. */
  readonly prices: Readonly<Partial<Record<ChannelName, ChannelPrices>>>;
}

export const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code.toUpperCase());

/** Parses a price: `0.0075` or `"0.0075"` → `0.0075`. Returns undefined for any other value. */
export function parsePrice(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  const match = typeof text === 'string' ? /^(\d{1,6})(?:\.(\d{1,4}))?$/.exec(text) : null;
  return match ? `${Number(match[1])}.${(match[2] ?? '').padEnd(4, '0')}` : undefined;
}

function channelPrices(name: string, input: unknown, problems: string[]): Record<string, string> {
  if (!isObject(input)) {
    problems.push(`prices.${name} must be an object of prices by country`);
    return {};
  }
  const prices: Record<string, string> = {};
  for (const [country, value] of Object.entries(input)) {
    const price = parsePrice(value);
    if (country !== '*' && !isSupportedCountry(country))
      problems.push(`prices.${name}.${country} is not a country: use ISO 3166 codes such as US, or "*" for all others`);
    if (price === undefined)
      problems.push(`prices.${name}.${country} must be a price such as "0.0075", with at most four decimals`);
    else prices[country] = price;
  }
  if (!Object.hasOwn(input, '*'))
    problems.push(`prices.${name} needs a price for "*", which means all other countries`);
  return prices;
}

function tableOf(input: unknown): PriceTable {
  if (!isObject(input) || !isObject(input.prices))
    throw new Error(
      'must name a JSON file with content such as {"currency": "usd", "prices": {"SMS": {"US": "0.0079", "*": "0.05"}}}',
    );
  const problems = Object.keys(input)
    .filter((key) => key !== 'currency' && key !== 'prices')
    .map((key) => `${key} is unknown`);
  const currency = String(input.currency);
  if (!isCurrency(currency)) problems.push('currency must be an ISO 4217 code such as usd');
  const prices: Record<string, Record<string, string>> = {};
  for (const [name, value] of Object.entries(input.prices)) {
    if (!CHANNELS.includes(name as ChannelName))
      problems.push(`prices.${name} is not a channel: use ${CHANNELS.join(', ')}`);
    else prices[name] = channelPrices(name, value, problems);
  }
  if (problems.length > 0) throw new Error(`names a file that contains errors: ${problems.join('; ')}`);
  return { currency: currency.toLowerCase(), prices };
}

export function readPrices(file: string): PriceTable {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch {
    throw new Error('names a file that is not valid JSON');
  }
  return tableOf(input);
}
