import { numberFormats } from '../number-formats.js';
import { ANY_COUNTRY } from '../../modules/providers/route.js';
import type { PricesView } from '../../modules/providers/prices-service.js';
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { COST_SCALE, type UsageCounts, type UsageKey } from '../../modules/usage/usage.js';

export type Counts = UsageCounts & Pick<UsageKey, 'currency'>;

export interface Sum extends Omit<UsageCounts, 'cost'> {
  /** Costs by currency, in ten-thousandths of a currency unit, largest first. */
  readonly costs: readonly (readonly [currency: string, units: bigint])[];
}

/** A day or a bar of a chart is unusually high if it is at least this many times the median. */
const HIGH_FACTOR = 2;
/** A share is unusually low below this part of the usual share. */
const LOW_FACTOR = 0.75;
/** Fewer values do not show what is usual. */
const MIN_VALUES = 5;

/** Returns the median of the values that are not 0; undefined if there are too few of them to show what is usual. */
export function usualOf(values: readonly number[]): number | undefined {
  const sorted = values.filter((value) => value > 0).sort((a, b) => a - b);
  return sorted.length < MIN_VALUES ? undefined : sorted[Math.floor(sorted.length / 2)];
}

/** Whether a share, such as that of entered codes, is clearly lower than usual. */
export const isLow = (share: number, usual: number): boolean => share < LOW_FACTOR * usual;
export const isHigh = (value: number, usual: number): boolean => value >= HIGH_FACTOR * usual;

export const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

export function sumOf(counts: readonly Counts[]): Sum {
  const totalOf = (name: Exclude<keyof UsageCounts, 'cost'>) => total(counts.map((entry) => entry[name]));
  const costs = new Map<string, bigint>();
  for (const { currency, cost } of counts) if (cost > 0n) costs.set(currency, (costs.get(currency) ?? 0n) + cost);
  return {
    sent: totalOf('sent'),
    delivered: totalOf('delivered'),
    undelivered: totalOf('undelivered'),
    failed: totalOf('failed'),
    codes: totalOf('codes'),
    verified: totalOf('verified'),
    costs: [...costs].sort(([, a], [, b]) => (a < b ? 1 : -1)),
  };
}

/** Returns `part` as a share of `whole`, from 0 to 1. Returns undefined if `whole` is 0. */
export const rate = (part: number, whole: number): number | undefined => (whole > 0 ? part / whole : undefined);

/** Returns the share of delivered messages among the messages with a final delivery report. */
export const deliveryRate = ({ delivered, undelivered }: Sum): number | undefined =>
  rate(delivered, delivered + undelivered);

export const conversionRate = ({ verified, codes }: Pick<Sum, 'codes' | 'verified'>): number | undefined =>
  rate(verified, codes);

export const countText = (n: number): string => numberFormats().number.format(n);
/** Returns a regular noun in its form for a number: `1` → `report`, `0` → `reports`. */
export const nounFor = (count: number, noun: string): string => (count === 1 ? noun : `${noun}s`);
/** `1 message`, `1,204 messages` */
export const messagesText = (count: number): string => `${countText(count)} ${nounFor(count, 'message')}`;
/** `54 of 60 reports`, which breaks only before the noun. */
export const partText = (part: number, whole: number, noun: string): string =>
  `${countText(part)}\u00a0of\u00a0${countText(whole)} ${nounFor(whole, noun)}`;

/** Formats a share as `98%`, and undefined as `–`. Returns `100%` and `0%` only for shares of exactly 1 and 0. */
export function percent(share: number | undefined): string {
  if (share === undefined) return '–';
  const { percent: format } = numberFormats();
  if (share > 0 && share < 0.01) return `<${format.format(0.01)}`;
  return format.format(share < 1 ? Math.min(0.99, share) : 1);
}

/** Formats an amount as `61.20 USD`. Amounts below 0.01 have four decimals, so that they are not shown as 0. */
export function moneyText(units: bigint | number, currency: string): string {
  const value = Number(units) / COST_SCALE;
  const { money, smallMoney } = numberFormats();
  return `${(value !== 0 && value < 0.01 ? smallMoney : money).format(value)} ${currency.toUpperCase()}`;
}

/** An amount and its currency stay in one line. */
export const unbroken = (text: string): string => text.replace(/(?<=\d) (?=[A-Z]{3}\b)/g, '\u00a0');

/** The cost of a typical day; undefined if too few days had costs. `before`: the sums of the days before today. */
export const usualCostOf = (before: readonly Sum[], currency: string): number | undefined =>
  usualOf(before.map(({ costs }) => Number(costs.find(([own]) => own === currency)?.[1] ?? 0)));

