/** Groups the calls of a webhook's log by event, and divides the events into pages. */
import { isAccepted, WEBHOOK_HOURS, type Attempt } from '../../modules/webhooks/webhook.js';
import type { EventBody } from '../../modules/webhooks/event.js';
import type { WebhookLog } from '../../modules/webhooks/webhook-changes.js';
import { HOUR, SECOND } from '../../platform/clock.js';
import { groupBy } from '../group-by.js';

/** Number of events on a page of the log. */
const SHOWN_EVENTS = 12;

export interface LoggedEvent {
  readonly eventId: string;
  readonly body: EventBody & { readonly data?: { readonly messageId?: string; readonly to?: string } };
  /** Newest first. */
  readonly attempts: readonly Attempt[];
  readonly last: Attempt;
  /** Number of calls, including those that the log no longer contains. */
  readonly attemptCount: number;
}

export interface EventPage {
  /** By their latest call, newest first. */
  readonly events: readonly LoggedEvent[];
  /** Cursor of the next page, if there are older events. */
  readonly olderThan: number | undefined;
}

export interface EventQuery {
  /** Only events whose latest call has a smaller ID. */
  readonly before: number | undefined;
  /** Only events whose latest call failed. */
  readonly isFailed: boolean;
}

function loggedEvent(attempts: readonly Attempt[]): LoggedEvent {
  const last = attempts[0]!;
  const body = JSON.parse(last.body) as LoggedEvent['body'];
  return {
    eventId: last.eventId,
    body,
    attempts,
    last,
    attemptCount: Math.max(attempts.length, ...attempts.map(({ attempt }) => attempt)),
  };
}

export function eventPage({ attempts }: Pick<WebhookLog, 'attempts'>, { before, isFailed }: EventQuery): EventPage {
  const found = groupBy(attempts, ({ eventId }) => eventId)
    .filter(([last]) => before === undefined || last!.id < before)
    .filter(([last]) => !isFailed || !isAccepted(last!.status));
  const events = found.slice(0, SHOWN_EVENTS).map(loggedEvent);
  return { events, olderThan: found.length > SHOWN_EVENTS ? events.at(-1)!.last.id : undefined };
}

/** Returns when an event is sent again at the earliest; undefined if it is not waiting. Test events are not repeated. */
export function nextAttemptAt(
  { last, body: { createdTime, test } }: LoggedEvent,
  { nextAt }: Pick<WebhookLog, 'nextAt'>,
  now: number,
): number | undefined {
  const isWaiting = !isAccepted(last.status) && !test && now < createdTime * SECOND + WEBHOOK_HOURS * HOUR;
  return isWaiting && nextAt !== undefined ? Math.max(nextAt, now) : undefined;
}
