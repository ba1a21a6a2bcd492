/**
 * Stores pending deliveries: one row for each event and webhook, deleted when the webhook has accepted the event or
 * Passbell gives up. `due_at` is the time of the next attempt, or the end of the lease while a worker sends the event.
 */
import type { Knex } from 'knex';
import { createBatcher } from '../../platform/batch.js';
import { HOUR } from '../../platform/clock.js';
import { random } from '../../platform/crypto.js';
import { isConflict } from '../../platform/db/database-errors.js';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { fromRow } from '../../platform/db/row.js';
import type { Due } from './turns.js';
import { PAUSED, WEBHOOK_HOURS, type Delivery, type Webhook } from './webhook.js';
import { toWebhook } from './webhooks-store.js';

export type OutboxStore = ReturnType<typeof createOutboxStore>;

export function createOutboxStore(db: Database) {
  /** Returns the webhook, unless a person has paused it. */
  const notPaused = (id: number, trx: Knex = db) => trx('webhooks').where({ id }).where('rests_until', '<', PAUSED);

  return {
    /** Stores events that are due at `dueAt`. An earlier time puts them before others. */
    async insert(
      trx: Knex,
      deliveries: readonly { webhookId: number; eventId: string; body: string }[],
      now: number,
      dueAt = now,
    ): Promise<void> {
      const rows = deliveries.map(({ webhookId, eventId, body }) => ({
        webhook_id: webhookId,
        event_id: eventId,
        body,
        due_at: dueAt,
        created_at: now,
      }));
      await trx('webhook_deliveries').insert(rows);
    },

    /** Returns the webhooks that are not paused and have a due delivery. */
    async withDueDeliveries(now: number): Promise<Due[]> {
      const due = db('webhook_deliveries as d').whereRaw('d.webhook_id = w.id').where('d.due_at', '<=', now);
      const webhooks = db('webhooks as w').where('w.rests_until', '<=', now).whereExists(due.select('d.id'));
      return webhooks
        .join('applications as a', 'a.id', 'w.application_id')
        .select('w.id', 'w.application_id as applicationId', 'a.account_id as accountId');
    },

    /** Returns the webhook; undefined if it is paused or was removed. */
    async findActive(id: number, now: number): Promise<Webhook | undefined> {
      const row = await db('webhooks').where({ id }).where('rests_until', '<=', now).first();
      return row && toWebhook(row);
    },

    /** Claims up to `limit` of the webhook's due deliveries until `leaseUntil`, longest overdue first. */
    async claim(
      webhookId: number,
      { now, leaseUntil, limit }: { now: number; leaseUntil: number; limit: number },
    ): Promise<Delivery[]> {
      const due = () => db('webhook_deliveries').where({ webhook_id: webhookId }).where('due_at', '<=', now);
      const found = (await due().orderBy('due_at').limit(limit)).map(fromRow<Delivery>);
      if (found.length === 0) return [];
      const ids = found.map(({ id }) => id);
      const claim = random.hex(8);
      const claimed = await due()
        .whereIn('id', ids)
        .update({ claim, due_at: leaseUntil, attempts: db.raw('attempts + 1') });
      // Another process may have claimed some of them.
      if (claimed < ids.length)
        return (await db('webhook_deliveries').whereIn('id', ids).where({ claim }).orderBy('id')).map(
          fromRow<Delivery>,
        );
      return found.map((delivery) => ({ ...delivery, attempts: delivery.attempts + 1 }));
    },

    /** Returns the number of events that have not been sent to the webhook yet, and when the first of them is due. */
    async pending(webhookId: number): Promise<{ readonly pending: number; readonly dueAt: number }> {
      const all = db('webhook_deliveries').where({ webhook_id: webhookId });
      const [row] = await all.count({ events: '*' }).min({ dueAt: 'due_at' });
      return { pending: Number(row!.events), dueAt: Number(row!.dueAt) };
    },

    /** Removes a delivery. Concurrent calls share one statement, and run one by one after a conflict. */
    remove: createBatcher(
      async (ids: readonly number[]): Promise<void[]> => {
        await db('webhook_deliveries').whereIn('id', ids).delete();
        return ids.map(() => undefined);
      },
      { isItemError: isConflict },
    ),

    async postpone(id: number, dueAt: number): Promise<void> {
      await db('webhook_deliveries').where({ id }).update({ due_at: dueAt });
    },

    async resetFailures(webhookId: number): Promise<void> {
      await notPaused(webhookId).where('failures', '>', 0).update({ failures: 0, rests_until: 0 });
    },

    async countFailure(webhookId: number): Promise<void> {
      await db('webhooks').where({ id: webhookId }).increment('failures');
    },

    /** Pauses the webhook after failures, unless its pause was changed since `webhook` was read. */
    async pause({ id, restsUntil }: Webhook, until: number): Promise<void> {
      await notPaused(id).where({ rests_until: restsUntil }).update({ rests_until: until });
    },

    /** Ends a pause after failures. Stores a time that no earlier pause had, so that {@link pause} of a call in progress does nothing. */
    async endPause(trx: Knex, webhookId: number, now: number): Promise<void> {
      await notPaused(webhookId, trx).update({ rests_until: now });
    },

    /** Deletes deliveries that are too old, including the deliveries of paused and removed webhooks. */
    async cleanUp(now: number): Promise<void> {
      await deleteInChunks(() => db('webhook_deliveries').where('created_at', '<', now - WEBHOOK_HOURS * HOUR), 'id');
    },
  };
}
