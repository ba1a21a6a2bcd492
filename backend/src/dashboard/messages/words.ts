/** What people call what messages are made of. */
import type { ChannelName } from '../../providers/provider.js';
import type { ShownState } from '../../modules/messages/message.js';
import type { BadgeKind } from '../components/badge.js';

export const CHANNEL_NAMES: Readonly<Record<ChannelName, string>> = {
  SMS: 'SMS',
  WHATSAPP: 'WhatsApp',
  VOICE: 'Voice call',
  EMAIL: 'E-mail',
};

interface StateWords {
  readonly name: string;
  readonly kind: BadgeKind;
  /** What it means, for who meets it the first time. */
  readonly meaning: string;
}

export const STATES: Readonly<Record<ShownState, StateWords>> = {
  queued: { name: 'Queued', kind: 'neutral', meaning: 'It waits for a worker, or for its next attempt.' },
  sending: { name: 'Sending', kind: 'neutral', meaning: 'A worker is handing it to the provider.' },
  sent: { name: 'Sent', kind: 'good', meaning: 'The provider accepted it and has not reported more.' },
  delivered: { name: 'Delivered', kind: 'good', meaning: 'The provider reports that it arrived.' },
  undelivered: {
    name: 'Undelivered',
    kind: 'bad',
    meaning: 'The provider accepted it and reports that it did not arrive.',
  },
  failed: { name: 'Failed', kind: 'bad', meaning: 'No channel took it: it is a dead letter.' },
  expired: { name: 'Expired', kind: 'warning', meaning: 'It was no longer valid when its turn came, and was dropped.' },
};

/** `Code`, `Order shipped`. */
export function templateName(template: string): string {
  if (template === 'otp') return 'Code';
  const words = template.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `0.0075 USD`. */
export const amount = (charge: string, currency: string): string => `${charge} ${currency.toUpperCase()}`;

/** How long something took: `40 ms`, `3.2 s`, `4 min`, `2 h`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
}
