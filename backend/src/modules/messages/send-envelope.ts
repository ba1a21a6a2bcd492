/** What a reply tells of a send: a result for every channel that was tried. */
import type { ChannelName } from '../../providers/provider.js';
import { SECOND } from '../../platform/clock.js';
import type { components } from '../../platform/contract/generated/api.js';
import type { Attempt, Delay, Outcome } from './message.js';
import { NO_CHARGE } from './price.js';
import { maskRecipient } from '../recipients/recipient.js';

type Schemas = components['schemas'];

/** A send as its results show it; times are milliseconds. */
export interface Send {
  readonly maskId: string;
  /** Null for a test recipient, to whom nothing is sent. */
  readonly messageId: string | null;
  readonly recipient: string;
  /** The first channel of the plan. */
  readonly channel: ChannelName;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly deviceInfo?: Schemas['DeviceInfo'];
}

/** What replies call a channel. */
export const AUTH_TYPES: Readonly<Record<ChannelName, Schemas['AuthType']>> = {
  EMAIL: 'Email',
  SMS: 'Sms',
  WHATSAPP: 'WHATSAPP',
  VOICE: 'Voice',
};

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
    ...(send.deviceInfo ? { deviceInfo: send.deviceInfo } : {}),
  };
}

/**
 * Without an outcome the message is queued: accepted for good, though no provider has it yet. `currency` is for what costs
 * nothing.
 */
export function sendEnvelope(
  send: Send,
  outcome: Outcome | Delay | undefined,
  currency: string,
): Schemas['SendEnvelope'] {
  const tried = outcome?.tried ?? [{ channel: send.channel, success: true, message: 'queued' }];
  const results = tried.map((attempt) => resultOf(send, attempt, currency));
  return { isTried: results.length, isSent: results.filter((result) => result.success).length, results };
}

/** How far a send that did not fail has come, for people: `done` when a channel has it. */
export function sendMessage(what: string, done: string, outcome: Outcome | Delay | undefined): string {
  if (outcome === undefined) return `${what} is queued for delivery`;
  return outcome.state === 'queued' ? `${what} is ${outcome.tried[0]!.message}` : done;
}
