/** Accepts and retries messages, and records delivery reports. */
import type { Knex } from 'knex';
import type { ChannelName } from '../../platform/contract/channels.js';
import { writeOf, type Write } from '../../platform/db/transaction.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { Shared } from '../audit/audit-service.js';
import type { EventBody, EventName } from '../webhooks/event.js';
import type { ApplyEvents } from './apply-events.js';
import { insertAttachments } from './attachments-store.js';
import type { Backlogs } from './backlog.js';
import type { Delivery } from './delivery.js';
import type { MessageEvent } from './lifecycle-events.js';
import type { MessageCosts } from './message-costs.js';
import { messageEvent } from './message-event.js';
import type { FinalState, Message, MessageDraft, Outcome, VisibleState } from './message.js';
import {
  attachmentContext,
  isKept,
  isOpen,
  newMessage,
  newMessageId,
  payloadContext,
  visibleState,
} from './message.js';
import type { MessagesStore } from './messages-store.js';
import { planAfter, type WayPlan } from './second-code.js';
import type { Outcomes } from './outcomes.js';
import { redactReport } from './redact-reply.js';
import type { ProviderCall } from './provider-call.js';
import type { RefundBudgets } from './refund-budgets.js';
import type { SendLimits } from './message-limits.js';
import { createCancel } from './cancel.js';
import { createRetry } from './retry.js';
import type { RecordRefusal } from './record-refusal.js';
import type { SendPlan } from './send-plan.js';

type MessageEventName = Extract<EventName, `message.${string}`>;

/** The message states from which {@link MessagesService.recentEvents} reconstructs each webhook event. */
const STATES_BY_EVENT: Readonly<Record<MessageEventName, readonly VisibleState[]>> = {
  'message.accepted': ['sent', 'delivered'],
  'message.delivered': ['delivered'],
  'message.failed': ['failed', 'expired', 'undelivered'],
};

interface Dependencies extends SendLimits, Pick<Shared, 'audit' | 'clock' | 'inTransaction' | 'keyring' | 'queue'> {
  readonly limiter: Pick<Limiter, 'take' | 'takeWith'>;
  readonly store: MessagesStore;
  readonly applyEvents: Pick<ApplyEvents, 'apply' | 'applyIn'>;
  readonly delivery: Pick<Delivery, 'claimNew' | 'deliverClaimed'>;
  readonly providerCall: Pick<ProviderCall, 'anotherWay' | 'ways'>;
  readonly outcomes: Outcomes;
  readonly backlogs: Backlogs;
  /** How long {@link MessagesService.accept} waits for the first outcome, in milliseconds. */
  readonly waitMs: number;
  readonly costs: MessageCosts;
  readonly variablesOf: (id: string, payload: string) => Readonly<Record<string, string>>;
  readonly refundBudgets: RefundBudgets;
  readonly recordRefusal: RecordRefusal;
}

export type MessagesService = ReturnType<typeof createMessagesService>;

