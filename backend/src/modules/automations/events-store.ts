/** Stores received events until they are handled, and then their results. */
import type { Knex } from 'knex';
import { DAY } from '../../platform/clock.js';
import { random } from '../../platform/crypto.js';
import { deleteInChunks, inChunks, keepNewest, type Database } from '../../platform/db/database.js';
import { isDuplicate } from '../../platform/db/database-errors.js';
import { fromSecretRow, type Row } from '../../platform/db/row.js';
import type { Due } from '../webhooks/turns.js';
import { LOG_DAYS, type EventResult, type ReceivedEvent } from './automation.js';

const EVENTS_PER_SHOP = 500;
/**
 * How long the newest event of each kind is stored as a sample. Other bodies are deleted when their event has been
 * handled.
 */
const SAMPLE_DAYS = 3;
/** Maximum number of samples per shop. Events of other systems can have any number of names. */
const SAMPLES_PER_SHOP = 20;

const LOG_COLUMNS = ['id', 'hook_id', 'application_id', 'delivery', 'results', 'due_at', 'attempts', 'received_at'];

export type EventsStore = ReturnType<typeof createEventsStore>;

const toEvent = (row: Row): ReceivedEvent => ({
  ...fromSecretRow<ReceivedEvent>(row),
  shopId: row.hook_id as number,
  delivery: JSON.parse(row.delivery as string),
  results: JSON.parse(row.results as string),
});

/** Returns an event of the log, without its body. */
const toLogged = (row: Row): ReceivedEvent => toEvent({ ...row, body_sealed: null });

const namesIn = ({ delivery }: Pick<ReceivedEvent, 'delivery'>): string =>
  delivery.events
    .map(({ name }) => name)
    .join(',')
    .slice(0, 200);

export function createEventsStore(db: Database) {
  const events = (trx: Knex = db) => trx('incoming_events');

  return {
    /** Stores an event. Returns false if the shop has delivered it before. */
    async insert(
      event: Pick<ReceivedEvent, 'shopId' | 'applicationId' | 'delivery' | 'bodySealed' | 'receivedAt'>,
      deliveryKey: string,
      { results = [], isDone = false }: { results?: readonly EventResult[]; isDone?: boolean } = {},
    ): Promise<boolean> {
      const { shopId, applicationId, delivery, bodySealed, receivedAt } = event;
      try {
        await events().insert({
          hook_id: shopId,
          application_id: applicationId,
          delivery_key: deliveryKey,
          topic: delivery.topic,
          reference: delivery.reference,
          delivery: JSON.stringify(delivery),
          names: namesIn(event),
          body_sealed: bodySealed,
          results: JSON.stringify(results),
          due_at: isDone ? null : receivedAt,
          received_at: receivedAt,
        });
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },

    /** Returns the number of the shop's events that are not handled yet. */
    async waiting(shopId: number): Promise<number> {
      const [row] = await events().where({ hook_id: shopId }).whereNotNull('due_at').count({ waiting: '*' });
      return Number(row!.waiting);
    },

    async shopsWithDueEvents(now: number): Promise<Due[]> {
      const due = db('incoming_events as e').whereRaw('e.hook_id = h.id').where('e.due_at', '<=', now);
      return db('incoming_hooks as h')
        .whereExists(due.select('e.id'))
        .join('applications as a', 'a.id', 'h.application_id')
        .select('h.id', 'h.application_id as applicationId', 'a.account_id as accountId');
    },

    /** Claims up to `limit` due events of a shop until `leaseUntil`, oldest first. */
    async claim(
      shopId: number,
      { now, leaseUntil, limit }: { now: number; leaseUntil: number; limit: number },
    ): Promise<ReceivedEvent[]> {
      const due = () => events().where({ hook_id: shopId }).where('due_at', '<=', now);
      const ids = await due().orderBy('id').limit(limit).pluck('id');
      if (ids.length === 0) return [];
      const claim = random.hex(8);
      await due()
        .whereIn('id', ids)
        .update({ claim, due_at: leaseUntil, attempts: db.raw('attempts + 1') });
      return (await events().whereIn('id', ids).where({ claim }).orderBy('id')).map(toEvent);
    },

    async postpone(id: number, results: readonly EventResult[], dueAt: number): Promise<void> {
      await events()
        .where({ id })
        .update({ results: JSON.stringify(results), due_at: dueAt });
    },

    /** Ends an event, and deletes the samples that it replaces. */
    async finish(event: ReceivedEvent, results: readonly EventResult[]): Promise<void> {
      const { id, shopId } = event;
      await events()
        .where({ id })
        .update({ results: JSON.stringify(results), due_at: null });
      // Other events may end at the same time, in any order.
      const samples = () => events().where({ hook_id: shopId }).whereNull('due_at').whereNotNull('body_sealed');
      const sameKind = () => samples().where({ names: namesIn(event) });
      const [newest] = await sameKind().orderBy('id', 'desc').limit(1).pluck('id');
      if (newest !== undefined) await sameKind().where('id', '<', newest).update({ body_sealed: null });
      const [surplus] = await samples().orderBy('id', 'desc').offset(SAMPLES_PER_SHOP).limit(1).pluck('id');
      if (surplus !== undefined) await samples().where('id', '<=', surplus).update({ body_sealed: null });
    },

    /** Returns the latest events of a shop, newest first. */
    async latest(shopId: number, limit: number): Promise<ReceivedEvent[]> {
      const rows = await events().where({ hook_id: shopId }).orderBy('id', 'desc').limit(limit).select(LOG_COLUMNS);
      return rows.map(toLogged);
    },

    /** Returns the latest events about an order, newest first. */
    async ofOrder(applicationIds: readonly number[], orderNumber: string, limit: number): Promise<ReceivedEvent[]> {
      const rows = await events()
        .whereIn('application_id', applicationIds)
        // Shopify's order numbers start with #.
        .whereIn('reference', [orderNumber, `#${orderNumber}`])
        .orderBy('id', 'desc')
        .limit(limit)
        .select(LOG_COLUMNS);
      return rows.map(toLogged);
    },

    /** Returns the events that have a body, newest first. */
    async samples(shopId: number): Promise<ReceivedEvent[]> {
      const stored = events().where({ hook_id: shopId }).whereNotNull('body_sealed');
      return (await stored.orderBy('id', 'desc').limit(SAMPLES_PER_SHOP)).map(toEvent);
    },

    /** Returns the events of applications that have a body and an id greater than `after`. */
    async withBody(trx: Knex, applicationIds: readonly number[], after: number): Promise<ReceivedEvent[]> {
      const stored = events(trx).whereIn('application_id', applicationIds).whereNotNull('body_sealed');
      return (await stored.where('id', '>', after).orderBy('id').limit(20)).map(toEvent);
    },

    async removeEvent(trx: Knex, id: number): Promise<void> {
      await events(trx).where({ id }).delete();
    },

    async cleanUp(now: number): Promise<void> {
      const done = () => events().whereNull('due_at');
      const old = () =>
        done()
          .whereNotNull('body_sealed')
          .where('received_at', '<', now - SAMPLE_DAYS * DAY);
      await inChunks(old, 'id', (rows) => rows.update({ body_sealed: null }));
      // Also deletes events that were stored while their shop was deleted. They are never handled.
      await deleteInChunks(() => events().where('received_at', '<', now - LOG_DAYS * DAY), 'id');
      await keepNewest(done, 'hook_id', EVENTS_PER_SHOP);
    },
  };
}
