/**
 * Events that wait to be sent, one row for each webhook that is told. A row is there until its webhook has taken the event
 * or the event is given up. `due_at` is its next call, or the end of the lease of the worker that has it.
 */
import type { Knex } from 'knex';
import { HOUR } from '../../platform/clock.js';
import { random } from '../../platform/crypto.js';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { writeOf, type Write } from '../../platform/db/transaction.js';
import { WEBHOOK_HOURS } from '../../platform/limits.js';
import type { WebhookEvent } from './event.js';
import { toWebhook, type Webhook } from './webhooks-store.js';

/** An event on its way to one webhook. */
export interface Delivery {
  readonly id: number;
  readonly eventId: string;
  /** JSON, the same at every attempt. */
  readonly body: string;
  readonly attempts: number;
  readonly createdAt: number;
}

export type OutboxStore = ReturnType<typeof createOutboxStore>;

async function insertDeliveries(trx: Knex, rows: readonly object[]): Promise<void> {
  await trx('webhook_deliveries').insert(rows);
}

/** Puts an event out for a webhook; belongs into the transaction that makes it true. */
export const deliveryWrite = (webhookId: number, event: WebhookEvent, now: number): Write =>
  writeOf(insertDeliveries, {
    webhook_id: webhookId,
    event_id: event.id,
    body: JSON.stringify(event),
    due_at: now,
    created_at: now,
  });

const toDelivery = (row: Record<string, unknown>): Delivery => ({
  id: Number(row.id),
  eventId: row.event_id as string,
  body: row.body as string,
  attempts: row.attempts as number,
  createdAt: Number(row.created_at),
});

export function createOutboxStore(db: Database) {
  return {
    /** Webhooks that do not rest and for which something is due. */
    async waiting(now: number): Promise<number[]> {
      const due = db('webhook_deliveries as d').whereRaw('d.webhook_id = w.id').where('d.due_at', '<=', now);
      const webhooks = db('webhooks as w').where('w.rests_until', '<=', now).whereExists(due.select('d.id'));
      return (await webhooks.select('w.id')).map((row) => row.id as number);
    },

    /** A webhook that does not rest; undefined also when it was ended. */
    async awake(id: number, now: number): Promise<Webhook | undefined> {
      const row = await db('webhooks').where({ id }).where('rests_until', '<=', now).first();
      return row && toWebhook(row);
    },

    /** Takes events that are due for a webhook, the longest first, until `leaseUntil`. */
    async claim(
      webhookId: number,
      { now, leaseUntil, limit }: { now: number; leaseUntil: number; limit: number },
    ): Promise<Delivery[]> {
      const due = () => db('webhook_deliveries').where({ webhook_id: webhookId }).where('due_at', '<=', now);
      const ids = await due().orderBy('due_at').limit(limit).pluck('id');
      if (ids.length === 0) return [];
      const claim = random.hex(8);
      const taken = await due()
        .whereIn('id', ids)
        .update({ claim, due_at: leaseUntil, attempts: db.raw('attempts + 1') });
      if (taken === 0) return [];
      return (await db('webhook_deliveries').whereIn('id', ids).where({ claim }).orderBy('id')).map(toDelivery);
    },

    async remove(id: number): Promise<void> {
      await db('webhook_deliveries').where({ id }).delete();
    },

    async postpone(id: number, dueAt: number): Promise<void> {
      await db('webhook_deliveries').where({ id }).update({ due_at: dueAt });
    },

    /** A webhook has taken an event: what failed before is forgotten. */
    async recover(webhookId: number): Promise<void> {
      await db('webhooks').where({ id: webhookId }).where('failures', '>', 0).update({ failures: 0, rests_until: 0 });
    },

    /** Counts a failed call. */
    async countFailure(webhookId: number): Promise<void> {
      await db('webhooks').where({ id: webhookId }).increment('failures');
    },

    async rest(webhookId: number, until: number): Promise<void> {
      await db('webhooks').where({ id: webhookId }).update({ rests_until: until });
    },

    /** Gives up what has waited for too long, also for a webhook that rests or is gone. */
    async cleanUp(now: number): Promise<void> {
      await deleteInChunks(() => db('webhook_deliveries').where('created_at', '<', now - WEBHOOK_HOURS * HOUR), 'id');
    },
  };
}
