/** Webhook events. They never contain a code, a token or an unmasked recipient. */
import type { Schemas } from '../../platform/contract/schemas.js';
import { sha256 } from '../../platform/crypto.js';

export type EventName = Schemas['EventName'];
export const EVENT_NAMES = [
  'message.accepted',
  'message.delivered',
  'message.failed',
  'otp.verified',
  'otp.locked',
  'otp.canceled',
  'fraud.paused',
  'fraud.refused',
  'recipient.opted_out',
  'recipient.opted_in',
] as const satisfies readonly EventName[];

/** Webhooks older than `message.accepted` get `message.delivered` when a provider accepts a message. */
export const DELIVERED_WHEN_ACCEPTED = 'message.delivered when accepted';
export type Subscription = EventName | typeof DELIVERED_WHEN_ACCEPTED;

/** The name that callers see. */
export const publicName = (subscription: Subscription): EventName =>
  subscription === DELIVERED_WHEN_ACCEPTED ? 'message.delivered' : subscription;

/** Returns the event as a subscriber gets it; undefined if it has not subscribed to the event. */
export function eventFor(subscriptions: readonly Subscription[], body: EventBody): EventBody | undefined {
  if (subscriptions.includes(body.event)) return body;
  const getsOldName = body.event === 'message.accepted' && subscriptions.includes(DELIVERED_WHEN_ACCEPTED);
  return getsOldName ? { ...body, event: 'message.delivered' } : undefined;
}

export type EventBody = Schemas['WebhookEvent'];

/** An application's event, to be sent to its subscribed webhooks. */
export interface WebhookEvent {
  readonly applicationId: number;
  readonly body: EventBody;
  /**
   * Whether the event is about a decoy. It is stored like other events, so that response time does not reveal this, but never
   * sent.
   */
  readonly isDecoy?: boolean;
}

/** Returns an event id. The same fact always has the same id, so that receivers can ignore duplicates. */
export const eventId = (...fact: readonly (string | number)[]): string => `EVT-${sha256(fact.join(' ')).slice(0, 32)}`;
