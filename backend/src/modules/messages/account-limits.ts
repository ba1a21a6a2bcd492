/** What the account's ceilings allow, over all of its applications: messages to one recipient, and what a day costs. */
import { sha256 } from '../../platform/crypto.js';
import { isBudget, sendWindows, type Budget, type Limit } from '../../platform/rate-limit/rule.js';
import type { Application } from '../applications/application.js';
import type { SendPlan } from './send-plan.js';

/** Ten-thousandths, in which costs are calculated. */
const UNITS = 10_000;

/** The budgets of the day for one message. `cost` returns the most that the message can cost, in ten-thousandths. */
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

/** Limits of a send to a recipient. A test recipient costs nothing and gets nothing. */
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

/** The limits that a message which was certainly not sent does not use up, since it cost nothing. */
export const budgetsOf = (limits: readonly Limit[]): Budget[] => limits.filter(isBudget);
