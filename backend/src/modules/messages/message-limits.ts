/**
 * The limits of messages. Three services send within them: the ones for codes and notifications, and the one that sends
 * failed messages again. A message that is sent another way counts toward the limits of messages again.
 */
import { sha256 } from '../../platform/crypto.js';
import type { Write } from '../../platform/db/transaction.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { Budget, Limit, Rule } from '../../platform/rate-limit/rule.js';
import { isBudget, isRefundable, sendWindows } from '../../platform/rate-limit/rule.js';
import { storedWithinLimits } from '../../platform/rate-limit/within-limits.js';
import type { Application } from '../applications/application.js';
import type { Suppressions } from '../suppressions/index.js';
import { COST_SCALE } from '../usage/usage.js';
import { notificationLimits } from './notification-limits.js';
import { burstRule, type SendPlan } from './send-plan.js';

export interface LimitedMessage {
  readonly application: Application;
  readonly plan: SendPlan;
  readonly template: string;
  /** The highest cost that the message can have, in ten-thousandths of the currency. */
  readonly cost: number;
  /** The end user's IP address. */
  readonly clientIp?: string | undefined;
  /** Whether the request contains a valid answer to a challenge; undefined if it contains no answer. */
  readonly isChallengeSolved?: boolean | undefined;
  /** Whether the operator's command sends the message, which cannot access the counts of a running server. */
  readonly byOperator?: boolean;
  /** Whether a person tries out a template. Such messages have a limit for each person instead. */
  readonly isTest?: boolean;
}

export interface GuardedMessage extends LimitedMessage {
  /** Notifications have no code that recipients could enter, so most rules do not apply to them. */
  readonly kind: 'code' | 'notification';
}

/**
 * The fraud guard. Runs `work`, or throws `FRAUD_SUSPECTED`. `work` must store the rows in the transaction that stores
 * the message, and must call `uncount` if the message was certainly not sent.
 */
export type Guard = <T>(
  message: GuardedMessage,
  work: (rows: readonly Write[], uncount: () => Promise<void>) => Promise<T>,
) => Promise<T>;

/** Returns the daily budgets of the application that a message counts toward. */
export type BudgetsOf = (message: LimitedMessage) => Promise<readonly Budget[]>;

const kindOf = ({ template }: LimitedMessage) => (template === 'otp' ? 'code' : 'notification');

export const accountBudgetKey = (id: number, unit: 'spend' | 'messages'): string => `account:${id}:${unit}`;

/** Budgets that all applications of an account share. */
function accountBudgets({ application: { accountId, ceilings }, cost }: LimitedMessage): Budget[] {
  const code = 'ACCOUNT_DAILY_LIMIT' as const;
  return [
    { key: accountBudgetKey(accountId, 'messages'), code, perDay: ceilings.messagesPerDay, amount: 1 },
    { key: accountBudgetKey(accountId, 'spend'), code, perDay: ceilings.spendPerDay * COST_SCALE, amount: cost },
  ];
}

/** Messages to one recipient from all applications of an account. */
const recipientRule = ({ application: { accountId, ceilings }, plan }: LimitedMessage): Rule => ({
  key: `account:${accountId}:${sha256(`${accountId}:${plan.limitKey}`)}`,
  code: 'RECIPIENT_LIMIT',
  windows: sendWindows(ceilings.recipientPer10Minutes, ceilings.recipientPerDay),
  durable: true,
});

/**
 * Returns the limits that count messages. They also apply to messages that a person sends again. There are none for test
 * recipients, because no message is sent to them. A budget of 0 is off.
 */
export function messageLimits(message: LimitedMessage): Limit[] {
  if (message.plan.testCode !== undefined) return [];
  const own = kindOf(message) === 'code' || message.isTest ? [] : notificationLimits(message);
  return [...own, ...accountBudgets(message)].filter((limit) => !isBudget(limit) || limit.perDay > 0);
}

/** Returns the limits of a request: those of its message, its `own` rules, and the rules of all requests. */
export function requestLimits(message: LimitedMessage, own: readonly Rule[]): Limit[] {
  const isSent = message.plan.testCode === undefined;
  return [
    burstRule(message.application),
    ...own,
    ...messageLimits(message),
    ...(isSent ? [recipientRule(message)] : []),
  ];
}

export interface SendLimits {
  readonly suppressions: Pick<Suppressions, 'errorFor'>;
  readonly limiter: Pick<Limiter, 'takeWith'>;
  readonly budgetsOf: BudgetsOf;
  readonly guard: Guard;
}

interface LimitedSend<T> {
  /** Stores the message and the rows in one transaction. */
  readonly send: (rows: readonly Write[]) => Promise<T>;
  readonly wasNotSent: (result: T) => boolean;
  /** Called with the error of a send that a limit or the guard refuses. Not called for test recipients. */
  readonly recordRefusal?: (error: unknown) => void;
}

function refusedRecipient(suppressions: SendLimits['suppressions'], { application, plan, template }: LimitedMessage) {
  if (plan.testCode !== undefined) return undefined;
  return suppressions.errorFor({ applicationId: application.id, template, recipient: plan.address }, plan.channels);
}

/**
 * Sends a message within limits, the application's budgets and the fraud guard. Counts nothing if `send` throws. If the
 * message was certainly not sent, refunds its refundable limits, so that the caller can fix the error and retry immediately.
 */
export async function sendWithinLimits<T>(
  { suppressions, limiter, budgetsOf, guard }: SendLimits,
  message: LimitedMessage,
  ownLimits: readonly Limit[],
  { send, wasNotSent, recordRefusal }: LimitedSend<T>,
): Promise<T> {
  const error = await refusedRecipient(suppressions, message);
  if (error) {
    recordRefusal?.(error);
    throw error;
  }
  const limits = [...ownLimits, ...(await budgetsOf(message))];
  const sent = storedWithinLimits(limiter, limits, (counts, refund) =>
    guard({ ...message, kind: kindOf(message) }, async (rows, uncount) => {
      const result = await send([...counts, ...rows]);
      if (wasNotSent(result))
        await Promise.all([refund(limits.filter(isRefundable)), uncount()]).catch(() => undefined);
      return result;
    }),
  );
  return sent.catch((error: unknown) => {
    if (message.plan.testCode === undefined) recordRefusal?.(error);
    throw error;
  });
}
