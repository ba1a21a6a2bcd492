/**
 * The message state machine. No other code changes a message's state. The functions are pure: the caller locks the
 * message, calls {@link transition} and stores the result. A report during an attempt proves that the provider accepted it.
 *
 *     scheduled ──claimed──▶ sending, once it is due
 *     scheduled ──canceled──▶ canceled: final
 *     queued  ──claimed──▶ sending (also from sending, after the worker's lease has expired)
 *     queued  ──verified──▶ canceled, unless an earlier send was accepted: then sent; also sent if the code was entered after an
 *         attempt with an unknown outcome
 *     sending ──accepted──▶ sent
 *     sending ──movedOn──▶ sending (next provider of the route)
 *     sending ──failedTransiently──▶ queued (same channel, later); if it is too late for a retry: same as rejected,
 *         but always failed if a worker crashed while sending
 *     sending ──postponed──▶ queued (same channel, after quiet hours)
 *     sending ──rejected──▶ queued (next channel in the plan), or failed after the last channel
 *     sending ──outcomeUnknown, workerDied──▶ failed
 *     sending ──expired──▶ expired
 *     sending ──refused──▶ queued (next channel in the plan), or refused after the last channel
 *     sent    ──reported──▶ sent, with a report; also from failed or expired if the outcome was unknown, and from queued
 *         if the provider of the failed attempt reports
 *     sent    ──reported (undelivered)──▶ queued, if there is another way to send it
 *     sent    ──claimed──▶ sending another way, after nothing was reported or entered for too long
 *     failed  ──retriedByPerson──▶ queued
 *     failed, expired ──verified──▶ sent, if the outcome was unknown and the code was entered
 *     refused: final; canceled ──reported──▶ sent, if an attempt with an unknown outcome was accepted
 *
 * A message that is sent another way and fails there returns to `sent`, with the send that a provider accepted.
 */
import { SECOND } from '../../platform/clock.js';
import { unitsOf, type UsageChange } from '../usage/usage.js';
import type { WebhookEvent } from '../webhooks/event.js';
import { isEnvironmentId } from '../../providers/provider-id.js';
import type { ReportedState } from '../../providers/provider.js';
import type { EventOf, MessageEvent, ProviderRef, WorkerEvent } from './lifecycle-events.js';
import {
  arrivedEarlier,
  maySendAnotherWay,
  queuedAnotherWay,
  reportedSend,
  withEarlierReport,
  withEarlierSend,
  withUnknownSend,
} from './earlier-sends.js';
import { eventsOfReport, messageEvent } from './message-event.js';
import { earlyReport, withAttempt, withEarlyReport, withinLimit, withReport } from './message-history.js';
import type { Attempt, DeliveryReport, Message, Outcome } from './message.js';
import { canRetry, isKept, isTest, NOT_SENT, startOf } from './message.js';
import type { Price } from './price.js';
import { usageChange, usageOfCorrection, usageOfReport } from './message-usage.js';
import {
  acceptedLater,
  correctedToSent,
  lastUnknown,
  unknownBeforeRetry,
  type UnknownAttempt,
} from './unknown-outcomes.js';

/** Pauses before the second, third, … attempt after transient errors. The last pause repeats. */
const RETRY_DELAYS_SECONDS = [1, 2, 5, 10, 30, 60] as const;
/**
 * How long a message is retried on a channel after transient errors if there is another channel. The other channel is
 * then tried within five seconds, before most people request a new code.
 */
const FALLBACK_RETRY_SECONDS = 2;
/** Number of worker crashes after which a message is not sent, because it is probably the cause of the crashes. */
const MAX_CRASHES = 8;
type AttemptEvent = Exclude<Extract<MessageEvent, WorkerEvent>, { type: 'movedOn' }>;

export interface Transition {
  readonly message: Message;
  readonly usage: readonly UsageChange[];
  readonly webhookEvents: readonly WebhookEvent[];
  /** The outcome for the request that waits for the message. */
  readonly reply?: Outcome;
}

/** The reason not to send a claimed message; undefined if it can be sent. */
export function reasonNotToSend({ expiresAt, crashes }: Message, now: number): 'expired' | 'workerDied' | undefined {
  if (now >= expiresAt) return 'expired';
  return crashes >= MAX_CRASHES ? 'workerDied' : undefined;
}

