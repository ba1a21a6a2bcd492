/** Account limits, shared by the account's applications: messages per recipient, messages per day, and cost per day. */
import { sha256 } from '../../platform/crypto.js';
import { isBudget, sendWindows, type Budget, type Limit } from '../../platform/rate-limit/rule.js';
import type { Application } from '../applications/application.js';
import { COST_SCALE } from '../usage/usage.js';
import type { SendPlan } from './send-plan.js';

/**
 * Returns the account's daily budgets, with the amounts that this message adds. `cost` is the message's highest cost in
 * ten-thousandths of the currency.
 */
export function accountBudgets({ accountId, ceilings }: Application, cost: number): Budget[] {
  const { messagesPerDay, spendPerDay } = ceilings;
  const key = `account:${accountId}`;
  const code = 'ACCOUNT_DAILY_LIMIT' as const;
  return [
    ...(messagesPerDay > 0 ? [{ key: `${key}:messages`, code, perDay: messagesPerDay, amount: 1 }] : []),
    ...(spendPerDay > 0 ? [{ key: `${key}:spend`, code, perDay: spendPerDay * COST_SCALE, amount: cost }] : []),
  ];
}

/** Returns the account's limits for a send. Sends to test recipients are not limited, because no message is sent. */
export function accountLimits(application: Application, plan: SendPlan, cost: number): Limit[] {
  if (plan.testCode !== undefined) return [];
  const { accountId, ceilings } = application;
  const budgets = accountBudgets(application, cost);
  if (ceilings.recipientPer10Minutes === 0 && ceilings.recipientPerDay === 0) return budgets;
  const recipient = {
    key: `account:${accountId}:${sha256(`${accountId}:${plan.limitKey}`)}`,
    code: 'RECIPIENT_LIMIT',
    windows: sendWindows(ceilings.recipientPer10Minutes, ceilings.recipientPerDay),
    durable: true,
  } as const;
  return [recipient, ...budgets];
}

/** Returns only the daily budgets, which are refunded if a message was certainly not sent. */
export const budgetsOf = (limits: readonly Limit[]): Budget[] => limits.filter(isBudget);
