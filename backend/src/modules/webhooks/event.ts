/** What a webhook is told. An event holds neither a code nor a token nor a whole recipient. */
import type { ChannelName } from '../../providers/provider.js';
import { SECOND } from '../../platform/clock.js';
import { sha256 } from '../../platform/crypto.js';
import type { components } from '../../platform/contract/generated/api.js';
import type { EndState, Message } from '../messages/message.js';
import { maskRecipient } from '../recipients/recipient.js';
import { AUTH_TYPES } from '../messages/send-envelope.js';

type Schemas = components['schemas'];
export type EventName = Schemas['EventName'];
export const EVENT_NAMES = [
  'message.delivered',
  'message.failed',
  'otp.verified',
] as const satisfies readonly EventName[];
export type MessageEventName = Exclude<EventName, 'otp.verified'>;
export type WebhookEvent = Schemas['WebhookEvent'];

/** A session that was verified, and who its user is. */
export interface Verified {
  readonly applicationId: number;
  readonly maskId: string;
  readonly userId: string;
  /** The channel that carried the code. */
  readonly channel: ChannelName;
  readonly recipient: string;
  /** Milliseconds. */
  readonly verifiedAt: number;
}

/** One fact has one id, whoever tells of it and however often. */
const idOf = (...fact: readonly (string | number)[]): string => `EVT-${sha256(fact.join(' ')).slice(0, 32)}`;

/** That a provider takes a message is all that is known of its delivery on most channels, so it is told at once. */
export const messageEventName = (state: EndState): MessageEventName =>
  state === 'sent' ? 'message.delivered' : 'message.failed';

/** A message with all that was tried in the end. */
export type EndedMessage = Pick<Message, 'id' | 'maskId' | 'channel' | 'recipient' | 'template' | 'tried'>;

const REASONS: Partial<Record<EndState, string>> = {
  expired: 'it could not be delivered in time',
  undelivered: 'the provider reports that it was not delivered',
};

/** `endedAt` is milliseconds; a message that is sent again by the operator ends again, which is another event. */
export function messageEvent({ tried, ...message }: EndedMessage, state: EndState, endedAt: number): WebhookEvent {
  const event = messageEventName(state);
  const attempt = state === 'sent' ? tried[0] : tried.at(-1);
  const price = tried.find(({ success }) => success)?.price;
  return {
    id: idOf(event, message.id, endedAt),
    event,
    createdTime: Math.floor(endedAt / SECOND),
    data: {
      messageId: message.id,
      maskId: message.maskId,
      authType: AUTH_TYPES[message.channel],
      to: maskRecipient(message.recipient),
      state,
      template: message.template,
      ...(price ? { charge: price.charge, currency: price.currency } : {}),
      message: REASONS[state] ?? attempt?.message ?? state,
    },
  };
}

export function verifiedEvent(verified: Verified): WebhookEvent {
  const verifiedTime = Math.floor(verified.verifiedAt / SECOND);
  return {
    id: idOf('otp.verified', verified.maskId),
    event: 'otp.verified',
    createdTime: verifiedTime,
    data: {
      maskId: verified.maskId,
      userId: verified.userId,
      channel: verified.channel.toLowerCase() as Schemas['VerifiedEventData']['channel'],
      identityType: verified.recipient.startsWith('+') ? 'phone' : 'email',
      to: maskRecipient(verified.recipient),
      verifiedTime,
    },
  };
}
