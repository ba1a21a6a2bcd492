/**
 * The delivering side of the messages table: who holds a message, and how it went. `due_at` is when the sweeper takes an
 * open message up: its next attempt, or the end of a lease. A worker that comes back after its lease has lost the message
 * to another one, and changes it no more; only that it has been sent stays true.
 */
import type { Knex } from 'knex';
import type { ChannelName } from '../../channels/channel.js';
import { random } from '../../crypto.js';
import type { Database } from '../../db/database.js';
import { transact, writeAll, type Write } from '../../db/transaction.js';
import type { Attempt, Message, Outcome } from './message.js';
import { toMessage } from './messages-store.js';

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

/** A message, and the claim by which a worker holds it. */
export type Held = Pick<Message, 'id' | 'claim'>;

/** Of a provider's id; a longer one is cut rather than making the end of its message, and of others, unstorable. */
const PROVIDER_ID_LENGTH = 100;

/** How a message ended. */
export interface End extends Held {
  readonly state: Outcome['state'];
  readonly tried: readonly Attempt[];
  readonly providerId?: string | undefined;
  readonly now: number;
  /** Stored with it, unless the message had ended before. */
  readonly alongside?: readonly Write[];
}

const idsOf = (ends: readonly End[]): string[] => ends.map(({ id }) => id);

/** One value for each end, in a statement about all of them. */
const each = (db: Knex, ends: readonly End[], value: (end: End) => string | number | null): Knex.Raw =>
  db.raw(
    `case id ${'when ? then ? '.repeat(ends.length)}end`,
    ends.flatMap((end) => [end.id, value(end)]),
  );

/** The messages that these ends are for, without those that have ended or were lost to another worker. */
const open = (db: Knex, ends: readonly End[]): Knex.QueryBuilder =>
  db('messages')
    .whereIn('id', idsOf(ends))
    .where({ state: 'sending' })
    .whereRaw('claim = coalesce(?, claim)', [each(db, ends, ({ state, claim }) => (state === 'sent' ? null : claim))]);

async function finishOn(db: Knex, ends: readonly End[]): Promise<void> {
  const failed = idsOf(ends.filter(({ state }) => state === 'failed'));
  await open(db, ends).update({
    state: each(db, ends, ({ state }) => state),
    tried: each(db, ends, ({ tried }) => JSON.stringify(tried)),
    finished_at: each(db, ends, ({ now }) => now),
    provider_id: each(db, ends, ({ providerId }) => providerId?.slice(0, PROVIDER_ID_LENGTH) ?? null),
    due_at: null,
    payload:
      failed.length === 0 ? null : db.raw(`case when id in (${failed.map(() => '?').join()}) then payload end`, failed),
  });
}

export function createDeliveryStore(db: Database) {
  return {
    /**
     * Takes queued messages, and those whose lease has ended, until `leaseUntil`; undefined for one that another worker
     * has, or that is done.
     */
    async claim(
      ids: readonly string[],
      { now, leaseUntil }: { now: number; leaseUntil: number },
    ): Promise<(Message | undefined)[]> {
      const claim = random.hex(8);
      const taken = await db('messages')
        .whereIn('id', [...ids])
        .where((w) => w.where({ state: 'queued' }).orWhere('due_at', '<=', now))
        .update({
          crashes: db.raw(`crashes + case when state = 'sending' then 1 else 0 end`),
          attempts: db.raw('attempts + 1'),
          state: 'sending',
          due_at: leaseUntil,
          claim,
        });
      const rows =
        taken === 0
          ? []
          : await db('messages')
              .whereIn('id', [...ids])
              .where({ claim });
      const messages = new Map(rows.map(toMessage).map((message) => [message.id, message]));
      return ids.map((id) => {
        const message = messages.get(id);
        // Once only, also when a group asks for it twice.
        messages.delete(id);
        return message;
      });
    },

    async requeue({ id, claim }: Held, dueAt: number): Promise<void> {
      await db('messages').where({ id, claim, state: 'sending' }).update({ state: 'queued', due_at: dueAt });
    },

    async nextChannel(
      { id, claim }: Held,
      channel: ChannelName,
      tried: readonly Attempt[],
      now: number,
    ): Promise<void> {
      await db('messages')
        .where({ id, claim, state: 'sending' })
        .update({ state: 'queued', channel, attempts: 0, tried: JSON.stringify(tried), due_at: now });
    },

    /** Ends messages. A failed one keeps its payload until it expires, so that it can be sent again. */
    async finish(ends: readonly End[]): Promise<void> {
      const announced = ends.filter(({ alongside = [] }) => alongside.length > 0);
      if (announced.length === 0) return finishOn(db, ends);
      await transact(db, async (trx) => {
        const ended: string[] = await open(trx, announced).forUpdate().pluck('id');
        await finishOn(trx, ends);
        const facts = announced.filter(({ id }) => ended.includes(id));
        await writeAll(
          trx,
          facts.flatMap(({ alongside = [] }) => alongside),
        );
      });
    },

    /** Gives back what a process that is gone had taken. Only for a process that knows it is the only one. */
    async releaseAll(now: number): Promise<void> {
      await db('messages').where({ state: 'sending' }).update({ due_at: now });
    },

    /** Ids of a channel's messages that are due, the longest first. */
    async due(channel: ChannelName, now: number, limit: number): Promise<string[]> {
      const due = db('messages').where({ channel }).where('due_at', '<=', now).orderBy('due_at').limit(limit);
      return (await due.select('id')).map((row) => row.id as string);
    },
  };
}
