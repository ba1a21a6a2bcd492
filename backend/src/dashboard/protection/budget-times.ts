/** The times of a daily budget, whose day is in UTC, in the time zone of the account. */
import { expectedUse, usedUpAt, type BudgetUnit, type BudgetView } from '../../modules/budgets/budgets.js';
import { DAY, MINUTE, startOfDay } from '../../platform/clock.js';
import { momentText } from '../components/time.js';
import { countText, messagesText } from '../usage/figures.js';

const ROUNDED_MS = 5 * MINUTE;

/** `01:00`, `19:00 yesterday` */
export const budgetStart = (now: number, zone: string): string => momentText(startOfDay(now), now, zone);

/** `at 01:00 tomorrow`; `at 23:00` if the UTC day ends before the local day. */
export const budgetReset = (now: number, zone: string): string => `at ${momentText(startOfDay(now) + DAY, now, zone)}`;

/** `at about 08:15`; undefined if the budget lasts until it resets. */
export function usedUpTime(budget: BudgetView, now: number, zone: string): string | undefined {
  const at = usedUpAt(budget, now);
  if (at === undefined) return undefined;
  return `at about ${momentText(Math.round(at / ROUNDED_MS) * ROUNDED_MS, now, zone)}`;
}

/** `The whole day would need about 67 USD.` */
export function dayNeed(unit: BudgetUnit, budget: BudgetView, now: number, currency: string): string {
  const need = expectedUse(unit, budget, now);
  return `The whole day would need about ${unit === 'cost' ? `${countText(need)} ${currency.toUpperCase()}` : messagesText(need)}.`;
}
