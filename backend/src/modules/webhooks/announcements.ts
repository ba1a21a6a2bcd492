/**
 * What is stored together with a fact so that webhooks hear of it: nothing for an application that has no webhook for it.
 * Who is told is known from memory, so that such an application pays nothing.
 */
import type { Write } from '../../platform/db/transaction.js';
import type { EndState } from '../messages/message.js';
import {
  messageEvent,
  messageEventName,
  verifiedEvent,
  type EndedMessage,
  type MessageEventName,
  type Verified,
} from './event.js';
import { deliveryWrite } from './outbox-store.js';
import type { WebhooksService } from './webhooks-service.js';

/** Ids of the webhooks that are told of each event. */
type Told = Readonly<Record<MessageEventName, readonly number[]>>;

export type Announcements = ReturnType<typeof createAnnouncements>;

export function createAnnouncements(webhooks: WebhooksService) {
  return {
    /** Who is told of messages; to be asked before the transaction, which would wait for itself on SQLite. */
    toldOfMessages: async (applicationId: number): Promise<Told> => ({
      'message.delivered': await webhooks.subscribers(applicationId, 'message.delivered'),
      'message.failed': await webhooks.subscribers(applicationId, 'message.failed'),
    }),

    /** For a message that ended, which is told from now on; times are milliseconds. */
    ofMessage(
      message: EndedMessage,
      state: EndState,
      { endedAt, now }: { readonly endedAt: number; readonly now: number },
      told: Told,
    ): Write[] {
      return told[messageEventName(state)].map((id) => deliveryWrite(id, messageEvent(message, state, endedAt), now));
    },

    /** Who is told of verified sessions; to be asked before the transaction, too. */
    toldOfVerified: (applicationId: number): Promise<number[]> => webhooks.subscribers(applicationId, 'otp.verified'),

    ofVerified: (verified: Verified, told: readonly number[]): Write[] =>
      told.map((id) => deliveryWrite(id, verifiedEvent(verified), verified.verifiedAt)),
  };
}
