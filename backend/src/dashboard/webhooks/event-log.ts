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
  /**
   * Number of calls, including earlier ones that the log no longer contains. If the event was sent again by hand, and the
   * log has lost all calls before that, it does not count them.
   */
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

/**
 * Counts the calls with an event. The log only loses its oldest calls, so the number of the oldest stored call shows how
 * many are missing. "Send again" restarts the numbers at 1, even while the event still waits for a retry.
 */
const countOf = (attempts: readonly Attempt[]): number =>
  Math.max(attempts.length + attempts.at(-1)!.attempt - 1, ...attempts.map(({ attempt }) => attempt));

function loggedEvent(attempts: readonly Attempt[]): LoggedEvent {
  const last = attempts[0]!;
  const body = JSON.parse(last.body) as LoggedEvent['body'];
  return {
    eventId: last.eventId,
    body,
    attempts,
    last,
    attemptCount: countOf(attempts),
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