export function transition(message: Message, event: MessageEvent, now: number): Transition | 'ignored' {
  if (message.state === 'refused' || (message.state === 'canceled' && event.type !== 'reported')) return 'ignored';
  switch (event.type) {
    case 'claimed':
      return onClaimed(message, event, now);
    case 'movedOn':
      return onMovedOn(message, event, now);
    case 'reported':
      return onReported(message, event, now);
    case 'verified':
      return onVerified(message, event, now);
    case 'retriedByPerson':
      return canRetry(message, now) ? onRetried(message, now) : 'ignored';
    case 'canceled':
      return onCanceled(message, event, now);
    default:
      return onAttemptEnded(message, event, now);
  }
}

const withoutEffects = (message: Message): Transition => ({ message, usage: [], webhookEvents: [] });

function onClaimed(message: Message, event: EventOf<'claimed'>, now: number): Transition | 'ignored' {
  if (isKept(message)) return onSilent(message, event, now);
  const isDue = message.dueAt !== null && message.dueAt <= now;
  const leaseExpired = message.state === 'sending' && isDue;
  const isWaiting = message.state === 'queued' || (message.state === 'scheduled' && isDue);
  if (!isWaiting && !leaseExpired) return 'ignored';
  const crashes = message.crashes + (leaseExpired ? 1 : 0);
  // After a crash, the message is first looked up at the provider that may have accepted it.
  const provider = (crashes > 0 ? message.provider : null) ?? event.provider ?? null;
  const { claim, leaseUntil: dueAt } = event;
  const attemptCount = message.attemptCount + 1;
  return withoutEffects({
    ...message,
    state: 'sending',
    claim,
    dueAt,
    attemptCount,
    crashes,
    provider,
    orderKey: null,
  });
}

/** Sends a message another way, because nothing was reported or entered. Erases its content if there is no other way. */
function onSilent(message: Message, event: EventOf<'claimed'>, now: number): Transition | 'ignored' {
  const { claim, next } = event;
  if (message.dueAt === null || message.dueAt > now) return 'ignored';
  // A process of an earlier version may have recorded the delivery without erasing the content.
  if (next === undefined || message.report === 'delivered' || !maySendAnotherWay(message, now))
    return withoutEffects({ ...message, claim, payload: null, dueAt: null });
  return onClaimed(queuedAnotherWay(message, next, now), event, now);
}

/** Ignored if another worker has claimed the message, or a report shows that the previous provider has accepted it. */
function onMovedOn(message: Message, event: EventOf<'movedOn'>, now: number): Transition | 'ignored' {
  const { claim, next, reason, maybeSent: unknown, price } = event;
  if (message.state !== 'sending' || claim !== message.claim || message.providerId !== null) return 'ignored';
  // The code was entered, or an earlier send has arrived.
  if (now >= message.expiresAt || arrivedEarlier(message)) return 'ignored';
  if (reason === undefined) return withoutEffects({ ...message, provider: next });
  const attempt = failureOf(message, event, reason, now);
  const attempts = [...message.attempts, unknown ? { ...attempt, ifSent: price } : attempt];
  return withoutEffects({ ...message, provider: next, attempts });
}

const attemptOf = ({ channel }: Message, provider: ProviderRef | undefined): Pick<Attempt, 'channel' | 'provider'> =>
  provider ? { channel, provider: provider.name } : { channel };

/** Returns a failed attempt. Leaves the reply out if the recipient was erased during the attempt. */
function failureOf(message: Message, event: WorkerEvent, reason: string, now: number): Attempt {
  const { provider, startedAt, details } = event;
  const attempt = { ...attemptOf(message, provider), success: false, message: reason, startedAt, at: now };
  return details && message.recipient !== '' ? { ...attempt, details } : attempt;
}

