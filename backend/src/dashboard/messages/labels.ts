import { isTest, visibleState, type Message, type VisibleState } from '../../modules/messages/message.js';
import type { Price } from '../../modules/messages/price.js';
import { HOUR, MINUTE, SECOND } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { BadgeKind } from '../components/badge.js';

export const CHANNEL_NAMES: Readonly<Record<ChannelName, string>> = {
  SMS: 'SMS',
  WHATSAPP: 'WhatsApp',
  VOICE: 'Voice call',
  EMAIL: 'Email',
};

/** `SMS`, `WhatsApp`, `voice call` or `email`. */
export const channelInSentence = (channel: ChannelName): string =>
  channel === 'VOICE' || channel === 'EMAIL' ? CHANNEL_NAMES[channel].toLowerCase() : CHANNEL_NAMES[channel];

/** `SMS`, `WhatsApp`, `voice calls` or `email`, for a sentence about all messages of a channel. */
export const channelMessages = (channel: ChannelName): string =>
  channel === 'VOICE' ? 'voice calls' : channelInSentence(channel);

/** In the order of the links, states that may need attention first. Only problems have a color. */
export const STATE_LABELS: Readonly<Record<VisibleState, { name: string; kind: BadgeKind; meaning: string }>> = {
  failed: { name: 'Failed', kind: 'bad', meaning: 'The message was not sent, or no provider confirmed it.' },
  undelivered: {
    name: 'Undelivered',
    kind: 'warning',
    meaning: 'A provider accepted the message and then reported that it could not be delivered.',
  },
  refused: { name: 'Refused', kind: 'warning', meaning: 'Passbell refused the message, so nothing was sent.' },
  expired: { name: 'Expired', kind: 'warning', meaning: 'The message expired before a provider accepted it.' },
  delivered: { name: 'Delivered', kind: 'neutral', meaning: 'The provider reported the delivery.' },
  sent: {
    name: 'Sent',
    kind: 'neutral',
    meaning: 'A provider accepted the message. No delivery has been reported yet.',
  },
  sending: { name: 'Sending', kind: 'neutral', meaning: 'The message is being sent to the provider.' },
  queued: { name: 'Queued', kind: 'neutral', meaning: 'The message is waiting to be sent or retried.' },
  scheduled: {
    name: 'Scheduled',
    kind: 'neutral',
    meaning: 'The message waits until its send time. Until then, you can cancel it.',
  },
  canceled: { name: 'Canceled', kind: 'neutral', meaning: 'The message was canceled or replaced before it was sent.' },
};

/** The title of the reasons why messages in a state did not arrive. */
export const REASON_TITLES: { readonly [state in VisibleState]?: string } = {
  refused: 'Why messages were refused',
  failed: 'Why messages failed',
  undelivered: 'Why messages were not delivered',
  expired: 'Why messages expired',
};

export const hasReasons = (state: VisibleState | undefined): state is VisibleState =>
  state !== undefined && state in REASON_TITLES;

const IN_DEV_INBOX = {
  name: 'Test',
  kind: 'warning',
  meaning: 'The message is in the dev inbox. It was not sent to the recipient, and does not count as sent.',
} as const;

/** Returns the label of a message's state. A message in the dev inbox is never labeled as sent. */
export function stateLabelOf(message: Message): (typeof STATE_LABELS)[VisibleState] {
  if (message.state === 'sent' && isTest(message)) return IN_DEV_INBOX;
  return STATE_LABELS[visibleState(message)];
}

export const amountText = (charge: string, currency: string): string => `${charge} ${currency.toUpperCase()}`;

/** Formats a price: `0.0150 USD for 2 SMS`; `not set` for a channel without prices. */
export const priceText = ({ charge, currency, segments }: Price): string =>
  Number(charge) === 0
    ? 'not set'
    : `${amountText(charge, currency)}${segments === undefined ? '' : ` for ${segments} SMS`}`;

/** Formats a duration: `40 ms`, `3.2 s`, `4 min`, `2 h`. */
export function duration(ms: number): string {
  if (ms < SECOND) return `${ms} ms`;
  if (ms < 10 * SECOND) return `${Number((ms / SECOND).toFixed(1))} s`;
  if (ms < 2 * MINUTE) return `${Math.round(ms / SECOND)} s`;
  return ms < 2 * HOUR ? `${Math.round(ms / MINUTE)} min` : `${Math.round(ms / HOUR)} h`;
}
