/** The webhook events of a message, without the content and with a masked recipient. */
import { SECOND } from '../../platform/clock.js';
import { maskRecipient } from '../recipients/recipient.js';
import { eventId, type WebhookEvent } from '../webhooks/event.js';
import { AUTH_TYPES } from './auth-types.js';
import { acceptedAttempt, type FinalState, type Message } from './message.js';

/** A `delivered` report publishes no event of its own. */
export type AnnouncedState = Exclude<FinalState, 'delivered'>;

const REASONS: Partial<Record<AnnouncedState, string>> = {
  expired: 'it could not be delivered in time',
  undelivered: 'the provider reports that it was not delivered',
};

/**
 * The event for a message that ended at `endedAt` (milliseconds). Most channels never report a delivery, so `sent`
 * counts as delivered. A message that is retried by a person ends twice, and publishes two events.
 */
export function messageEvent(message: Message, state: AnnouncedState, endedAt: number): WebhookEvent {
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
        message: REASONS[state] ?? attempt?.message ?? state,
      },
    },
  };
}
