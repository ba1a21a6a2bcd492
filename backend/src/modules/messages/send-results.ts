/** Creates the send results in API replies: one result for each channel that was tried. */
import { SECOND } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { maskRecipient } from '../recipients/recipient.js';
import { AUTH_TYPES } from '../../platform/contract/auth-types.js';
import { attemptsByChannel, type Attempt, type Outcome } from './message.js';
import { NO_CHARGE } from './price.js';

/** A code or notification that an application sends to a recipient. Times are in milliseconds. */
export interface Send {
  readonly maskId: string;
  /** Null for a test recipient, to whom no message is sent. */
  readonly messageId: string | null;
  readonly recipient: string;
  /** The channel to try first. */
  readonly channel: ChannelName;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** When a scheduled message is sent; null if it is sent at once. */
  readonly sendAt?: number | null;
  readonly deviceInfo?: Schemas['DeviceInfo'];
}

function resultOf(send: Send, { channel, success, message, price }: Attempt, currency: string): Schemas['SendResult'] {
  const authType = AUTH_TYPES[channel];
  const expireTime = Math.floor(send.expiresAt / SECOND);
  return {
    success,
    message,
    to: maskRecipient(send.recipient),
    authType,
    authtype: authType,
    maskId: send.maskId,
    messageId: send.messageId ?? '',
    createdTime: Math.floor(send.createdAt / SECOND),
    expireTime,
    expiretime: expireTime,
    charge: price?.charge ?? NO_CHARGE,
    currency: price?.currency ?? currency,
    ...(send.sendAt ? { sendTime: Math.floor(send.sendAt / SECOND) } : {}),
    ...(send.deviceInfo ? { deviceInfo: send.deviceInfo } : {}),
  };
}

/**
 * Creates the send results. Without an `outcome`, the message is queued. `currency`: used for attempts without a price.
 */
export function sendEnvelope(send: Send, outcome: Outcome | undefined, currency: string): Schemas['SendEnvelope'] {
  const attempts = outcome?.attempts ?? [{ channel: send.channel, success: true, message: 'queued' }];
  const results = attemptsByChannel(attempts).map((attempt) => resultOf(send, attempt, currency));
  return { isTried: results.length, isSent: results.filter(({ success }) => success).length, results };
}

/** Returns the `message` field of the reply to a send that has not failed. `sentText`: used if the message was sent. */
export function replyTextOf(subject: string, sentText: string, outcome: Outcome | undefined): string {
  if (outcome === undefined) return `${subject} is queued for delivery`;
  return outcome.state === 'queued' ? `${subject} is ${outcome.attempts[0]!.message}` : sentText;
}
