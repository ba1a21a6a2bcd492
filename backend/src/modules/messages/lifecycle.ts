/**
 * The state machine of a message. No other code changes states. Pure: the caller locks the message, calls
 * {@link transition} and stores the result.
 *
 *     queued  ──claimed──▶ sending
 *     sending ──accepted──▶ sent
 *     sending ──failedTransiently──▶ queued (same channel, later); if out of time: as rejected, or failed after a crash
 *     sending ──rejected──▶ queued (next channel of the plan), failed after the last one
 *     sending ──outcomeUnknown, workerDied──▶ failed (each failure ──▶ sent if a report arrived first)
 *     sending ──expired──▶ expired
 *     sent    ──reported──▶ sent, with a report; also from failed or expired when the outcome was unknown
 *     failed  ──retriedByPerson──▶ queued
 */
import { SECOND } from '../../platform/clock.js';
import { dayOf, unitsOf, type UsageChange } from '../usage/usage.js';
import type { WebhookEvent } from '../webhooks/event.js';
import type { ReportedState } from '../../providers/provider.js';
import { messageEvent } from './message-event.js';
import {
  acceptedAttempt,
  canRetry,
  type Attempt,
  type DeliveryReport,
  type HistoryEntry,
  type Message,
  type Outcome,
} from './message.js';
import type { Price } from './price.js';

/** Pauses before the second, third, … attempt after a transient error; the last one repeats. */
const RETRY_DELAYS_SECONDS = [1, 2, 5, 10, 30, 60] as const;
/**
 * How long a transient error is retried on its channel if the plan has another channel. With one more connection
 * attempt, the next channel gets the message within five seconds, before people request a new code.
 */
const PLAN_RETRY_SECONDS = 2;
/** After this many crashes, the message is probably the cause. Harmless messages are hit by a few crashes. */
const MAX_CRASHES = 8;
/** Maximum number of stored history entries. They are only shown to people. */
const HISTORY_LENGTH = 50;

/** An event of the worker that claimed the message. */
interface WorkerEvent {
  readonly claim: string | null;
  /** When the worker claimed the message, in milliseconds. */
  readonly startedAt: number;
  /** Price of the message on its current channel. */
  readonly price: Price;
}

export type MessageEvent = { readonly id: string } & (
  | { readonly type: 'claimed'; readonly claim: string; readonly leaseUntil: number }
  | ({ readonly type: 'accepted'; readonly providerId: string } & WorkerEvent)
  /** `rejected`: a permanent failure. `outcomeUnknown`: the provider may have accepted the message. */
  | ({ readonly type: 'rejected' | 'outcomeUnknown'; readonly reason: string } & WorkerEvent)
  | ({ readonly type: 'failedTransiently'; reason: string; retryAfterSeconds: number | undefined } & WorkerEvent)
  /** `workerDied`: too many workers crashed while sending the message. */
  | ({ readonly type: 'expired' | 'workerDied' } & WorkerEvent)
  | { readonly type: 'reported'; readonly providerId: string; readonly reportedState: ReportedState }
  | { readonly type: 'retriedByPerson' }
);

export type EventOf<Type extends MessageEvent['type']> = Extract<MessageEvent, { readonly type: Type }>;
type AttemptEvent = Extract<MessageEvent, WorkerEvent>;

export interface Transition {
  readonly message: Message;
  readonly usage: readonly UsageChange[];
  readonly webhookEvents: readonly WebhookEvent[];
  /** For the waiting request. */
  readonly reply?: Outcome;
}

/** The reason not to send a claimed message; undefined if there is none. */
export function reasonNotToSend({ expiresAt, crashes }: Message, now: number): 'expired' | 'workerDied' | undefined {
  if (now >= expiresAt) return 'expired';
  return crashes >= MAX_CRASHES ? 'workerDied' : undefined;
}

export function transition(message: Message, event: MessageEvent, now: number): Transition | 'ignored' {
  switch (event.type) {
    case 'claimed':
      return onClaimed(message, event, now);
    case 'reported':
      return onReported(message, event, now);
    case 'retriedByPerson':
      return canRetry(message, now) ? onRetried(message, now) : 'ignored';
    default:
      return onAttemptEnded(message, event, now);
  }
}

const silently = (message: Message): Transition => ({ message, usage: [], webhookEvents: [] });

function onClaimed(message: Message, { claim, leaseUntil }: EventOf<'claimed'>, now: number): Transition | 'ignored' {
  const leaseExpired = message.state === 'sending' && message.dueAt !== null && message.dueAt <= now;
  if (message.state !== 'queued' && !leaseExpired) return 'ignored';
  return silently({
    ...message,
    state: 'sending',
    claim,
    dueAt: leaseUntil,
    attemptCount: message.attemptCount + 1,
    crashes: message.crashes + (leaseExpired ? 1 : 0),
  });
}

