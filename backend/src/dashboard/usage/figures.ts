/** What usage comes to: sums, shares and how they changed, and the words for them. */
import type { UsageCounts, UsageKey } from '../../modules/usage/usage-store.js';

export type Counts = UsageCounts & Pick<UsageKey, 'currency'>;

/** Sums of several counts; costs are told apart by their currency, in ten-thousandths, the largest first. */
export interface Sum extends Omit<UsageCounts, 'cost'> {
  readonly costs: readonly (readonly [currency: string, units: bigint])[];
}

const COUNTERS = ['sent', 'delivered', 'undelivered', 'failed', 'codes', 'verified'] as const;

export function sumOf(counts: readonly Counts[]): Sum {
  const total = (name: (typeof COUNTERS)[number]) => counts.reduce((sum, one) => sum + one[name], 0);
  const costs = new Map<string, bigint>();
  for (const { currency, cost } of counts) if (cost > 0n) costs.set(currency, (costs.get(currency) ?? 0n) + cost);
  const [sent, delivered, undelivered, failed, codes, verified] = COUNTERS.map(total) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const largest = [...costs].sort(([, a], [, b]) => (a < b ? 1 : -1));
  return { sent, delivered, undelivered, failed, codes, verified, costs: largest };
}

/** A part of a whole from 0 to 1; undefined where there is no whole. */
export const shareOf = (part: number, whole: number): number | undefined => (whole > 0 ? part / whole : undefined);

/** Of the messages whose provider reported anything. */
export const arrived = ({ delivered, undelivered }: Sum): number | undefined =>
  shareOf(delivered, delivered + undelivered);

export const converted = ({ verified, codes }: Sum): number | undefined => shareOf(verified, codes);

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const MONEY = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const SMALL_MONEY = new Intl.NumberFormat('en', { minimumFractionDigits: 4, maximumFractionDigits: 4 });

/** `1,204`. */
export const count = (n: number): string => WHOLE.format(n);

/** `98.2%`; a dash where there is nothing to divide. Never 100% of what is a little less. */
export function percent(share: number | undefined): string {
  if (share === undefined) return '–';
  const tenths = share < 1 ? Math.min(99.9, Math.round(share * 1000) / 10) : 100;
  return `${tenths}%`;
}

/** `61.20 USD`; what is less than one has four decimals. */
export function money(units: bigint | number, currency: string): string {
  const value = Number(units) / 10_000;
  return `${(value !== 0 && value < 1 ? SMALL_MONEY : MONEY).format(value)} ${currency.toUpperCase()}`;
}

/** For an axis: as short as it can be. */
export const shortMoney = (units: number, currency: string): string =>
  `${Number((units / 10_000).toFixed(4))} ${currency.toUpperCase()}`;

/** `61.20 USD and 3.00 EUR`; `0.00 USD` in the service's currency where nothing was paid. */
export function moneyOf({ costs }: Sum, currency: string): string {
  return costs.map(([own, units]) => money(units, own)).join(' and ') || money(0, currency);
}

/** `18% more than`, `as many as`; undefined where there was nothing before. */
export function changeOf(now: number, before: number, words = { more: 'more', less: 'fewer', same: 'as many as' }) {
  if (before === 0) return undefined;
  const change = Math.round((now / before - 1) * 100);
  if (change === 0) return words.same;
  return `${count(Math.abs(change))}% ${change > 0 ? words.more : words.less} than`;
}

/** `3 points more than`; undefined where one of them is missing. */
export function pointsOf(now: number | undefined, before: number | undefined): string | undefined {
  if (now === undefined || before === undefined) return undefined;
  const points = Math.round((now - before) * 1000) / 10;
  if (points === 0) return 'the same as';
  return `${Math.abs(points)} ${Math.abs(points) === 1 ? 'point' : 'points'} ${points > 0 ? 'more' : 'less'} than`;
}
