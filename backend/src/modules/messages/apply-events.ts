/** Applies events to messages: locks them, calls the state machine, and stores everything that follows in one transaction. */
import type { Knex } from 'knex';
import { createBatcher } from '../../platform/batch.js';
import type { Clock } from '../../platform/clock.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import type { UsageRecorder } from '../usage/index.js';
import type { Outbox } from '../webhooks/outbox.js';
import { transition, type MessageEvent, type Transition } from './lifecycle.js';
import type { Message } from './message.js';
import type { MessagesStore } from './messages-store.js';

/** `ignored`: the event changes nothing, or the message does not exist. */
export type Applied = Transition | 'ignored';

export type ApplyEvents = ReturnType<typeof createApplyEvents>;

export function createApplyEvents(
  store: MessagesStore,
  inTransaction: InTransaction,
  usage: UsageRecorder,
  outbox: Outbox,
  clock: Clock,
) {
  /** Applies events in order, in the caller's transaction. */
  async function applyIn(trx: Knex, events: readonly MessageEvent[]): Promise<Applied[]> {
    const locked = await store.lock(trx, [...new Set(events.map(({ id }) => id))]);
    const current = new Map<string, Message>(locked);
    const now = clock.now();
    const results = events.map((event): Applied => {
      const message = current.get(event.id);
      const result = message ? transition(message, event, now) : 'ignored';
      if (result !== 'ignored') current.set(event.id, result.message);
      return result;
    });
    const transitions = results.filter((result) => result !== 'ignored');
    if (transitions.length === 0) return results;
    const changes = [...current.values()].map((after) => ({ before: locked.get(after.id)!, after }));
    const changed = changes.filter(({ before, after }) => before !== after);
    const usageChanges = transitions.flatMap((result) => result.usage);
    const webhookEvents = transitions.flatMap((result) => result.webhookEvents);
    await store.save(trx, changed);
    await usage.record(trx, usageChanges);
    await outbox.publish(trx, webhookEvents, now);
    return results;
  }

  /** Events that occur at the same time share a transaction. */
  const batched = () =>
    createBatcher((events: readonly MessageEvent[]) => inTransaction((trx) => applyIn(trx, events)));

  // Claims have a batch of their own, so that new messages do not wait until finished ones are stored.
  return { applyIn, claim: batched(), apply: batched() };
}