function onAttemptEnded(message: Message, event: AttemptEvent, now: number): Transition | 'ignored' {
  // After its lease has expired, a worker no longer owns the message; only a success still counts.
  if (message.state !== 'sending' || (event.type !== 'accepted' && event.claim !== message.claim)) return 'ignored';
  // A report can arrive before the worker's own event, and proves that the provider has accepted the message.
  if (event.type === 'accepted' || message.providerId !== null) return onAccepted(message, event, now);
  if (event.type === 'failedTransiently') {
    const dueAt = retryTime(message, event, now);
    if (dueAt !== undefined) return retryLater(message, event, dueAt, now);
  }
  const attempts = [...message.attempts, ...failedAttempt(message, event, now)];
  const next = event.type === 'expired' || event.type === 'workerDied' ? undefined : nextChannel(message, event.type);
  if (next === undefined)
    return end({ ...message, state: event.type === 'expired' ? 'expired' : 'failed', attempts }, event.price, now);
  return silently({ ...message, state: 'queued', channel: next, attemptCount: 0, attempts, dueAt: now });
}

function onAccepted(message: Message, event: AttemptEvent, now: number): Transition {
  const { price, startedAt } = event;
  const providerId = event.type === 'accepted' ? event.providerId : message.providerId;
  const attempt: Attempt = { channel: message.channel, success: true, message: 'sent', price, startedAt, at: now };
  // A report about another provider id belongs to an earlier attempt.
  const { report, reportedAt } =
    providerId === message.providerId ? message : ({ report: null, reportedAt: null } as const);
  const accepted = { ...message, state: 'sent' as const, providerId, report, reportedAt };
  return end({ ...accepted, attempts: [attempt, ...message.attempts] }, price, now);
}

/** Ends the message: counts it, publishes its event, and erases content that is no longer needed. */
function end(message: Message, price: Price, now: number): Transition {
  const state = message.state as 'sent' | 'failed' | 'expired';
  const ended: Message = {
    ...message,
    dueAt: null,
    finishedAt: now,
    payload: state === 'failed' ? message.payload : null,
  };
  const { attempts, report } = ended;
  const counts = state === 'sent' ? { sent: 1, cost: unitsOf(price.charge) } : { failed: 1 };
  const finalState = state === 'sent' && report === 'undelivered' ? report : state;
  return {
    message: ended,
    usage: [usageChange(ended, price, counts), ...(report ? usageOfReport(ended, report) : [])],
    webhookEvents: [messageEvent(ended, finalState, now)],
    reply: { state, attempts },
  };
}

/** Whether the provider may have accepted the message, in this attempt or from a worker that crashed. */
const maybeSent = ({ crashes }: Message, type: AttemptEvent['type']): boolean =>
  type === 'outcomeUnknown' || type === 'workerDied' || (crashes > 0 && type !== 'rejected');

/** The next channel of the plan; undefined for the last one, or if the current one may have delivered the message. */
function nextChannel(message: Message, type: AttemptEvent['type']): Message['channel'] | undefined {
  return maybeSent(message, type) ? undefined : message.plan[message.plan.indexOf(message.channel) + 1];
}

const CRASH_REASON = 'the worker stopped before the provider replied';

/** Empty if the message expired without an attempt. */
function failedAttempt(message: Message, event: AttemptEvent, now: number): Attempt[] {
  const unknown = maybeSent(message, event.type);
  if (event.type === 'expired' && !unknown) return [];
  const { startedAt, price } = event;
  const reason = 'reason' in event ? event.reason : CRASH_REASON;
  const attempt = { channel: message.channel, success: false, message: reason, startedAt, at: now };
  return [unknown ? { ...attempt, ifSent: price } : attempt];
}

/** Undefined if a transient failure must not be retried on the same channel. */
function retryTime(message: Message, event: EventOf<'failedTransiently'>, now: number): number | undefined {
  const planned = RETRY_DELAYS_SECONDS[Math.min(message.attemptCount, RETRY_DELAYS_SECONDS.length) - 1]!;
  const dueAt = now + Math.max(event.retryAfterSeconds ?? 0, planned) * SECOND;
  // To someone waiting for a code, another channel now is more useful than this one later.
  const isLastChannel = nextChannel(message, event.type) === undefined;
  const deadline = isLastChannel ? message.expiresAt : message.createdAt + PLAN_RETRY_SECONDS * SECOND;
  return dueAt < Math.min(deadline, message.expiresAt) ? dueAt : undefined;
}

function retryLater(message: Message, event: EventOf<'failedTransiently'>, dueAt: number, now: number): Transition {
  const { channel, attempts } = message;
  const attempt = { channel, success: false, message: event.reason, startedAt: event.startedAt, at: now };
  const queued = { channel, success: true, message: `queued for delivery: ${event.reason}` };
  return {
    ...silently({ ...message, state: 'queued', dueAt, history: withAttempt(message.history, attempt) }),
    reply: { state: 'queued', attempts: [queued, ...attempts] },
  };
}

