/** Fraud rule R6: limits an application's daily cost. */
import { DAY } from '../../platform/clock.js';
import type { Bucket, FraudSend, GuardedApplication, Refusal } from './fraud.js';
import { COST_SCALE } from '../usage/usage.js';
import { bucketStart } from './fraud-counters.js';
import { baselineOf, isConversionUnknown, sumOf } from './fraud-evidence.js';
import type { FraudSettings } from './fraud-settings.js';

/** With fewer recipients than this, the day's conversion is not meaningful. */
const MIN_RECIPIENTS = 20;

/** Shares of the daily limit at which the owners get an email. */
export const SPEND_ALERTS = [0.5, 0.8] as const;

export const todaysSpend = (days: readonly Bucket[], now: number): number =>
  days.find(({ start }) => start === bucketStart('day', now))?.spend ?? 0;

/**
 * Returns the automatic limit, which is a multiple of the highest recent daily cost, and the owner's budget, both in
 * ten-thousandths of the currency. A limit that is off is `Infinity`.
 */
export function spendLimit(days: readonly Bucket[], settings: FraudSettings, now: number) {
  const today = bucketStart('day', now);
  const highest = Math.max(0, ...days.filter(({ start }) => start < today).map(({ spend }) => spend));
  const off = settings.spendFactor === 0;
  return {
    usual: off ? Infinity : Math.max(settings.spendFloor * COST_SCALE, settings.spendFactor * highest),
    budget: settings.spendBudget === 0 ? Infinity : settings.spendBudget * COST_SCALE,
  };
}

/** An alert that the daily cost has reached a share of its limit. Amounts are in ten-thousandths of the currency. */
export interface SpendAlert {
  readonly share: (typeof SPEND_ALERTS)[number];
  readonly spend: number;
  readonly limit: number;
  readonly isBudget: boolean;
}

/**
 * Returns an alert for the highest share that the daily cost reaches with this message. Later messages on the same day
 * return it as well: each process sees the costs of other processes with a delay, so none may notice the message that
 * reaches the share.
 */
export function spendAlert(
  days: readonly Bucket[],
  cost: number,
  settings: FraudSettings,
  now: number,
): SpendAlert | undefined {
  const { usual, budget } = spendLimit(days, settings, now);
  const spend = todaysSpend(days, now) + cost;
  const limit = Math.min(usual, budget);
  const share = [...SPEND_ALERTS].reverse().find((one) => spend >= one * limit);
  return share && { share, spend, limit, isBudget: budget <= usual };
}

/**
 * Returns whether today's counted recipients enter their codes as usual. On a day with few codes, returns true for a code
 * and false for a notification.
 */
function convertsAsUsual(
  days: readonly Bucket[],
  settings: FraudSettings,
  now: number,
  kind: 'code' | 'notification',
): boolean {
  const today = sumOf(days, bucketStart('day', now));
  if (today.sent < MIN_RECIPIENTS) return kind === 'code';
  return today.verified >= today.sent * baselineOf(days, now) * (settings.countryTolerance / 100);
}

type Costly = Pick<FraudSend, 'cost'>;

function refusalAbove(limit: number, { cost }: Costly, days: readonly Bucket[], now: number): Refusal | undefined {
  const spend = todaysSpend(days, now);
  if (cost === 0 || spend + cost <= limit) return undefined;
  const today = bucketStart('day', now);
  const evidence = { from: today, ...sumOf(days, today), spend, limit, unit: 'spend' } as const;
  return { rule: 'R6', scope: 'application', key: '', until: today + DAY, evidence };
}

/** Returns the refusal of a message that exceeds the owner's budget. Nobody is exempt from it. */
export function budgetRefusal(
  send: Costly,
  days: readonly Bucket[],
  settings: FraudSettings,
  now: number,
): Refusal | undefined {
  const refusal = refusalAbove(spendLimit(days, settings, now).budget, send, days, now);
  return refusal && { ...refusal, evidence: { ...refusal.evidence, isBudget: true } };
}

/** Returns the refusal of a message that exceeds the automatic limit on a day that differs from usual days. */
export function spendRefusal(
  send: Costly,
  days: readonly Bucket[],
  application: Pick<GuardedApplication, 'everVerified' | 'verifiedElsewhere'>,
  settings: FraudSettings,
  now: number,
  kind: 'code' | 'notification' = 'code',
): Refusal | undefined {
  const judgeable = application.everVerified && !isConversionUnknown(application, days, now);
  if (judgeable && convertsAsUsual(days, settings, now, kind)) return undefined;
  return refusalAbove(spendLimit(days, settings, now).usual, send, days, now);
}
