/** Texts about a daily budget. Its day is in UTC; times are in the time zone of the account. */
import {
  expectedUse,
  LIMIT_OF,
  SCALES,
  sufficientBudget,
  usedUpAt,
  type BudgetUnit,
  type BudgetView,
} from '../../modules/budgets/budgets.js';
import { LIMITS } from '../../modules/applications/application-limits.js';
import type { AccountCeilings } from '../../modules/applications/account-ceilings.js';
import { DAY, HOUR, MINUTE, startOfDay } from '../../platform/clock.js';
import { momentText } from '../components/time.js';
import { countText, messagesText, moneyText } from '../usage/figures.js';

const ROUNDED_MS = 5 * MINUTE;
/** Expected costs from this amount have no decimals. */
const ROUNDED_FROM = 10;

/** `17.00 of 20.00 USD`, `2,150 of 6,000 messages` */
export const usedText = (unit: BudgetUnit, { used, limit }: BudgetView, currency: string): string =>
  unit === 'cost'
    ? `${moneyText(used, '').trim()} of ${moneyText(limit, currency)}`
    : `${countText(used)} of ${messagesText(limit)}`;

/** `01:00`, `19:00 yesterday` */
export const budgetStart = (now: number, zone: string): string => momentText(startOfDay(now), now, zone);

/** When a budget resets: `01:00 tomorrow`; `23:00` if the UTC day ends before the local day. */
export const budgetEnd = (now: number, zone: string): string => momentText(startOfDay(now) + DAY, now, zone);

/** `at 01:00 tomorrow` */
export const budgetReset = (now: number, zone: string): string => `at ${budgetEnd(now, zone)}`;

/** `around 08:15`; undefined if the budget lasts until it resets. */
export function usedUpTime(budget: BudgetView, now: number, zone: string): string | undefined {
  const at = usedUpAt(budget, now);
  if (at === undefined) return undefined;
  return `around ${momentText(Math.round(at / ROUNDED_MS) * ROUNDED_MS, now, zone)}`;
}

interface RaiseContext {
  readonly now: number;
  readonly currency: string;
  readonly ceilings: AccountCeilings;
  /** Whether the budget may be used up by fraud or bots. */
  readonly isSuspicious: boolean;
}

/**
 * A budget for all of today's messages: `{ value: 70, amount: '70 USD' }`; undefined if a higher budget would be dangerous, if the
 * day is too young to tell, and if the account does not allow so much, together with the messages of its other applications.
 */
export function raisedBudget(unit: BudgetUnit, budget: BudgetView, context: RaiseContext) {
  const { now, currency, ceilings, isSuspicious } = context;
  if (isSuspicious || now < startOfDay(now) + HOUR) return undefined;
  const value = sufficientBudget(unit, budget, now);
  const ofAccount = unit === 'cost' ? ceilings.spendPerDay : ceilings.messagesPerDay;
  const left = ofAccount > 0 ? ofAccount - expectedUse(unit, budget.usedElsewhere, now) : Infinity;
  const bounds = [ceilings.limits[LIMIT_OF[unit]], LIMITS[LIMIT_OF[unit]].max];
  if (value > left || bounds.some((bound) => bound > 0 && value > bound)) return undefined;
  return { value, amount: unit === 'cost' ? `${countText(value)} ${currency.toUpperCase()}` : messagesText(value) };
}

/** The use that is expected until the budget resets: `66 USD`, `7.20 USD`, `2,150` */
export function expectedText(unit: BudgetUnit, { used }: BudgetView, { now, currency }: RaiseContext): string {
  const expected = expectedUse(unit, used, now);
  if (unit === 'cost' && expected < ROUNDED_FROM) return moneyText(expected * SCALES[unit], currency);
  const rounded = countText(Math.round(expected));
  return unit === 'cost' ? `${rounded} ${currency.toUpperCase()}` : rounded;
}

/** `To send all of today's messages, raise the daily budget to 70 USD or more.`; "" without a suggestion. */
export function raiseAdvice(unit: BudgetUnit, budget: BudgetView, context: RaiseContext): string {
  const raised = raisedBudget(unit, budget, context);
  return raised ? `To send all of today's messages, raise the daily budget to ${raised.amount} or more.` : '';
}

/** An automatic budget of more than this many times the cost of a typical day may be more than an owner wants to risk. */
const HIGH_FACTOR = 10;

/** Rounds up to two significant digits: `244` → 250. */
function roundUp(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.max(1, Math.ceil(value / step) * step);
}

export interface HighBudget {
  /** The budget as a multiple of the cost of a typical day. */
  readonly times: number;
  /** A lower budget, in whole units of the currency. */
  readonly value: number;
  /** `25 USD` */
  readonly amount: string;
}

/**
 * Compares an automatic budget of costs with a typical day. Returns undefined unless it is far above such a day. The lower budget
 * is enough for ten typical days, and for twice the cost of today. `usualCost`: the cost of a typical day; undefined if it is unknown.
 */
export function highBudget(
  { isAutomatic, limit, used }: BudgetView,
  usualCost: number | undefined,
  currency: string,
): HighBudget | undefined {
  if (!isAutomatic || !usualCost || limit <= HIGH_FACTOR * usualCost) return undefined;
  const value = roundUp(Math.max(HIGH_FACTOR * usualCost, 2 * used) / SCALES.cost);
  if (value * SCALES.cost >= limit) return undefined;
  return { times: limit / usualCost, value, amount: `${countText(value)} ${currency.toUpperCase()}` };
}

/** `about 205 times the cost of a typical day` */
export const timesUsualText = (times: number): string =>
  `about ${countText(Math.round(times))} times the cost of a typical day`;