export function createMessagesService(dependencies: Dependencies) {
  const { store, applyEvents, queue, delivery, outcomes, backlogs, keyring, variablesOf, clock } = dependencies;
  const { highestCost, rejectLong } = dependencies.costs;
  const cancellation = createCancel(dependencies);

  function toMessage({ variables: texts, attachment, ...draft }: MessageDraft): Message {
    const variables = attachment ? { ...texts, attachmentName: attachment.filename } : texts;
    const payload = keyring.seal(payloadContext(draft.id), JSON.stringify(variables));
    return newMessage({ ...draft, payload }, clock.now());
  }

  /** Returns the write that cancels the scheduled messages which a message about an order replaces; nothing without an order. */
  function replacing({ id, template, sendAt, createdAt }: Message, orderKey: string | undefined): Write[] {
    return orderKey === undefined
      ? []
      : [writeOf(cancellation.replaceIn, { id, template, sendAt, createdAt, orderKey })];
  }

  /** Returns the row of the draft's attachment, encrypted like the variables. */
  function attachmentRows({ id, applicationId, expiresAt, attachment }: MessageDraft): Write[] {
    if (!attachment) return [];
    const sealed = keyring.seal(attachmentContext(id), attachment.content);
    const row = { id, application_id: applicationId, sealed, expires_at: expiresAt };
    return [writeOf(insertAttachments, row)];
  }

  /** Adds a job. Losing it is harmless, because the sweeper enqueues the message again. */
  async function enqueue({ id, applicationId, channel }: Message, replyTo: string | undefined): Promise<void> {
    backlogs.countEnqueued(applicationId);
    await queue.enqueue({ id, channel, replyTo, behind: backlogs.isLong(applicationId) }).catch(() => undefined);
  }

  /**
   * Stores the message, its attachment and the rows of `others` in one transaction, and waits up to `waitMs` for its final state.
   * Delivers the message in this process if it has a free slot and the application's queue is short; otherwise, enqueues
   * it. Only stores a scheduled message: the sweeper enqueues it when it is due. Returns undefined or a `queued`
   * outcome if the message has not reached its final state by then.
   */
  async function accept(
    draft: MessageDraft,
    others: readonly Write[],
    waitMs: number = dependencies.waitMs,
  ): Promise<Outcome | undefined> {
    const message = toMessage(draft);
    const batch = [...others, ...attachmentRows(draft)];
    const { id, applicationId, channel } = message;
    const after = replacing(message, draft.orderKey);
    if (draft.sendAt !== undefined) {
      await store.insert(message, batch, after);
      return undefined;
    }
    const outcome = waitMs > 0 ? outcomes.wait(id, waitMs) : undefined;
    const replyTo = waitMs > 0 ? outcomes.processId : undefined;
    const slot = backlogs.isLong(applicationId) ? undefined : queue.acquireSlot(channel);
    try {
      const stored = slot ? await delivery.claimNew(message) : message;
      await store.insert(stored, batch, after);
      if (slot) void delivery.deliverClaimed(stored, replyTo).finally(slot);
      else await enqueue(stored, replyTo);
    } catch (error) {
      slot?.();
      throw error;
    }
    const reported = await outcome;
    if (reported && reported.state !== 'queued') {
      if (!slot) backlogs.countFinished(applicationId);
      return reported;
    }
    // If the worker's notification or the job was lost, the database may still have the final outcome.
    const finalOutcome = waitMs > 0 ? await outcomeOf(id).catch(() => undefined) : undefined;
    return finalOutcome ?? reported;
  }

  /**
   * Stores a message in the caller's transaction, for an email about a change that this transaction also stores. The
   * sweeper enqueues the message.
   */
  const acceptIn = (trx: Knex, draft: MessageDraft): Promise<void> => store.insertIn(trx, toMessage(draft));

  /**
   * Applies a provider's delivery report. `unreachable`: whether no provider can reach the recipient on this channel. The
   * sweeper enqueues a message that is then sent another way. Returns false if the report changes nothing.
   */
  async function report(event: Extract<MessageEvent, { type: 'reported' }>, unreachable?: boolean): Promise<boolean> {
    const message = await store.find(event.id);
    // Most reports only confirm that a message was sent. They change nothing, so they need no transaction.
    const isRoutine = event.reportedState === 'sent' && event.recipientStatus === undefined;
    if (!message || (isRoutine && message.state === 'sent' && message.earlierSends.length === 0)) return false;
    // A message that is being sent may be sent and kept before the report is applied.
    const next =
      message.state === 'sending' || isKept(message)
        ? dependencies.providerCall.anotherWay(message, message.provider, unreachable)
        : undefined;
    const variables = message.payload === null ? {} : variablesOf(message.id, message.payload);
    const details = redactReport(event.details, message.recipient, Object.values(variables));
    return (await applyEvents.apply({ ...event, details, next })) !== 'ignored';
  }

  /**
   * Ends messages whose codes were entered, or have become invalid otherwise, so that they are not sent again, and erases
   * content that was kept for this. Returns the channels on which providers accepted the messages, by message id.
   */
  async function settle(
    trx: Knex,
    entered: readonly string[],
    invalid: readonly string[] = [],
  ): Promise<Map<string, ChannelName>> {
    const ids = [...entered, ...invalid];
    if (ids.length === 0) return new Map();
    const locked = await store.lock(trx, ids);
    const unsettled = [...locked.values()].filter((message) => message.payload !== null || isOpen(message));
    if (unsettled.length > 0)
      await applyEvents.applyIn(
        trx,
        unsettled.map(({ id }) => ({ id, type: 'verified', isEntered: entered.includes(id) }) as const),
        locked,
      );
    return new Map(
      [...locked].flatMap(([id, message]) => {
        const channel = message.state === 'sent' ? message.channel : message.earlierSends.at(-1)?.attempt.channel;
        return channel ? [[id, channel] as const] : [];
      }),
    );
  }

  /**
   * Returns the plan of a code whose recipient did not enter an earlier one: it starts with the next provider or channel.
   * `earlierId`: reads the message of the earlier code; called only if there is another way.
   */
  async function planSecondCode(
    applicationId: number,
    { channels, country }: SendPlan,
    earlierId: () => Promise<string | undefined>,
  ): Promise<WayPlan> {
    const ways = dependencies.providerCall.ways({ id: newMessageId(), applicationId, plan: channels }, country);
    const id = ways.length > 1 ? await earlierId() : undefined;
    const earlier = id === undefined ? undefined : await store.find(id);
    if (!earlier) return { channels };
    // The order of providers depends on the message, so it must be the order of the earlier one.
    const earlierWays = dependencies.providerCall.ways({ id: earlier.id, applicationId, plan: channels }, country);
    return planAfter({ channels }, earlierWays, earlier);
  }

  /** Returns a message's outcome for a repeated request; undefined if the message is unknown or open. */
  async function outcomeOf(id: string): Promise<Outcome | undefined> {
    const message = await store.find(id);
    if (!message || isOpen(message)) return undefined;
    const state = message.state === 'refused' ? 'failed' : (message.state as Outcome['state']);
    return { state, attempts: message.attempts };
  }

  /** Returns an application's latest webhook events of one type, reconstructed from its messages. */
  async function recentEvents(applicationId: number, event: MessageEventName, limit: number) {
    const messages = await store.recent(applicationId, STATES_BY_EVENT[event], limit);
    return messages.map((message): EventBody => {
      const state = event === 'message.accepted' ? 'sent' : (visibleState(message) as FinalState);
      if (state === 'delivered') return messageEvent(message, state, message.reportedAt ?? 0).body;
      const undeliveredAt = state === 'undelivered' ? (message.reportedAt ?? 0) : 0;
      return messageEvent(message, state, Math.max(message.finishedAt ?? 0, undeliveredAt)).body;
    });
  }

  /**
   * Erases the recipient and content of all messages to a phone number or email address. Returns the number of erased
   * messages.
   */
  async function erase(trx: Knex, applicationIds: readonly number[], address: string): Promise<number> {
    await cancellation.cancelAllIn(trx, applicationIds, address);
    return store.erase(trx, applicationIds, address, clock.now());
  }

  return {
    backlog: backlogs.measure,
    checkBacklog: backlogs.check,
    queued: backlogs.queuedOf,
    rejectWhenOverloaded: backlogs.rejectWhenOverloaded,
    accept,
    acceptIn,
    recordRefusal: dependencies.recordRefusal,
    report,
    outcomeOf,
    recentEvents,
    retry: createRetry(dependencies),
    cancel: cancellation.cancel,
    erase,
    highestCost,
    rejectLong,
    settle,
    channelsOf: store.channelsOf,
    planSecondCode,
    sentMessages: store.sentMessages,
  };
}
