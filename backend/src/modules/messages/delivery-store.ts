/**
 * The delivering side of the messages table: who holds a message, and how it went. `due_at` is when the sweeper takes an
 * open message up: its next attempt, or the end of a lease. A worker that comes back after its lease has lost the message
 * to another one, and changes it no more; only that it has sent it is still taken, as long as the other one is at it.
 */
import type { Knex } from 'knex';
import type { ChannelName } from '../../providers/provider.js';
import { random } from '../../platform/crypto.js';
import type { Database } from '../../platform/db/database.js';
import { transact, untilThrough, writeAll, type Write } from '../../platform/db/transaction.js';
import {
  endingOf,
  endState,
  succeeded,
  type Attempt,
  type EndState,
  type Message,
  type Outcome,
  type Past,
  type Report,
} from './message.js';
import { toMessage } from './messages-store.js';
import { unitsOf, type Price } from './price.js';
import { usageOfReport } from './reports-store.js';
import { addUsage, dayOf, type UsageChange } from '../usage/usage-store.js';

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

/** A message, and the claim by which a worker holds it. */
export type Held = Pick<Message, 'id' | 'claim'>;

/** Of a provider's id; a longer one is cut rather than making the end of its message, and of others, unstorable. */
const PROVIDER_ID_LENGTH = 100;

/** How a message ended. */
export interface End extends Held {
  readonly applicationId: number;
  readonly state: Outcome['state'];
  /** The channel that carried it, or the last that was tried. */
  readonly channel: ChannelName;
  /** What it would cost, whether it was sent or not. */
  readonly price: Price;
  readonly tried: readonly Attempt[];
  readonly providerId?: string | undefined;
  readonly now: number;
  /** Stored with it, unless the message had ended before. */
  readonly alongside?: (ended: EndState, tried: readonly Attempt[]) => readonly Write[];
}

/** An end with what the provider has reported of it already: it can be quicker than we are. */
type Ending = End & { readonly report: Report | null; readonly reportedAt: number | null };

/** An end as it is stored: what its provider has told of was sent, though the answer to us was lost. */
function heldEnd(end: End, row: Record<string, unknown>): Ending {
  const told = { report: row.report as Report | null, reportedAt: row.reported_at as number | null };
  if (row.provider_id === null || end.state === 'sent')
    return { ...end, ...(row.provider_id === end.providerId ? told : { report: null, reportedAt: null }) };
  const { channel, price, tried } = end;
  const providerId = row.provider_id as string;
  return { ...end, ...told, state: 'sent', providerId, tried: succeeded(tried, { channel, price }) };
}

/**
 * Takes, until the transaction ends, those messages that may end so: that are being sent, and not by a later worker unless
 * it was sent. Told apart here, so that MySQL finds the rows by their ids, and not among all that others hold.
 */
async function hold(trx: Knex, ends: readonly End[]): Promise<Ending[]> {
  const rows: Record<string, unknown>[] = await trx('messages')
    .select('id', 'state', 'claim', 'provider_id', 'report', 'reported_at')
    .whereIn(
      'id',
      ends.map(({ id }) => id),
    )
    .forUpdate();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ends.flatMap((end) => {
    const row = byId.get(end.id);
    if (row?.state !== 'sending' || (end.state !== 'sent' && row.claim !== end.claim)) return [];
    // Once only, also when one group ends it twice.
    byId.delete(end.id);
    return [heldEnd(end, row)];
  });
}

async function storeEnds(trx: Knex, ends: readonly Ending[]): Promise<void> {
  const each = (value: (end: Ending) => string | number | null): Knex.Raw =>
    trx.raw(
      `case id ${'when ? then ? '.repeat(ends.length)}end`,
      ends.flatMap((end) => [end.id, value(end)]),
    );
  const failed = ends.filter(({ state }) => state === 'failed').map(({ id }) => id);
  const reported = ends.some(({ report }) => report !== null);
  const filed = ends.some(({ state, report }) => endingOf(state, report) !== '');
  await trx('messages')
    .whereIn(
      'id',
      ends.map(({ id }) => id),
    )
    .update({
      state: each(({ state }) => state),
      tried: each(({ tried }) => JSON.stringify(tried)),
      finished_at: each(({ now }) => now),
      provider_id: each(({ providerId }) => providerId?.slice(0, PROVIDER_ID_LENGTH) ?? null),
      ending: filed ? each(({ state, report }) => endingOf(state, report)) : '',
      report: reported ? each(({ report }) => report) : null,
      reported_at: reported ? each(({ reportedAt }) => reportedAt) : null,
      due_at: null,
      payload:
        failed.length === 0
          ? null
          : trx.raw(`case when id in (${failed.map(() => '?').join()}) then payload end`, failed),
    });
}

function usageOf({ applicationId, state, channel, price, tried, report, now }: Ending): UsageChange[] {
  const { country, currency, charge } = price;
  const key = { applicationId, day: dayOf(now), channel, country, currency };
  if (state !== 'sent') return [{ ...key, failed: 1 }];
  const sent = { ...key, sent: 1, cost: unitsOf(charge) };
  return report ? [sent, ...usageOfReport({ applicationId, tried, finishedAt: now }, report)] : [sent];
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
      const take = async () =>
        db('messages')
          .whereIn('id', [...ids])
          .where((w) => w.where({ state: 'queued' }).orWhere('due_at', '<=', now))
          .update({
            crashes: db.raw(`crashes + case when state = 'sending' then 1 else 0 end`),
            attempts: db.raw('attempts + 1'),
            state: 'sending',
            due_at: leaseUntil,
            claim,
          });
      const taken = await untilThrough(take);
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

    async requeue({ id, claim }: Held, dueAt: number, history: readonly Past[]): Promise<void> {
      await db('messages')
        .where({ id, claim, state: 'sending' })
        .update({ state: 'queued', due_at: dueAt, history: JSON.stringify(history) });
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

    /**
     * Ends messages and counts them, each once however often it is asked for; answers how each has ended, undefined for
     * one that had ended before. A failed one keeps its payload until it expires, so that it can be sent again.
     */
    finish: (ends: readonly End[]): Promise<(Outcome | undefined)[]> =>
      transact(db, async (trx) => {
        const held = await hold(trx, ends);
        if (held.length === 0) return ends.map(() => undefined);
        await storeEnds(trx, held);
        await addUsage(trx, held.flatMap(usageOf));
        await writeAll(
          trx,
          held.flatMap(({ alongside, state, report, tried }) => alongside?.(endState(state, report), tried) ?? []),
        );
        const outcomes = new Map(held.map(({ id, state, tried }) => [id, { state, tried }]));
        return ends.map(({ id }) => outcomes.get(id));
      }),

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
