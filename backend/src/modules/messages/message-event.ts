/** Creates webhook events for messages. Events contain no message content, and recipients are masked. */
import { SECOND } from '../../platform/clock.js';
import { maskRecipient } from '../recipients/recipient.js';
import { eventId, type WebhookEvent } from '../webhooks/event.js';
import { AUTH_TYPES } from './auth-types.js';
import { acceptedAttempt, type FinalState, type Message } from './message.js';

/** Final states that publish an event. `delivered` is excluded, because `sent` has already published the event. */
export type PublishedState = Exclude<FinalState, 'delivered'>;

const FAILURE_REASONS: Partial<Record<PublishedState, string>> = {
  expired: 'it could not be delivered in time',
  undelivered: 'the provider reports that it was not delivered',
};

/**
 * Creates the event for a message that reached its final state at `endedAt` (milliseconds). Most channels never report
 * a delivery, so `sent` counts as delivered. A retried message publishes another event when it finishes again.
 */
export function messageEvent(message: Message, state: PublishedState, endedAt: number): WebhookEvent {
  const { id, applicationId, maskId, channel, recipient, template, attempts } = message;
  const event = state === 'sent' ? 'message.delivered' : 'message.failed';
  const attempt = state === 'sent' ? attempts[0] : attempts.at(-1);
  const price = acceptedAttempt(message)?.price;
  return {
    applicationId,
    body: {
      id: eventId(event, id, endedAt),
      event,
      createdTime: Math.floor(endedAt / SECOND),
      data: {
        messageId: id,
        maskId,
        authType: AUTH_TYPES[channel],
        to: maskRecipient(recipient),
        state,
        template,
        ...(price ? { charge: price.charge, currency: price.currency } : {}),
        message: FAILURE_REASONS[state] ?? attempt?.message ?? state,
      },
    },
  };
}
