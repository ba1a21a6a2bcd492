/** Messages in the database: stored, looked at and forgotten. Their delivery is the part of delivery-store.ts. */
import type { Knex } from 'knex';
import type { ChannelName } from '../../providers/provider.js';
import { DAY } from '../../platform/clock.js';
import { deleteInChunks, inChunks, type Database } from '../../platform/db/database.js';
import { writeOf, type Write, type Writer } from '../../platform/db/transaction.js';
import { MESSAGE_RETENTION_DAYS, RECENT_LOOKED_THROUGH, SWEEP_GRACE_MS } from '../../platform/limits.js';
import { historyOfRetry } from './history.js';
import type { Accepted, Message, MessageDraft, MessageState, Report, ShownState } from './message.js';

export type MessagesStore = ReturnType<typeof createMessagesStore>;

export function toMessage(row: Record<string, unknown>): Message {
  return {
    id: row.id as string,
    applicationId: row.application_id as number,
    maskId: (row.mask_id as string | null) ?? '',
    template: row.template as string,
    requestId: row.request_id as string,
    recipient: row.recipient as string,
    plan: JSON.parse(row.plan as string),
    state: row.state as MessageState,
    channel: row.channel as ChannelName,
    payload: row.payload as string | null,
    tried: JSON.parse(row.tried as string),
    history: JSON.parse((row.history as string | null) ?? '[]'),
    attempts: row.attempts as number,
    claim: row.claim as string | null,
    crashes: row.crashes as number,
    expiresAt: Number(row.expires_at),
    createdAt: Number(row.created_at),
    dueAt: row.due_at as number | null,
    finishedAt: row.finished_at as number | null,
    providerId: row.provider_id as string | null,
    report: row.report as Report | null,
    reportedAt: row.reported_at as number | null,
  };
}

const isReport = (state: ShownState): state is Report => state === 'delivered' || state === 'undelivered';

export type StoredDraft = Omit<MessageDraft, 'variables'> & { readonly payload: string };

const toRow = (draft: StoredDraft, now: number) => ({
  id: draft.id,
  application_id: draft.applicationId,
  mask_id: draft.maskId,
  template: draft.template,
  request_id: draft.requestId,
  recipient: draft.recipient,
  plan: JSON.stringify(draft.plan),
  state: 'queued',
  channel: draft.plan[0],
  payload: draft.payload,
  tried: '[]',
  due_at: now + SWEEP_GRACE_MS,
  expires_at: draft.expiresAt,
  created_at: now,
});

async function insertMessages(trx: Knex, rows: readonly object[]): Promise<void> {
  await trx('messages').insert(rows);
}

export function createMessagesStore(db: Database, write: Writer) {
  return {
    /** Stores a new message, and what `alongside` says, or nothing. */
    insert: (draft: StoredDraft, now: number, alongside: readonly Write[]): Promise<void> =>
      write([...alongside, writeOf(insertMessages, toRow(draft, now))]),

    async find(id: string): Promise<Message | undefined> {
      const row = await db('messages').where({ id }).first();
      return row && toMessage(row);
    },

    /** The channels that have carried messages, by id. */
    async carriersOf(trx: Knex, ids: readonly string[]): Promise<Map<string, ChannelName>> {
      if (ids.length === 0) return new Map();
      const rows = await trx('messages')
        .select('id', 'channel')
        .whereIn('id', [...ids])
        .where({ state: 'sent' });
      return new Map(rows.map((row) => [row.id as string, row.channel as ChannelName]));
    },

    /** Those of these messages that a provider accepted, as far as their counts are concerned, by id. */
    async acceptedOf(trx: Knex, ids: readonly string[]): Promise<Map<string, Accepted>> {
      if (ids.length === 0) return new Map();
      const rows: Record<string, unknown>[] = await trx('messages')
        .select('id', 'application_id', 'tried', 'finished_at')
        .whereIn('id', [...ids])
        .where({ state: 'sent' });
      return new Map(
        rows.map(({ id, application_id, tried, finished_at }) => {
          const finishedAt = Number(finished_at);
          return [
            id as string,
            { applicationId: application_id as number, tried: JSON.parse(tried as string), finishedAt },
          ];
        }),
      );
    },

    /** What waits for a worker; counted up to `limit`, so that a long queue is not counted long. */
    async backlog(limit: number): Promise<{ messages: number; oldestAt: number | undefined }> {
      const waiting = db('messages').select('created_at').where({ state: 'queued' }).limit(limit).as('waiting');
      const [row] = await db(waiting).count({ messages: '*' }).min({ oldest: 'created_at' });
      return { messages: Number(row?.messages ?? 0), oldestAt: row?.oldest ? Number(row.oldest) : undefined };
    },

    /** Messages, newest first. */
    async list(filter: { state?: ShownState; limit: number }): Promise<Message[]> {
      const query = db('messages').orderBy('created_at', 'desc').limit(filter.limit);
      if (filter.state)
        query.where(isReport(filter.state) ? { state: 'sent', report: filter.state } : { state: filter.state });
      if (filter.state === 'sent') query.whereNull('report');
      return (await query).map(toMessage);
    },

    /** Messages of an application that ended in one of these states, the last first; only among the newest of all. */
    async recent(applicationId: number, states: readonly ShownState[], limit: number): Promise<Message[]> {
      const newest = db('messages')
        .whereNotNull('finished_at')
        .orderBy('finished_at', 'desc')
        .limit(RECENT_LOOKED_THROUGH)
        .as('newest');
      const query = db(newest)
        .where({ application_id: applicationId })
        .whereRaw(
          `case when state = 'sent' then coalesce(report, state) else state end in (${states.map(() => '?').join()})`,
          [...states],
        );
      return (await query.orderBy('finished_at', 'desc').limit(limit)).map(toMessage);
    },

    /** Puts a dead letter back on its first channel; false when it is none or has nothing left to send. */
    async revive(id: string, now: number): Promise<boolean> {
      const message = await this.find(id);
      if (!message) return false;
      const revived = await db('messages')
        // As it was found, so that nothing of its history is lost.
        .where({ id, state: 'failed', finished_at: message.finishedAt })
        .whereNotNull('payload')
        .where('expires_at', '>', now)
        .update({
          state: 'queued',
          channel: message.plan[0],
          ending: '',
          tried: '[]',
          history: JSON.stringify(historyOfRetry(message, now)),
          attempts: 0,
          crashes: 0,
          due_at: now,
          finished_at: null,
          provider_id: null,
          report: null,
          reported_at: null,
        });
      return revived === 1;
    },

    /** Forgets the contents of dead letters that nobody can use any more, and old messages altogether. */
    async cleanUp(now: number): Promise<void> {
      await inChunks(
        () => db('messages').where({ state: 'failed' }).whereNotNull('payload').where('expires_at', '<=', now),
        'id',
        (rows) => rows.update({ payload: null }),
      );
      await deleteInChunks(() => db('messages').where('finished_at', '<', now - MESSAGE_RETENTION_DAYS * DAY), 'id');
    },
  };
}
