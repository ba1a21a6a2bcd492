/** Converts messages to the API format, which does not include the message content. */
import { SECOND } from '../../platform/clock.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import type { FailureDetails } from '../../providers/provider.js';
import { maskRecipient } from '../recipients/recipient.js';
import { AUTH_TYPES } from '../../platform/contract/auth-types.js';
import { acceptedAttempt, visibleState, type Attempt, type EarlierSend, type Message } from './message.js';
import { chargeOf, unitsOf } from '../usage/usage.js';
import { NO_CHARGE } from './price.js';
import type { Refusal } from './refusal.js';

const toSeconds = (ms: number): number => Math.floor(ms / SECOND);

/** Returns an earlier send as an attempt that did not reach the recipient. */
function earlierAttempt({ attempt, report }: EarlierSend): Attempt {
  const { undelivered } = attempt;
  if (report === 'delivered') return { ...attempt, success: false, message: 'delivered late' };
  // An attempt whose outcome was unknown keeps its reason.
  if (report === null)
    return attempt.success ? { ...attempt, success: false, message: 'no delivery report has arrived' } : attempt;
  return { ...attempt, success: false, message: undelivered ? `not delivered: ${undelivered}` : 'not delivered' };
}

/** Returns the documented details: `optedOut` is only for Passbell. */
const detailsView = (details: FailureDetails): FailureDetails =>
  Object.fromEntries(Object.entries(details).filter(([name]) => name !== 'optedOut'));

/** `isUndelivered`: whether the provider last reported that an accepted message was not delivered. */
function attemptView(attempt: Attempt, isUndelivered: boolean): Schemas['Message']['attempts'][number] {
  const { channel, provider, success, message, undelivered, details } = attempt;
  const isReported = success && isUndelivered && undelivered !== undefined;
  return {
    authType: AUTH_TYPES[channel],
    ...(provider === undefined ? {} : { provider }),
    success,
    message,
    ...(isReported ? { undelivered } : {}),
    ...(details && (isReported || !success) ? detailsView(details) : {}),
  };
}

/** Returns the sum of the charges of all sends. */
export function totalCharge(message: Message): string {
  const prices = message.earlierSends.flatMap(({ attempt }) => attempt.price ?? []);
  const current = acceptedAttempt(message)?.price?.charge ?? NO_CHARGE;
  if (prices.length === 0) return current;
  return chargeOf(prices.reduce((sum, { charge }) => sum + BigInt(unitsOf(charge)), BigInt(unitsOf(current))));
}

const refusalView = ({ code, reason, hint, until }: Refusal): NonNullable<Schemas['Message']['refusal']> => ({
  code,
  message: reason,
  hint,
  ...(until === null ? {} : { untilTime: toSeconds(until) }),
});

/** `currency`: used if the message has no price. */
export function messageView(message: Message, currency: string): Schemas['Message'] {
  const { finishedAt, report, reportedAt, refusal } = message;
  const price = acceptedAttempt(message)?.price;
  return {
    messageId: message.id,
    maskId: message.maskId,
    state: visibleState(message),
    authType: AUTH_TYPES[message.channel],
    to: maskRecipient(message.recipient),
    template: message.template,
    attempts: [...message.attempts, ...message.earlierSends.map(earlierAttempt)].map((attempt) =>
      attemptView(attempt, report === 'undelivered'),
    ),
    charge: totalCharge(message),
    currency: price?.currency ?? currency,
    createdTime: toSeconds(message.createdAt),
    ...(message.sendAt === null ? {} : { sendTime: toSeconds(message.sendAt) }),
    ...(message.reference === null ? {} : { reference: message.reference }),
    ...(message.replacedBy === null ? {} : { replacedBy: message.replacedBy }),
    ...(finishedAt === null ? {} : { finishedTime: toSeconds(finishedAt) }),
    ...(refusal ? { refusal: refusalView(refusal) } : {}),
    ...(report === 'delivered' && reportedAt !== null ? { deliveredTime: toSeconds(reportedAt) } : {}),
  };
}
