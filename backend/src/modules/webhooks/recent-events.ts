/** The last events of an application, made of what is stored anyway: nothing is written for them. */
import { RECENT_EVENTS } from '../../platform/limits.js';
import type { MessagesService } from '../messages/messages-service.js';
import type { VerifiedSessions } from '../otp/verified-sessions.js';
import { messageEvent, verifiedEvent, type EventName, type WebhookEvent } from './event.js';

/** At most 10 events of a kind, newest first. */
export type RecentEvents = (applicationId: number, event: EventName) => Promise<WebhookEvent[]>;

export function createRecentEvents({
  messages,
  verifiedSessions,
}: {
  messages: MessagesService;
  verifiedSessions: VerifiedSessions;
}): RecentEvents {
  return async (applicationId, event) => {
    if (event === 'otp.verified') return (await verifiedSessions(applicationId, RECENT_EVENTS)).map(verifiedEvent);
    const states =
      event === 'message.delivered'
        ? (['sent', 'delivered'] as const)
        : (['failed', 'expired', 'undelivered'] as const);
    const finished = await messages.recent(applicationId, states, RECENT_EVENTS);
    return finished.map(({ message, ended, endedAt }) => messageEvent(message, ended, endedAt));
  };
}