function onAttemptEnded(message: Message, event: AttemptEvent, now: number): Transition | 'ignored' {
  // If another worker has claimed the message in the meantime, only `accepted` still counts.
  if (message.state !== 'sending' || (event.type !== 'accepted' && event.claim !== message.claim)) return 'ignored';
  // A report can arrive before the worker's event, and proves that the provider has accepted the message.
  if (event.type === 'accepted' || message.providerId !== null) return onAccepted(message, event, now);
  if (event.type === 'postponed' && !arrivedEarlier(message)) return postpone(message, event);
  if (event.type === 'failedTransiently') {
    const dueAt = retryTime(message, event, now);
    if (dueAt !== undefined) return retryLater(message, event, dueAt, now);
  }
  const attempts = [...message.attempts, ...failedAttempt(message, event, now)];
  const next = nextChannel(message, event.type, now);
  if (next === undefined && message.earlierSends.length > 0) return giveUp({ ...message, attempts }, event, now);
  if (next === undefined && event.type === 'refused' && attempts.every(({ ifSent }) => ifSent === undefined))
    return refuse({ ...message, attempts }, event, now);
  if (next === undefined)
    return finish({ ...message, state: event.type === 'expired' ? 'expired' : 'failed', attempts }, event.price, now);
  return withoutEffects({
    ...message,
    state: 'queued',
    channel: next,
    provider: null,
    attemptCount: 0,
    attempts,
    dueAt: now,
  });
}

/** Nothing was tried, so this is no attempt. The message expires if it is not useful until the quiet hours end. */
function postpone(message: Message, { until }: EventOf<'postponed'>): Transition {
  const { channel, attempts, attemptCount, expiresAt } = message;
  const queued = { channel, success: true, message: 'queued for delivery: quiet hours' };
  return {
    ...withoutEffects({
      ...message,
      state: 'queued',
      dueAt: Math.min(until, expiresAt),
      attemptCount: attemptCount - 1,
    }),
    reply: { state: 'queued', attempts: [queued, ...attempts] },
  };
}

/** Ends a message that was accepted, but must no longer be sent. It is not counted, like other refused messages. */
function refuse(message: Message, { refusal }: EventOf<'refused'>, now: number): Transition {
  const ended: Message = { ...message, state: 'refused', refusal, payload: null, dueAt: null, finishedAt: now };
  const { attempts } = ended;
  return {
    message: ended,
    usage: [],
    webhookEvents: [messageEvent(ended, 'failed', now)],
    reply: { state: 'failed', attempts },
  };
}

function onAccepted(message: Message, event: AttemptEvent, now: number): Transition {
  const { price, startedAt } = event;
  const providerId = event.type === 'accepted' ? event.providerId : message.providerId;
  const name = attemptOf(message, event.provider);
  const attempt: Attempt = { ...name, success: true, message: 'sent', price, startedAt, at: now };
  // A report with another provider id belongs to an earlier attempt.
  const { report, reportedAt } =
    providerId === message.providerId ? message : ({ report: null, reportedAt: null } as const);
  const provider = event.provider?.id ?? message.provider;
  const attempts = [attempt, ...message.attempts];
  const sentBy: Message = { ...message, state: 'sent', provider, providerId, report, reportedAt, attempts };
  const early = earlyReport(sentBy);
  const accepted = early ? withReason({ ...sentBy, history: message.history.slice(0, -1) }, early) : sentBy;
  const nextWay = early ?? (event.type === 'accepted' ? event : undefined);
  const next = maySendAnotherWay(message, now) ? nextWay?.next : undefined;
  if (arrivedEarlier(accepted)) return withArrivedSend(finish(accepted, price, now), now);
  if (next === undefined || report === 'delivered') return finish(accepted, price, now);
  const silentMs = event.type === 'accepted' ? event.silentMs : undefined;
  const dueAt = Math.min(message.expiresAt, now + (silentMs ?? Infinity));
  const sent = finish({ ...accepted, report: null, reportedAt: null }, price, now);
  const kept = { ...sent, message: { ...sent.message, payload: message.payload, dueAt } };
  if (report === null) return kept;
  const again = notDelivered(kept.message, next, now);
  return { ...kept, message: again.message, usage: [...kept.usage, ...again.usage] };
}

/** The message is reported as undelivered, and is sent another way. */
function notDelivered(message: Message, next: Message['channel'], now: number): Transition {
  const undelivered: Message = { ...message, report: 'undelivered', reportedAt: now };
  return {
    message: queuedAnotherWay(undelivered, next, now),
    usage: usageOfReport(undelivered, 'undelivered'),
    webhookEvents: [],
  };
}

/** A provider has accepted the message, although an earlier send has arrived meanwhile. */
const withArrivedSend = (sent: Transition, now: number): Transition => {
  const message = withEarlierSend(sent.message, now);
  return { ...sent, message, webhookEvents: [...sent.webhookEvents, messageEvent(message, 'delivered', now)] };
};

