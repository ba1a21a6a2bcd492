/** Creates webhook events for messages. Events contain no message content, and recipients are masked. */
import { SECOND } from '../../platform/clock.js';
import { maskRecipient } from '../recipients/recipient.js';
import { eventId, type WebhookEvent } from '../webhooks/event.js';
import type { ReportedState } from '../../providers/provider.js';
import { AUTH_TYPES } from '../../platform/contract/auth-types.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { acceptedAttempt, type FinalState, type Message } from './message.js';

const EVENTS: Partial<Record<FinalState, Schemas['MessageEvent']['event']>> = {
  sent: 'message.accepted',
  delivered: 'message.delivered',
};

/** The facts that event ids are derived from. Before `message.accepted` existed, its name was `message.delivered`. */
const FACTS: Partial<Record<FinalState, string>> = {
  sent: 'message.delivered',
  delivered: 'message.delivery-reported',
};

const REASONS: Partial<Record<FinalState, string>> = {
  delivered: 'delivered',
  expired: 'it could not be delivered in time',
  undelivered: 'the provider reports that it was not delivered',
};

/**
 * Creates the event for a message that reached a state at `endedAt` (milliseconds). A retried message publishes another
 * event when it finishes again.
 */
export function messageEvent(message: Message, state: FinalState, endedAt: number): WebhookEvent {
  const { id, applicationId, maskId, channel, recipient, template, attempts, reference } = message;
  const event = EVENTS[state] ?? 'message.failed';
  const attempt = state === 'sent' ? attempts[0] : attempts.at(-1);
  const price = acceptedAttempt(message)?.price;
  return {
    applicationId,
    body: {
      id: eventId(FACTS[state] ?? event, id, endedAt),
      event,
      createdTime: Math.floor(endedAt / SECOND),
      data: {
        messageId: id,
        maskId,
        authType: AUTH_TYPES[channel],
        to: maskRecipient(recipient),
        state,
        template,
        ...(reference === null ? {} : { reference }),
        ...(price ? { charge: price.charge, currency: price.currency } : {}),
        message: REASONS[state] ?? attempt?.message ?? state,
      },
    },
  };
}

/** Returns a report's webhook events. `message.accepted` is only published if the outcome was unknown. */
export function eventsOfReport(before: Message, message: Message, state: ReportedState, now: number): WebhookEvent[] {
  if (state === 'undelivered') return [messageEvent(message, state, now)];
  const failedBefore = before.state !== 'sent' || before.report === 'undelivered';
  const wasUnknown = message.attempts[0]?.ifSent !== undefined;
  const accepted = failedBefore && wasUnknown ? [messageEvent(message, 'sent', before.finishedAt ?? now)] : [];
  return state === 'delivered' ? [...accepted, messageEvent(message, state, now)] : accepted;
}
