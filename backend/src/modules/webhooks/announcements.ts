/**
 * What is stored together with a fact so that webhooks hear of it: nothing for an application that has no webhook for it.
 * Who is told is known from memory, so that such an application pays nothing.
 */
import type { Write } from '../../db/transaction.js';
import type { Message, Outcome } from '../messages/message.js';
import { messageEvent, messageEventName, verifiedEvent, type Verified } from './event.js';
import { deliveryWrite } from './outbox-store.js';
import type { WebhooksService } from './webhooks-service.js';

export type Announcements = ReturnType<typeof createAnnouncements>;

export function createAnnouncements(webhooks: WebhooksService) {
  return {
    /** For a message that ends now, in milliseconds. */
    async ofMessage(message: Message, outcome: Outcome, now: number): Promise<Write[]> {
      const told = await webhooks.subscribers(message.applicationId, messageEventName(outcome.state));
      return told.map((id) => deliveryWrite(id, messageEvent(message, outcome, now), now));
    },

    /** Who is told of verified sessions; to be asked before the transaction, which would wait for itself on SQLite. */
    toldOfVerified: (applicationId: number): Promise<number[]> => webhooks.subscribers(applicationId, 'otp.verified'),

    ofVerified: (verified: Verified, told: readonly number[]): Write[] =>
      told.map((id) => deliveryWrite(id, verifiedEvent(verified), verified.verifiedAt)),
  };
}