/** Ends a message that could not be sent another way with its best earlier send. */
function giveUp(message: Message, event: AttemptEvent, now: number): Transition {
  const unknown = message.attempts.find(({ ifSent }) => ifSent !== undefined);
  const sends = unknown && maybeSent(message, event.type) ? withUnknownSend(message, unknown) : message;
  const ended = withEarlierSend(sends, now);
  const { report, attempts } = ended;
  return {
    message: ended,
    usage: [],
    webhookEvents: report ? [messageEvent(ended, report, now)] : [],
    reply: { state: 'sent', attempts },
  };
}

/** The code was entered or is no longer valid, so the message must not be sent again, not even by a person. */
function onVerified(message: Message, { isEntered }: EventOf<'verified'>, now: number): Transition | 'ignored' {
  const { state, payload, earlierSends } = message;
  // The attempt in progress ends the message.
  if (state === 'sending') return withoutEffects(notSentAgain(message, now));
  if (state === 'queued' && earlierSends.length > 0) return withoutEffects(withEarlierSend(message, now));
  const sent = isEntered ? provenToBeSent(message, now) : undefined;
  if (sent) return sent;
  if (state === 'queued') return withoutEffects(canceledMessage(message, null, now));
  const canBeSent = payload !== null && (state === 'sent' || state === 'failed');
  return canBeSent ? withoutEffects({ ...message, payload: null, dueAt: null }) : 'ignored';
}

/**
 * Changes a message to `sent`, because its code was entered after attempts with unknown outcomes. Only one of them is charged,
 * the last one: the code does not show which of them arrived. Returns undefined if there is no such attempt.
 */
function provenToBeSent(message: Message, now: number): Transition | undefined {
  if (message.state !== 'queued') {
    const sent = correctedToSent(message);
    if (!sent) return undefined;
    const ended: Message = { ...sent, payload: null, dueAt: null };
    return {
      message: ended,
      usage: usageOfCorrection(ended),
      webhookEvents: eventsOfReport(message, ended, 'sent', now),
    };
  }
  const unknown = lastUnknown(message);
  if (!unknown) return undefined;
  const attempts = message.attempts.filter((attempt) => attempt !== unknown);
  return finishAccepted({ ...message, attempts, channel: unknown.channel }, unknown, now);
}

/** Ends a message whose attempt was accepted after all. */
const finishAccepted = (message: Message, unknown: UnknownAttempt, now: number): Transition =>
  finish({ ...message, state: 'sent', attempts: [acceptedLater(unknown), ...message.attempts] }, unknown.ifSent, now);

const notSentAgain = (message: Message, now: number): Message => ({
  ...message,
  expiresAt: Math.min(message.expiresAt, now),
});

/** Finishes the message: counts its usage, creates its webhook event, and erases its content unless it has failed. */
function finish(message: Message, price: Price, now: number): Transition {
  const state = message.state as 'sent' | 'failed' | 'expired';
  const ended: Message = {
    ...message,
    dueAt: null,
    finishedAt: now,
    payload: state === 'failed' ? message.payload : null,
  };
  const { attempts, report, reportedAt } = ended;
  const counts = state === 'sent' ? { sent: 1, cost: unitsOf(price.charge) } : { failed: 1 };
  const finalState = state === 'sent' && report === 'undelivered' ? report : state;
  return {
    message: ended,
    usage: isTest(ended) ? [] : [usageChange(ended, price, counts), ...(report ? usageOfReport(ended, report) : [])],
    webhookEvents: [
      messageEvent(ended, finalState, now),
      ...(report === 'delivered' ? [messageEvent(ended, report, reportedAt ?? now)] : []),
    ],
    reply: { state, attempts },
  };
}

/** Whether the provider may have accepted the message, in this attempt or before a worker crashed. */
const maybeSent = ({ crashes }: Message, type: AttemptEvent['type']): boolean =>
  type === 'outcomeUnknown' || type === 'workerDied' || (crashes > 0 && type !== 'rejected');

/** After these events, no other channel is tried. */
const LAST_EVENTS: readonly AttemptEvent['type'][] = ['expired', 'workerDied', 'notAllowed'];

