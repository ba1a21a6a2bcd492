/** A message as its application may see it: how it goes, never what it says. */
import { SECOND } from '../../platform/clock.js';
import type { components } from '../../platform/contract/generated/api.js';
import { shownState, type Message } from './message.js';
import { NO_CHARGE } from './price.js';
import { maskRecipient } from '../recipients/recipient.js';
import { AUTH_TYPES } from './send-envelope.js';

type Schemas = components['schemas'];

const seconds = (ms: number): number => Math.floor(ms / SECOND);

/** `currency` is for what costs nothing. */
export function messageView(message: Message, currency: string): Schemas['Message'] {
  const { finishedAt, report, reportedAt } = message;
  const price = message.tried.find(({ success }) => success)?.price;
  return {
    messageId: message.id,
    maskId: message.maskId,
    state: shownState(message),
    authType: AUTH_TYPES[message.channel],
    to: maskRecipient(message.recipient),
    template: message.template,
    attempts: message.tried.map(({ channel, success, message: text }) => ({
      authType: AUTH_TYPES[channel],
      success,
      message: text,
    })),
    charge: price?.charge ?? NO_CHARGE,
    currency: price?.currency ?? currency,
    createdTime: seconds(message.createdAt),
    ...(finishedAt === null ? {} : { finishedTime: seconds(finishedAt) }),
    ...(report === 'delivered' && reportedAt !== null ? { deliveredTime: seconds(reportedAt) } : {}),
  };
}