function onRetried(message: Message, now: number): Transition {
  const past = message.attempts.map((attempt) => ({ ...attempt, times: 1 }));
  return silently({
    ...message,
    state: 'queued',
    channel: message.plan[0]!,
    attempts: [],
    history: limited([...message.history, ...past, { retriedAt: now }]),
    attemptCount: 0,
    crashes: 0,
    dueAt: now,
    finishedAt: null,
    providerId: null,
    report: null,
    reportedAt: null,
  });
}

/** From weakest to strongest, so that the order in which reports arrive does not matter. */
const REPORTED_STATES: readonly ReportedState[] = ['sent', 'undelivered', 'delivered'];

const isStronger = (state: ReportedState, before: DeliveryReport | null): boolean =>
  REPORTED_STATES.indexOf(state) > REPORTED_STATES.indexOf(before ?? 'sent');

/**
 * Applies a provider's report. A report that arrives during sending is stored, and counted with the worker's event.
 * Later, only a stronger report about the same provider message counts, or the first report if the outcome was unknown.
 */
function onReported(before: Message, event: EventOf<'reported'>, now: number): Transition | 'ignored' {
  const { providerId, reportedState } = event;
  const known = before.providerId === providerId;
  if (known && !isStronger(reportedState, before.report)) return 'ignored';
  const deliveryReport = reportedState === 'sent' ? null : reportedState;
  const reported = {
    providerId,
    report: deliveryReport,
    reportedAt: deliveryReport && now,
    history: known ? withReport(before) : before.history,
  };
  if (before.state === 'sending') return silently({ ...before, ...reported });

  const sent = known && before.state === 'sent' ? before : correctedToSent(before);
  if (!sent) return 'ignored';
  const message: Message = { ...sent, ...reported, payload: null };
  return {
    message,
    usage: [
      ...(sent === before ? [] : usageOfCorrection(message)),
      ...(deliveryReport ? usageOfReport(message, deliveryReport, before.report) : []),
    ],
    webhookEvents: eventsOfReport(before, message, reportedState, now),
  };
}

/** The message changed to `sent` if its outcome was unknown; otherwise undefined. */
function correctedToSent(message: Message): Message | undefined {
  const last = message.attempts.at(-1);
  if ((message.state !== 'failed' && message.state !== 'expired') || last?.ifSent === undefined) return undefined;
  const accepted = { ...last, success: true, message: 'sent', price: last.ifSent };
  return { ...message, state: 'sent', attempts: [accepted, ...message.attempts.slice(0, -1)] };
}

/** Webhooks are called when a provider accepts a message, so a later `delivered` report publishes nothing. */
function eventsOfReport(before: Message, message: Message, state: ReportedState, now: number): WebhookEvent[] {
  if (state === 'undelivered') return [messageEvent(message, state, now)];
  const failedBefore = before.state !== 'sent' || before.report === 'undelivered';
  const wasUnknown = message.attempts[0]?.ifSent !== undefined;
  return failedBefore && wasUnknown ? [messageEvent(message, 'sent', before.finishedAt ?? now)] : [];
}

function usageChange(message: Message, price: Price, counts: Partial<UsageChange>): UsageChange {
  const { applicationId, channel, finishedAt } = message;
  const { country, currency } = price;
  return { applicationId, day: dayOf(finishedAt ?? 0), channel, country, currency, ...counts };
}

/** Counts a report on the day of the send, and subtracts the report that it replaces. */
function usageOfReport(message: Message, report: DeliveryReport, before?: DeliveryReport | null): UsageChange[] {
  const { channel, price } = acceptedAttempt(message) ?? {};
  if (!channel || !price) return [];
  return [usageChange({ ...message, channel }, price, { [report]: 1, ...(before ? { [before]: -1 } : {}) })];
}

/** Counts the message as sent instead of failed, on the day on which it was first counted. */
function usageOfCorrection(message: Message): UsageChange[] {
  const { channel, price } = acceptedAttempt(message)!;
  return [usageChange({ ...message, channel }, price!, { failed: -1, sent: 1, cost: unitsOf(price!.charge) })];
}

const limited = (history: readonly HistoryEntry[]): readonly HistoryEntry[] => history.slice(-HISTORY_LENGTH);
/** Adds an attempt that will be retried. Repeated identical results become one entry. */
function withAttempt(history: readonly HistoryEntry[], attempt: Attempt): readonly HistoryEntry[] {
  const last = history.at(-1);
  const same = last && 'times' in last && last.channel === attempt.channel && last.message === attempt.message;
  if (!same) return limited([...history, { ...attempt, times: 1 }]);
  return [
    ...history.slice(0, -1),
    { ...attempt, startedAt: last.startedAt ?? attempt.startedAt, times: last.times + 1 },
  ];
}

/** Adds the current report, which a stronger one is about to replace. */
function withReport({ history, report, reportedAt }: Message): readonly HistoryEntry[] {
  return report && reportedAt !== null ? limited([...history, { report, reportedAt }]) : history;
}