/**
 * The next channel to try; undefined if there is none, if it is too late, or if the current channel may have delivered the
 * message.
 */
function nextChannel(message: Message, type: AttemptEvent['type'], now: number): Message['channel'] | undefined {
  if (now >= message.expiresAt) return undefined;
  if (LAST_EVENTS.includes(type) || maybeSent(message, type) || arrivedEarlier(message)) return undefined;
  return message.plan[message.plan.indexOf(message.channel) + 1];
}

const CRASH_REASON = 'the worker stopped before the provider replied';

/** Returns a list with the failed attempt, or an empty list if the message expired without an attempt. */
function failedAttempt(message: Message, event: AttemptEvent, now: number): Attempt[] {
  const unknown = maybeSent(message, event.type);
  if ((event.type === 'expired' || event.type === 'postponed') && !unknown) return [];
  const attempt = failureOf(message, event, 'reason' in event ? event.reason : CRASH_REASON, now);
  return [unknown ? { ...attempt, ifSent: event.price } : attempt];
}

/** Returns the time of a retry on the same channel after a transient failure; undefined if it would be too late. */
function retryTime(message: Message, event: EventOf<'failedTransiently'>, now: number): number | undefined {
  const planned = RETRY_DELAYS_SECONDS[Math.min(message.attemptCount, RETRY_DELAYS_SECONDS.length) - 1]!;
  const dueAt = now + Math.max(event.retryAfterSeconds ?? 0, planned) * SECOND;
  // If there is another channel, it is tried early, because people are waiting for their codes.
  const isLastChannel = nextChannel(message, event.type, now) === undefined;
  const deadline = isLastChannel ? message.expiresAt : startOf(message) + FALLBACK_RETRY_SECONDS * SECOND;
  return dueAt < Math.min(deadline, message.expiresAt) ? dueAt : undefined;
}

function retryLater(message: Message, event: EventOf<'failedTransiently'>, dueAt: number, now: number): Transition {
  const { channel } = message;
  const { reason } = event;
  // A late report or the entered code can show that the provider has accepted the message after all.
  const attempt = { ...failureOf(message, event, reason, now), ifSent: event.price };
  const queued = { channel, success: true, message: `queued for delivery: ${reason}` };
  // Every provider of the route is tried again, except providers that may have sent the message.
  const isRetried = (tried: Attempt) => tried.channel === channel && tried.ifSent === undefined;
  const history = [...message.attempts.filter(isRetried), attempt].reduce(withAttempt, message.history);
  const attempts = message.attempts.filter((tried) => !isRetried(tried));
  return {
    ...withoutEffects({ ...message, state: 'queued', dueAt, attempts, history }),
    reply: { state: 'queued', attempts: [queued, ...attempts] },
  };
}

function onRetried(message: Message, now: number): Transition {
  const past = message.attempts.map((attempt) => ({ ...attempt, times: 1 }));
  return withoutEffects({
    ...message,
    ...NOT_SENT,
    state: 'queued',
    channel: message.plan[0]!,
    attempts: [],
    history: withinLimit([...message.history, ...past, { retriedAt: now }]),
    dueAt: now,
  });
}

/** Cancels a scheduled message. Publishes no event, because whoever cancels or replaces it knows. */
function onCanceled(message: Message, event: EventOf<'canceled'>, now: number): Transition | 'ignored' {
  if (message.state !== 'scheduled') return 'ignored';
  return withoutEffects(canceledMessage(message, event.replacedBy ?? null, now));
}

const canceledMessage = (message: Message, replacedBy: string | null, now: number): Message => ({
  ...message,
  payload: null,
  orderKey: null,
  dueAt: null,
  state: 'canceled',
  finishedAt: now,
  replacedBy,
});

/** Reported states, weakest first. Reports can arrive in any order, so weaker reports never replace stronger ones. */
const REPORTED_STATES: readonly ReportedState[] = ['sent', 'undelivered', 'delivered'];

const isStronger = (state: ReportedState, before: DeliveryReport | null): boolean =>
  REPORTED_STATES.indexOf(state) > REPORTED_STATES.indexOf(before ?? 'sent');

/** Whether the provider that was called last sent the report. Other reports could be from another account. */
const isFromLastProvider = ({ provider }: Message, reporter: string): boolean =>
  provider === null ? isEnvironmentId(reporter) : provider === reporter;

