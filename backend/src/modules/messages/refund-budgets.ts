/** Refunds the daily budgets of messages that are certainly not sent. */
import { utcDay, type Clock } from '../../platform/clock.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { isBudget } from '../../platform/rate-limit/rule.js';
import type { Application } from '../applications/application.js';
import type { MessageCosts } from './message-costs.js';
import { messageLimits, type BudgetsOf } from './message-limits.js';
import type { Message } from './message.js';
import { planOf } from './retry.js';

interface Dependencies {
  readonly limiter: Pick<Limiter, 'refundToday'>;
  readonly budgetsOf: BudgetsOf;
  readonly costs: Pick<MessageCosts, 'storedCost'>;
  readonly clock: Clock;
}

export type RefundBudgets = ReturnType<typeof createRefundBudgets>;

export function createRefundBudgets({ limiter, budgetsOf, costs, clock }: Dependencies) {
  /** Refunds the daily budgets if the message was accepted today. `message`: with its content, which has a cost. */
  return async function refundBudgets(application: Application, message: Message): Promise<void> {
    if (utcDay(message.createdAt) !== utcDay(clock.now())) return;
    const { template } = message;
    const limited = { application, plan: planOf(message), template, cost: await costs.storedCost(message) };
    const limits = [...messageLimits(limited), ...(await budgetsOf(limited))];
    await limiter.refundToday(limits.filter(isBudget));
  };
}
