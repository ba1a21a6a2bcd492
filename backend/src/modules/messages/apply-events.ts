/** Applies events to messages: locks the messages, calls the state machine, and stores the changes. */
import type { Knex } from 'knex';
import { createBatcher } from '../../platform/batch.js';
import type { Clock } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import type { SendOutcome } from '../providers/routing.js';
import type { UsageRecorder } from '../usage/index.js';
import type { Outbox } from '../webhooks/outbox.js';
import { codeOutcomes, type CountCodes } from './code-outcomes.js';
import { queuedAnotherWay } from './earlier-sends.js';
import { transition, type Transition } from './lifecycle.js';
import type { EventOf, MessageEvent } from './lifecycle-events.js';
import { isKept, type Message } from './message.js';
import type { MessageChange, MessagesStore } from './messages-store.js';
import type { RecordRecipients } from './recipient-reports.js';

/** `ignored`: the event changes nothing, or the message does not exist. */
export type ApplyResult = Transition | 'ignored';

/** Chooses the first provider to call for a claimed message. */
interface ClaimRoute {
  reloadForNew(applicationIds: readonly number[]): Promise<void>;
  firstProvider(message: Message): string | undefined;
  anotherWay(message: Message, sentBy: string | null): ChannelName | undefined;
  recordOutcome(outcome: SendOutcome): void;
}

export type ApplyEvents = ReturnType<typeof createApplyEvents>;

export function createApplyEvents(
  store: MessagesStore,
  inTransaction: InTransaction,
  usage: UsageRecorder,
  outbox: Outbox,
  clock: Clock,
  route: ClaimRoute,
  countCodes: CountCodes,
  recordRecipients: RecordRecipients,
) {
  /** Applies events in the given order, in the caller's transaction. `known`: the messages, if the caller has locked them. */
  async function applyIn(
    trx: Knex,
    events: readonly MessageEvent[],
    known?: ReadonlyMap<string, Message>,
  ): Promise<ApplyResult[]> {
    const locked = known ?? (await store.lock(trx, [...new Set(events.map(({ id }) => id))]));
    const current = new Map<string, Message>(locked);
    const now = clock.now();
    const results = events.map((event): ApplyResult => {
      const message = current.get(event.id);
      const result = message ? transition(message, event, now) : 'ignored';
      if (result !== 'ignored') current.set(event.id, result.message);
      return result;
    });
    await recordRecipients(
      trx,
      events.map((event, n) => ({ event, message: locked.get(event.id), isNew: results[n] !== 'ignored' })),
    );
    const transitions = results.filter((result) => result !== 'ignored');
    if (transitions.length === 0) return results;
    const changes = [...current.values()].map((after) => ({ before: locked.get(after.id)!, after }));
    const changed = changes.filter(({ before, after }) => before !== after);
    const usageChanges = transitions.flatMap((result) => result.usage);
    const webhookEvents = transitions.flatMap((result) => result.webhookEvents);
    await store.save(trx, changed);
    // The guard counts messages that a person retries when the person requests it.
    const retried = new Set(events.filter(({ type }) => type === 'retriedByPerson').map(({ id }) => id));
    await countCodes(trx, codeOutcomes(changed.filter(({ after }) => !retried.has(after.id))), now);
    const keptIds = events.flatMap((event, n) =>
      event.type === 'accepted' && event.keepsId && event.provider && results[n] !== 'ignored'
        ? [{ id: event.id, provider: event.provider.id, providerId: event.providerId }]
        : [],
    );
    if (keptIds.length > 0) await store.saveProviderIds(trx, keptIds, now);
    await usage.record(trx, usageChanges);
    await outbox.publish(trx, webhookEvents, now);
    return results;
  }

  /** Applies an event. Events that arrive at the same time are applied in one transaction. */
  const apply = createBatcher(async (events: readonly MessageEvent[]) => {
    const results = await inTransaction((trx) => applyIn(trx, events));
    results.forEach((result, n) => {
      if (result !== 'ignored') recordReports(events[n]!, result);
    });
    return results;
  });

  /** Records the delivery reports that an event counts, for automatic routes. */
  function recordReports(event: MessageEvent, { usage: changes }: Transition): void {
    const reporter = 'provider' in event ? event.provider : undefined;
    const provider = typeof reporter === 'object' ? reporter.id : reporter;
    if (provider === undefined) return;
    for (const { applicationId, channel, country, delivered = 0, undelivered = 0 } of changes)
      if (delivered !== 0 || undelivered !== 0)
        route.recordOutcome({ applicationId, channel, country, provider, outcomes: { delivered, undelivered } });
  }

  /** Returns a claim with the provider to call first. A message that stayed silent is sent another way. */
  function routed(event: EventOf<'claimed'>, message: Message, now: number): EventOf<'claimed'> {
    if (!isKept(message)) return { ...event, provider: route.firstProvider(message) };
    const next = route.anotherWay(message, message.provider);
    return { ...event, next, provider: next && route.firstProvider(queuedAnotherWay(message, next, now)) };
  }

  /**
   * Claims messages without a transaction, which halves the database round trips. A message that changed after it was
   * read is not claimed. Claims are not batched with other events, because that would delay new messages.
   */
  const claim = createBatcher(async (events: readonly EventOf<'claimed'>[]): Promise<ApplyResult[]> => {
    const current = await store.read([...new Set(events.map(({ id }) => id))]);
    await route.reloadForNew([...current.values()].map(({ applicationId }) => applicationId));
    const now = clock.now();
    const changes: MessageChange[] = [];
    const results = events.map((event): ApplyResult => {
      const before = current.get(event.id);
      const result = before ? transition(before, routed(event, before, now), now) : 'ignored';
      if (!before || result === 'ignored') return 'ignored';
      current.set(event.id, result.message);
      changes.push({ before, after: result.message });
      return result;
    });
    const claimed = changes.length > 0 ? await store.saveClaims(changes) : new Set();
    return results.map((result) => (result !== 'ignored' && claimed.has(result.message.id) ? result : 'ignored'));
  });

  /** Returns a new message in its claimed state, to be stored by the caller. This saves the statements of a later claim. */
  async function claimNew(message: Message, event: EventOf<'claimed'>): Promise<Message> {
    await route.reloadForNew([message.applicationId]);
    const claimed = transition(message, { ...event, provider: route.firstProvider(message) }, clock.now());
    if (claimed === 'ignored') throw new Error('a new message could not be claimed');
    return claimed.message;
  }

  return { applyIn, claim, claimNew, apply };
}
