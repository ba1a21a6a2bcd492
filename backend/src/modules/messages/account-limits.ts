/** Limits set by the account's ceilings, across all of its applications: messages per recipient, and cost per day. */
import { sha256 } from '../../platform/crypto.js';
import { isBudget, sendWindows, type Budget, type Limit } from '../../platform/rate-limit/rule.js';
import type { Application } from '../applications/application.js';
import type { SendPlan } from './send-plan.js';

/** Costs are calculated in ten-thousandths of the currency. */
const UNITS = 10_000;

/** The daily budgets for one message. `cost` returns the highest possible cost, in ten-thousandths. */
export async function accountBudgets(
  { accountId, ceilings }: Application,
  cost: () => Promise<number>,
): Promise<Budget[]> {
  const { messagesPerDay, spendPerDay } = ceilings;
  const key = `account:${accountId}`;
  const code = 'ACCOUNT_DAILY_LIMIT' as const;
  return [
    ...(messagesPerDay > 0 ? [{ key: `${key}:messages`, code, perDay: messagesPerDay, amount: 1 }] : []),
    ...(spendPerDay > 0 ? [{ key: `${key}:spend`, code, perDay: spendPerDay * UNITS, amount: await cost() }] : []),
  ];
}

/** Limits of a send to a recipient. Test recipients have no limits, because nothing is sent. */
export async function accountLimits(
  application: Application,
  plan: SendPlan,
  cost: () => Promise<number>,
): Promise<Limit[]> {
  if (plan.testCode !== undefined) return [];
  const { accountId, ceilings } = application;
  const budgets = await accountBudgets(application, cost);
  if (ceilings.recipientPer10Minutes === 0 && ceilings.recipientPerDay === 0) return budgets;
  const recipient = {
    key: `account:${accountId}:${sha256(`${accountId}:${plan.limitKey}`)}`,
    code: 'RECIPIENT_LIMIT',
    windows: sendWindows(ceilings.recipientPer10Minutes, ceilings.recipientPerDay),
    durable: true,
  } as const;
  return [recipient, ...budgets];
}

/** The limits to refund for a message that was certainly not sent, because it cost nothing. */
export const budgetsOf = (limits: readonly Limit[]): Budget[] => limits.filter(isBudget);
