/** Webhook events. They never contain a code, a token or an unmasked recipient. */
import type { Schemas } from '../../platform/contract/schemas.js';
import { sha256 } from '../../platform/crypto.js';

export type EventName = Schemas['EventName'];
export const EVENT_NAMES = [
  'message.delivered',
  'message.failed',
  'otp.verified',
  'fraud.paused',
] as const satisfies readonly EventName[];

export type EventBody = Schemas['WebhookEvent'];

/** An application's event, to be sent to its subscribed webhooks. */
export interface WebhookEvent {
  readonly applicationId: number;
  readonly body: EventBody;
}

/** Returns an event id. The same fact always has the same id, so that receivers can ignore duplicates. */
export const eventId = (...fact: readonly (string | number)[]): string => `EVT-${sha256(fact.join(' ')).slice(0, 32)}`;
