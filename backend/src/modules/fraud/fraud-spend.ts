/** R6: what a day may cost. */
import { DAY } from '../../platform/clock.js';
import type { Bucket, FraudSend, GuardedApplication, Refusal } from './fraud.js';
import { bucketStart } from './fraud-counters.js';
import { baselineOf, isBlind, sumOf } from './fraud-evidence.js';
import type { FraudSettings } from './fraud-settings.js';

/** Settings are in whole units of the currency, counters in ten-thousandths. */
const UNIT = 10_000;
/** Fewer recipients than this say nothing about the day's conversion. */
const ENOUGH_RECIPIENTS = 20;

/** Shares of the day's limit at which the owners get a mail. */
export const SPEND_ALERTS = [0.5, 0.8] as const;

export const todaysSpend = (days: readonly Bucket[], now: number): number =>
  days.find(({ start }) => start === bucketStart('day', now))?.spend ?? 0;

/** A multiple of the most expensive of the last days, or the owner's budget, in ten-thousandths; `Infinity` if both are off. */
export function spendLimit(days: readonly Bucket[], settings: FraudSettings, now: number) {
  const today = bucketStart('day', now);
  const highest = Math.max(0, ...days.filter(({ start }) => start < today).map(({ spend }) => spend));
  const off = settings.spendFactor === 0;
  return {
    usual: off ? Infinity : Math.max(settings.spendFloor * UNIT, settings.spendFactor * highest),
    budget: settings.spendBudget === 0 ? Infinity : settings.spendBudget * UNIT,
  };
}

/** The day has reached a share of its limit. Amounts are in ten-thousandths of the currency. */
export interface SpendAlert {
  readonly share: (typeof SPEND_ALERTS)[number];
  readonly spend: number;
  readonly limit: number;
  readonly isBudget: boolean;
}

/**
 * The highest share that the day reaches with a message of this cost. All later messages reach it, too, because a process that
 * learns late of the others' costs may never see the message that crosses it.
 */
export function spendAlert(
  days: readonly Bucket[],
  cost: number,
  settings: FraudSettings,
  now: number,
): SpendAlert | undefined {
  const { usual, budget } = spendLimit(days, settings, now);
  const [spend, limit] = [todaysSpend(days, now) + cost, Math.min(usual, budget)];
  const share = [...SPEND_ALERTS].reverse().find((one) => spend >= one * limit);
  return share && { share, spend, limit, isBudget: budget <= usual };
}

/** Whether the new recipients of today enter their codes as usual. */
function convertsAsUsual(days: readonly Bucket[], settings: FraudSettings, now: number): boolean {
  const today = sumOf(days, bucketStart('day', now));
  if (today.sent < ENOUGH_RECIPIENTS) return true;
  return today.verified >= today.sent * baselineOf(days, now) * (settings.countryTolerance / 100);
}

/** A busy day with its usual conversion is never stopped by the multiple, only by a budget. */
export function spendRefusal(
  { cost }: Pick<FraudSend, 'cost'>,
  days: readonly Bucket[],
  application: Pick<GuardedApplication, 'everVerified' | 'verifiedElsewhere'>,
  settings: FraudSettings,
  now: number,
  allowedByPerson: boolean,
): Refusal | undefined {
  const { usual, budget } = spendLimit(days, settings, now);
  const spend = todaysSpend(days, now) + cost;
  const judgeable = application.everVerified && !isBlind(application, days, now);
  const healthy = allowedByPerson || (judgeable && convertsAsUsual(days, settings, now));
  const limit = spend > budget ? budget : spend > usual && !healthy ? usual : undefined;
  if (cost === 0 || limit === undefined) return undefined;
  const today = bucketStart('day', now);
  const evidence = { from: today, ...sumOf(days, today), spend: spend - cost, limit, unit: 'spend' } as const;
  return { rule: 'R6', scope: 'application', key: '', until: today + DAY, evidence };
}