/** `A typical day costs about 8.30 USD.`; "" if it is unknown. */
export const usualCostText = (usual: number | undefined, currency: string): string =>
  usual === undefined ? '' : `A typical day costs about ${moneyText(usual, currency)}.`;

/** Formats an amount without trailing zeros, for axis labels. */
export const shortMoney = (units: number, currency: string): string =>
  `${numberFormats().shortMoney.format(units / COST_SCALE)} ${currency.toUpperCase()}`;

/**
 * Formats costs as `61.20 USD and 3.00 EUR`. Without costs, returns `0.00 USD` in the default currency, or `No price set`
 * if no price applies to the messages.
 */
export const costText = ({ costs }: Sum, currency: string, hasPrice = true): string =>
  costs.map(([own, units]) => moneyText(units, own)).join(' and ') ||
  (hasPrice ? moneyText(0, currency) : 'No price set');

/** Whether a price applies to messages of a channel to a country, or to any country if it is left out. */
export type HasPrice = (channel: ChannelName, country?: string) => boolean;

export const createHasPrice =
  ({ channels }: PricesView): HasPrice =>
  (channel, country = ANY_COUNTRY) => {
    const prices = channels.find((own) => own.channel === channel)?.prices ?? {};
    return (
      prices[ANY_COUNTRY] !== undefined ||
      (country === ANY_COUNTRY ? Object.keys(prices).length > 0 : country in prices)
    );
  };

export function hasAnyPrice(prices: PricesView): boolean {
  const hasPrice = createHasPrice(prices);
  return CHANNELS.some((channel) => hasPrice(channel));
}

/** A rate is compared only if it is the result of this many codes or reports. */
export const JUDGED_CODES = 50;
/** Fewer messages in a day need no attention. */
export const NOTABLE_MESSAGES = 100;
/** Fewer failures are normal, such as mistyped numbers. */
export const NOTABLE_FAILURES = 5;

const percentChange = (now: number, before: number): number => Math.round((now / before - 1) * 100);

/** Describes the change in a count: `18% more than`, `as many as`. Returns undefined if the previous count was 0. */
export function countChange(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const change = percentChange(now, before);
  return change === 0 ? 'as many as' : `${countText(Math.abs(change))}% ${change > 0 ? 'more' : 'fewer'} than`;
}

/** A change since the previous period, such as `+18%` and `vs Jan 3–9`. Without a `change`, `text` states why. */
export interface Comparison {
  readonly change?: string;
  readonly text: string;
  /** Undefined if the change is too small to be good or bad. */
  readonly isIncrease?: boolean | undefined;
}

const changeOf = (change: number, unit: string, days: string): Comparison =>
  change === 0
    ? { text: `Same as ${days}` }
    : {
        change: `${change > 0 ? '+' : '−'}${countText(Math.abs(change))}${unit}`,
        text: `vs ${days.replaceAll('–', '–\u2060')}`,
        isIncrease: change > 0,
      };

/** `for Jan 3–9`, `on Jan 3` */
const onDays = (days: string): string => `${days.includes('–') ? 'for' : 'on'} ${days}`;

/** Compares a count with that of the previous days: `+18% vs Jan 3–9`, `Up from 0 for Jan 3–9`. */
export function compareCounts(now: number, before: number, days: string): Comparison {
  if (before > 0) return changeOf(percentChange(now, before), '%', days);
  return now > 0 ? { change: 'Up from 0', text: onDays(days), isIncrease: true } : { text: `0 ${onDays(days)}` };
}

/** Compares a rate with that of the previous days, in percentage points: `−2 points vs Jan 3–9`. `none`: the text without rates. */
export function compareRates(
  now: number | undefined,
  before: number | undefined,
  days: string,
  none: string,
): Comparison {
  if (before === undefined) return { text: now === undefined ? none : 'No earlier data' };
  if (now === undefined) return { text: `${percent(before)} ${onDays(days)}` };
  const points = Math.round(now * 100) - Math.round(before * 100);
  if (Math.abs(points) !== 1) return changeOf(points, ' points', days);
  return { ...changeOf(points, ' point', days), isIncrease: undefined };
}

export const mainCost = ({ costs }: Sum, currency: string) => costs[0] ?? ([currency, 0n] as const);

export function compareCosts(now: Sum, before: Sum, currency: string, days: string): Comparison {
  const [main, units] = mainCost(now, currency);
  const previous = before.costs.find(([own]) => own === main)?.[1] ?? 0n;
  const isOtherCurrency = previous === 0n && before.costs.length > 0;
  return isOtherCurrency ? { text: 'No earlier data' } : compareCounts(Number(units), Number(previous), days);
}