/**
 * Applies a provider's report. Ignores reports of other providers than those that sent the message, reports that are not
 * stronger than the stored report on the same send, and reports on other sends once the message has ended with a known
 * outcome. Reports during an attempt are counted when the attempt ends. A message that waits for a retry, or was canceled
 * while it waited, becomes `sent` if the provider reports that it accepted the last attempt.
 */
function onReported(before: Message, event: EventOf<'reported'>, now: number): Transition | 'ignored' {
  const { providerId, reportedState } = event;
  const earlier = reportedSend(before, event);
  if (earlier !== -1) return onEarlierReported(before, earlier, event, now);
  if (!isFromLastProvider(before, event.provider)) return 'ignored';
  const known = before.providerId === providerId;
  if (known && !isStronger(reportedState, before.report)) return 'ignored';
  const deliveryReport = reportedState === 'sent' ? null : reportedState;
  const reported = {
    providerId,
    report: deliveryReport,
    reportedAt: deliveryReport && now,
    history: known ? withReport(before) : before.history,
  };
  if (before.state === 'sending')
    return withoutEffects({ ...before, ...reported, history: withEarlyReport(before, event, now) });
  if (before.state === 'queued' || before.state === 'canceled')
    return reportedState === 'undelivered' ? 'ignored' : onReportedBeforeRetry({ ...before, ...reported }, now);
  const sent = known && before.state === 'sent' ? before : correctedToSent(before);
  if (!sent) return 'ignored';
  const { next } = event;
  if (reportedState === 'undelivered' && next !== undefined && isKept(before) && maySendAnotherWay(before, now))
    return notDelivered(withReason(before, event), next, now);
  const explained = reportedState === 'undelivered' ? withReason(sent, event) : sent;
  const message: Message = { ...explained, ...reported, payload: null, dueAt: null };
  return {
    message,
    usage: [
      ...(sent === before ? [] : usageOfCorrection(message)),
      ...(deliveryReport ? usageOfReport(message, deliveryReport, before.report) : []),
    ],
    webhookEvents: eventsOfReport(before, message, reportedState, now),
  };
}

/** Stores why the provider did not deliver a sent message. */
function withReason(
  message: Message,
  { reason: undelivered, details }: Pick<EventOf<'reported'>, 'reason' | 'details'>,
): Message {
  if (undelivered === undefined) return message;
  const explained = message.attempts.map((attempt) =>
    attempt.success ? { ...attempt, undelivered, details } : attempt,
  );
  return { ...message, attempts: explained };
}

/** Applies a report on an earlier send. Once the message has arrived, it is not sent again. */
function onEarlierReported(
  before: Message,
  index: number,
  { providerId, reportedState }: EventOf<'reported'>,
  now: number,
): Transition | 'ignored' {
  const { attempt, report } = before.earlierSends[index]!;
  const wasUnknown = !attempt.success;
  if (!isStronger(reportedState, report) && !wasUnknown) return 'ignored';
  const message = withEarlierReport(before, index, providerId, reportedState, now);
  const { attempt: reported, report: newReport } = message.earlierSends[index]!;
  const send: Message = { ...message, channel: reported.channel, attempts: [reported], finishedAt: reported.at ?? now };
  const bill = { sent: 1, cost: unitsOf(reported.price!.charge) };
  const usage = [
    ...(wasUnknown ? [usageChange(send, reported.price!, bill)] : []),
    ...(newReport ? usageOfReport(send, newReport, report) : []),
  ];
  if (newReport !== 'delivered' || message.report === 'delivered') return { message, usage, webhookEvents: [] };
  // The attempt in progress ends the message.
  if (message.state === 'sending') return { message: notSentAgain(message, now), usage, webhookEvents: [] };
  const arrived = withEarlierSend(message, now);
  return { message: arrived, usage, webhookEvents: [messageEvent(arrived, 'delivered', now)] };
}

/**
 * Ends a message that waits or waited for a retry, although its provider has accepted it. Ignores the report if the retry uses
 * another channel, or a person started it.
 */
function onReportedBeforeRetry(message: Message, now: number): Transition | 'ignored' {
  const last = unknownBeforeRetry(message);
  return last?.channel === message.channel ? finishAccepted(message, last, now) : 'ignored';
}
