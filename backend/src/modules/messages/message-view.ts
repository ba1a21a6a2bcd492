/** Converts messages to the API format, which does not include the message content. */
import { SECOND } from '../../platform/clock.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { maskRecipient } from '../recipients/recipient.js';
import { AUTH_TYPES } from '../../platform/contract/auth-types.js';
import { acceptedAttempt, visibleState, type Message } from './message.js';
import { NO_CHARGE } from './price.js';

const toSeconds = (ms: number): number => Math.floor(ms / SECOND);

/** `currency`: used if the message has no price. */
export function messageView(message: Message, currency: string): Schemas['Message'] {
  const { finishedAt, report, reportedAt } = message;
  const price = acceptedAttempt(message)?.price;
  return {
    messageId: message.id,
    maskId: message.maskId,
    state: visibleState(message),
    authType: AUTH_TYPES[message.channel],
    to: maskRecipient(message.recipient),
    template: message.template,
    attempts: message.attempts.map(({ channel, provider, success, message: text }) => ({
      authType: AUTH_TYPES[channel],
      ...(provider === undefined ? {} : { provider }),
      success,
      message: text,
    })),
    charge: price?.charge ?? NO_CHARGE,
    currency: price?.currency ?? currency,
    createdTime: toSeconds(message.createdAt),
    ...(finishedAt === null ? {} : { finishedTime: toSeconds(finishedAt) }),
    ...(report === 'delivered' && reportedAt !== null ? { deliveredTime: toSeconds(reportedAt) } : {}),
  };
}
