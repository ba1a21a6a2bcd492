/** Usage: how many messages each application sent and what they cost, by day, channel and country. */
import type { ChannelName } from '../../platform/contract/channels.js';

export interface UsageKey {
  readonly applicationId: number;
  /** Day in the account's time zone when the message was sent, failed or expired, such as `2026-01-31`. */
  readonly day: string;
  /** The channel on which the message was sent, or the last channel tried. */
  readonly channel: ChannelName;
  /** ISO 3166 code; "" for email, and for numbers without a country. */
  readonly country: string;
  readonly currency: string;
}

export const COUNTERS = ['sent', 'delivered', 'undelivered', 'failed', 'codes', 'verified', 'cost'] as const;
type Counter = (typeof COUNTERS)[number];

/**
 * Amounts to add to the usage counts of the day of `at`, in epoch milliseconds. `sent`: messages accepted by a provider;
 * `delivered` and `undelivered`: as reported by the provider; `failed`: failed or expired messages; `codes`: sent codes that
 * are no longer valid; `verified`: verified codes, on the day they were sent; `cost`: cost in ten-thousandths of the currency
 * unit. Omitted counters are 0.
 */
export type UsageChange = Omit<UsageKey, 'day'> & { readonly at: number } & { readonly [Name in Counter]?: number };

export type UsageCounts = { readonly [Name in Exclude<Counter, 'cost'>]: number } & { readonly cost: bigint };

export const ZERO_COUNTS = { sent: 0, delivered: 0, undelivered: 0, failed: 0, codes: 0, verified: 0, cost: 0n };

export interface UsageRange {
  readonly applicationIds: readonly number[];
  readonly from: string;
  readonly to: string;
}

/** Columns that sums can be grouped by. Sums are always grouped by currency as well. */
export type UsageGroup = 'applicationId' | 'day' | 'channel' | 'country';

export type UsageSum<Group extends UsageGroup> = Pick<UsageKey, Group | 'currency'> & UsageCounts;

/** Number of cost units in one currency unit. Costs are integers, so that sums are exact. */
export const COST_SCALE = 10_000;

/** `0.0075` → 75. */
export const unitsOf = (charge: string): number => Number(charge.replace('.', ''));

/** 75 → `0.0075`. */
export function chargeOf(units: bigint): string {
  const digits = String(units).padStart(5, '0');
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}
