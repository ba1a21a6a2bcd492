/** The daily budgets of an application: limits on what vendors may charge for in a UTC day. */
import { DAY, HOUR, startOfDay } from '../../platform/clock.js';
import type { Application } from '../applications/application.js';
import { COST_SCALE } from '../usage/usage.js';

/** `cost` is in ten-thousandths of the currency. */
export type BudgetUnit = 'cost' | 'messages';
type Amounts = Readonly<Record<BudgetUnit, number>>;

export const LIMIT_OF = { cost: 'budgetPerDay', messages: 'messageBudgetPerDay' } as const;
export const SCALES: Amounts = { cost: COST_SCALE, messages: 1 };

/** Shares of a budget at which the owners get an email. */
export const BUDGET_ALERTS = [0.5, 0.8, 1] as const;

/** Number of days before today that an automatic budget depends on. */
export const HISTORY_DAYS = 14;
/** Enough for a launch with 5,000 codes, but a cost that a shop survives. */
const FIRST_DAY_UNITS = 500;
const FIRST_DAY_MESSAGES = 6000;
/** Enough for sales and for fast growth. */
const GROWTH = 5;
/**
 * The seventh most expensive of the last days is multiplied, so that neither a sale nor an attack of several days raises the
 * budget of the days that follow it.
 */
const RANK = 7;

/** The recent use and the prices that determine an automatic budget. */
export interface BudgetHistory {
  readonly days: readonly Amounts[];
  /** The lowest price of an SMS; 0 without prices. Makes the budget independent of the currency. */
  readonly lowestPrice: number;
}

function automaticBudget(unit: BudgetUnit, { days, lowestPrice }: BudgetHistory): number {
  const firstDay = {
    cost: Math.max(FIRST_DAY_UNITS * COST_SCALE, FIRST_DAY_MESSAGES * lowestPrice),
    messages: FIRST_DAY_MESSAGES,
  };
  const amounts = days.map((day) => day[unit]).sort((a, b) => b - a);
  return Math.max(firstDay[unit], GROWTH * (amounts[RANK - 1] ?? 0));
}

export interface BudgetInForce {
  readonly limit: number;
  readonly isAutomatic: boolean;
}

/** Returns the owners' budget, or an automatic one within the account's ceiling. */
export async function budgetInForce(
  unit: BudgetUnit,
  { settings, ceilings }: Pick<Application, 'settings' | 'ceilings'>,
  history: () => Promise<BudgetHistory>,
): Promise<BudgetInForce> {
  const name = LIMIT_OF[unit];
  const own = settings.limits[name] * SCALES[unit];
  if (own > 0) return { limit: own, isAutomatic: false };
  const ceiling = ceilings.limits[name] * SCALES[unit] || Infinity;
  return { limit: Math.min(automaticBudget(unit, await history()), ceiling), isAutomatic: true };
}

export interface BudgetView extends BudgetInForce {
  readonly used: number;
  /** The use of the account's ceiling today by other applications and by emails; 0 without a ceiling. */
  readonly usedElsewhere: number;
}

export interface BudgetsView extends Readonly<Record<BudgetUnit, BudgetView>> {
  /** Number of messages that the budgets refused today. */
  readonly heldBack: number;
}

export const shareOf = ({ used, limit }: BudgetView): number => used / limit;

/**
 * Returns when a budget will be used up at today's rate; undefined if it lasts until the end of the day, or if less than
 * half of it is used.
 */
export function usedUpAt(budget: BudgetView, now: number): number | undefined {
  const start = startOfDay(now);
  const share = shareOf(budget);
  const at = start + (now - start) / share;
  return share >= BUDGET_ALERTS[0] && share < 1 && at < start + DAY ? at : undefined;
}

/** Returns the use of the whole day at today's rate, in units of the budget's setting. */
export const expectedUse = (unit: BudgetUnit, used: number, now: number): number =>
  (used * DAY) / (now - startOfDay(now)) / SCALES[unit];

/**
 * Returns a round budget that lasts for the whole day at today's rate, in units of the budget's setting: 66.16 USD → 70,
 * 8,367 messages → 8,500.
 */
export function sufficientBudget(unit: BudgetUnit, { used }: BudgetView, now: number): number {
  const expected = expectedUse(unit, used, now);
  const step = Math.max(1, 5 * 10 ** (Math.floor(Math.log10(expected)) - 1));
  return Math.ceil(expected / step) * step;
}

/** An automatic message budget only applies to messages without prices. */
export const isPriced = ({ cost, messages }: BudgetsView): boolean => cost.used > 0 && messages.isAutomatic;

/** Returns the largest used share of the budgets that apply; above 1 if a budget was lowered during the day. */
export const usedShare = (budgets: BudgetsView): number =>
  Math.max(shareOf(budgets.cost), isPriced(budgets) ? 0 : shareOf(budgets.messages));

export const mostUsed = (budgets: BudgetsView): BudgetView =>
  shareOf(budgets.cost) >= usedShare(budgets) ? budgets.cost : budgets.messages;

/** A budget that will be used up within this time is urgent. */
const URGENT_MS = 2 * HOUR;

/** When the most used budget will be used up; `now` if it already is; undefined if it lasts until the end of the day. */
export const stopsAt = (budgets: BudgetsView, now: number): number | undefined =>
  usedShare(budgets) >= 1 ? now : usedUpAt(mostUsed(budgets), now);

/** Whether the owners should act now. */
export const isBudgetUrgent = (budgets: BudgetsView, now: number): boolean =>
  usedShare(budgets) >= BUDGET_ALERTS[1] && (stopsAt(budgets, now) ?? Infinity) <= now + URGENT_MS;

const limitText = ({ isAutomatic, limit }: BudgetInForce, name: string, text: (amount: number) => string): string =>
  `${isAutomatic ? 'The automatic' : 'The'} ${name} is ${text(limit)}.`;

export const messagesText = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'message' : 'messages'}`;

/**
 * Returns the state of the budgets as sentences. Leaves out a message budget that does not apply. `moneyText` formats ten-thousandths of the currency.
 */
export function budgetTexts(budgets: BudgetsView, moneyText: (units: number) => string): string[] {
  const { cost, messages, heldBack } = budgets;
  return [
    `Messages have cost ${moneyText(cost.used)} today (UTC). ${limitText(cost, 'daily budget', moneyText)}`,
    ...(isPriced(budgets)
      ? []
      : [`${messagesText(messages.used)} today. ${limitText(messages, 'daily message budget', messagesText)}`]),
    ...(heldBack > 0 ? [`The budgets refused ${messagesText(heldBack)} today.`] : []),
  ];
}
