/** Reads and writes messages. The sweeper enqueues open messages at `due_at`, for the next attempt or after a crash. */
import type { Knex } from 'knex';
import { createBatcher } from '../../platform/batch.js';
import { DAY } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Database } from '../../platform/db/database.js';
import { CLEANUP_BATCH, deleteInChunks, inChunks, RECENT_SCAN_LIMIT } from '../../platform/db/database.js';
import { idsOfRecipient } from '../../platform/db/ignoring-case.js';
import { fromRow, type Row } from '../../platform/db/row.js';
import { retryConflicts, writeOf, type Write, type Writer } from '../../platform/db/transaction.js';
import { withinReplyLimit, withoutReplies } from './message-history.js';
import { deleteAttachments, deleteExpiredAttachments, findAttachment } from './attachments-store.js';
import type { Message, MessageState, VisibleState } from './message.js';
import { MAX_QUEUED, visibleState } from './message.js';

/** How long finished messages are stored for look-ups. */
const MESSAGE_RETENTION_DAYS = 30;
/** Width of the `provider_id` column. Longer ids are truncated. */
const MAX_PROVIDER_ID_LENGTH = 100;

/** Returns a provider's message id as it is stored. Ids from reports must be shortened, too, before they are compared. */
export const toStoredId = (providerId: string): string => providerId.slice(0, MAX_PROVIDER_ID_LENGTH);

export type MessagesStore = ReturnType<typeof createMessagesStore>;

/**
 * States that an earlier version does not know, and the states as which it sees them. `ending` distinguishes them. An earlier
 * version neither sends these messages nor changes them.
 */
const STORED_STATES: Partial<Record<MessageState, MessageState>> = {
  refused: 'failed',
  scheduled: 'failed',
  canceled: 'expired',
};

export const storedState = (state: MessageState): MessageState => STORED_STATES[state] ?? state;

const stateOf = ({ state, ending }: Row): MessageState =>
  (STORED_STATES[ending as MessageState] === state ? ending : state) as MessageState;

/** Returns the value of the indexed column `ending`: the final state or `scheduled`; "" for `sent` and other open messages. */
function endingColumn(message: Message): string {
  const state = visibleState(message);
  return state === 'queued' || state === 'sending' || state === 'sent' ? '' : state;
}

export function toMessage(row: Row): Message {
  return {
    ...fromRow<Message>(row),
    maskId: (row.mask_id as string | null) ?? '',
    plan: JSON.parse(row.plan as string),
    state: stateOf(row),
    attempts: JSON.parse(row.tried as string),
    history: JSON.parse((row.history as string | null) ?? '[]'),
    earlierSends: JSON.parse((row.earlier_sends as string | null) ?? '[]'),
    attemptCount: row.attempts as number,
    refusal: row.refusal ? JSON.parse(row.refusal as string) : null,
  };
}

/**
 * The columns that change after a message is inserted. `tried` stores the attempts, and `attempts` stores their number:
 * columns keep their names, because processes of the previous version use them during an upgrade.
 */
const MUTABLE_COLUMNS: Readonly<Record<string, (message: Message) => string | number | null>> = {
  state: ({ state }) => storedState(state),
  refusal: ({ refusal }) => refusal && JSON.stringify(refusal),
  channel: ({ channel }) => channel,
  payload: ({ payload }) => payload,
  tried: ({ attempts }) => JSON.stringify(withinReplyLimit(attempts)),
  history: ({ history }) => (history.length > 0 ? JSON.stringify(withinReplyLimit(history)) : null),
  earlier_sends: ({ earlierSends }) => (earlierSends.length > 0 ? JSON.stringify(earlierSends) : null),
  attempts: ({ attemptCount }) => attemptCount,
  claim: ({ claim }) => claim,
  crashes: ({ crashes }) => crashes,
  due_at: ({ dueAt }) => dueAt,
  expires_at: ({ expiresAt }) => expiresAt,
  finished_at: ({ finishedAt }) => finishedAt,
  provider: ({ provider }) => provider,
  provider_id: ({ providerId }) => providerId && toStoredId(providerId),
  report: ({ report }) => report,
  reported_at: ({ reportedAt }) => reportedAt,
  order_key: ({ orderKey }) => orderKey,
  replaced_by: ({ replacedBy }) => replacedBy,
  ending: endingColumn,
};

const mutableColumns = (message: Message) =>
  Object.fromEntries(Object.entries(MUTABLE_COLUMNS).map(([column, valueOf]) => [column, valueOf(message)]));

const toNewRow = (message: Message) => ({
  id: message.id,
  application_id: message.applicationId,
  mask_id: message.maskId,
  template: message.template,
  request_id: message.requestId,
  recipient: message.recipient,
  plan: JSON.stringify(message.plan),
  send_at: message.sendAt,
  reference: message.reference,
  created_at: message.createdAt,
  ...mutableColumns(message),
});

const toRefusedRow = (message: Message) => ({ ...toNewRow(message), mask_id: null });

async function insertMessages(trx: Knex, rows: readonly object[]): Promise<void> {
  await trx('messages').insert(rows);
}

export interface MessageChange {
  readonly before: Message;
  readonly after: Message;
}

/** Returns the column values of one UPDATE statement for all changed messages. Omits columns that do not change. */
function changedColumns(
  db: Knex,
  changes: readonly MessageChange[],
): Record<string, string | number | null | Knex.Raw> {
  const columns: Record<string, string | number | null | Knex.Raw> = {};
  for (const [column, valueOf] of Object.entries(MUTABLE_COLUMNS)) {
    const values = changes.map(({ after }) => valueOf(after));
    if (changes.every(({ before }, n) => valueOf(before) === values[n])) continue;
    const bindings = changes.flatMap(({ after }, n) => [after.id, values[n]!]);
    const equal = values.every((value) => value === values[0]);
    columns[column] = equal ? values[0]! : db.raw(`case id ${'when ? then ? '.repeat(changes.length)}end`, bindings);
  }
  return columns;
}

/** Returns the messages whose content a change erases. Codes have no attachments. */
const erasedContent = (changes: readonly MessageChange[]): string[] =>
  changes
    .filter(({ before, after }) => before.payload !== null && after.payload === null && after.template !== 'otp')
    .map(({ after }) => after.id);

/** Stores the vendor's message ids, for delivery reports that contain no other id. */
async function saveProviderIds(
  trx: Knex,
  messages: readonly { readonly id: string; readonly provider: string; readonly providerId: string }[],
  now: number,
): Promise<void> {
  const rows = messages.map(({ id, provider, providerId }) => ({
    provider,
    provider_id: toStoredId(providerId),
    message_id: id,
    created_at: now,
  }));
  await trx('provider_message_ids').insert(rows).onConflict(['provider', 'provider_id']).ignore();
}

/** Erases the providers' replies from these messages, which the caller has locked. */
async function eraseReplies(trx: Knex, ids: readonly string[]): Promise<void> {
  const hasReply = (query: Knex.QueryBuilder) => {
    for (const column of ['tried', 'history', 'earlier_sends']) query.orWhere(column, 'like', '%"reply":%');
  };
  const rows: Row[] = await trx('messages').whereIn('id', ids).where(hasReply).forUpdate();
  for (const row of rows) {
    const before = toMessage(row);
    const after = {
      ...before,
      attempts: withoutReplies(before.attempts),
      history: withoutReplies(before.history),
      earlierSends: before.earlierSends.map((send) => ({ ...send, attempt: withoutReplies([send.attempt])[0]! })),
    };
    await trx('messages')
      .where({ id: row.id })
      .update(changedColumns(trx, [{ before, after }]));
  }
}

/**
 * Erases the recipient, the reference, the content and the providers' replies of all messages to a recipient, and makes open messages
 * expire. Does not change other columns, because usage and delivery reports refer to them. Returns the number of erased
 * messages.
 */
async function eraseMessages(
  trx: Knex,
  applicationIds: readonly number[],
  address: string,
  now: number,
): Promise<number> {
  const messages = () => trx('messages').whereIn('application_id', applicationIds);
  const ids = await idsOfRecipient(messages, address);
  const expiresAt = trx.raw('case when expires_at < ? then expires_at else ? end', [now, now]);
  for (let n = 0; n < ids.length; n += CLEANUP_BATCH) {
    const batch = ids.slice(n, n + CLEANUP_BATCH);
    await trx('messages')
      .whereIn('id', batch)
      .update({ recipient: '', reference: null, payload: null, expires_at: expiresAt });
    await deleteAttachments(trx, batch);
    await eraseReplies(trx, batch);
  }
  return ids.length;
}

/** Erases the content of expired messages, and deletes messages after the retention time. */
async function cleanUpMessages(db: Database, now: number): Promise<void> {
  await inChunks(
    () => db('messages').where({ state: 'failed' }).whereNotNull('payload').where('expires_at', '<=', now),
    'id',
    (rows) => rows.update({ payload: null }),
  );
  await inChunks(
    // `coalesce` keeps the database from using the index on the state, which contains all sent messages.
    () =>
      db('messages').where('due_at', '<=', now).whereRaw("coalesce(state, '') = 'sent'").where('expires_at', '<=', now),
    'id',
    (rows) => rows.update({ payload: null, due_at: null }),
  );
  await deleteExpiredAttachments(db, now);
  await deleteInChunks(() => db('messages').where('finished_at', '<', now - MESSAGE_RETENTION_DAYS * DAY), 'id');
}

export function createMessagesStore(db: Database, write: Writer) {
  async function read(ids: readonly string[]): Promise<Map<string, Message>> {
    const rows: Row[] = await db('messages').whereIn('id', ids);
    return new Map(rows.map((row) => [row.id as string, toMessage(row)]));
  }

  return {
    read,

    insertIn: (trx: Knex, message: Message): Promise<void> => insertMessages(trx, [toNewRow(message)]),

    /** Stores a new message and the rows of `batch` in one transaction, which then runs the writes of `after`. */
    insert: (message: Message, batch: readonly Write[], after: readonly Write[] = []): Promise<void> =>
      write([...batch, writeOf(insertMessages, toNewRow(message)), ...after]),

    async lockScheduled(trx: Knex, orderKeys: readonly string[]): Promise<Message[]> {
      const rows: Row[] = await trx('messages')
        .whereIn('order_key', orderKeys)
        .where({ ending: 'scheduled' })
        .forUpdate();
      return rows.map(toMessage);
    },

    /** Returns the ids of an address's scheduled messages, in any letter case. */
    async scheduledTo(trx: Knex, applicationIds: readonly number[], address: string): Promise<string[]> {
      const messages = () => trx('messages').whereIn('application_id', applicationIds).where({ ending: 'scheduled' });
      return idsOfRecipient(messages, address);
    },

    /** Stores refused messages in their own transactions, so that they cannot make other writes fail. */
    insertRefused: createBatcher(async (messages: readonly Message[]) => {
      await retryConflicts(() => insertMessages(db, messages.map(toRefusedRow)));
      return messages.map(() => undefined);
    }),

    async lock(trx: Knex, ids: readonly string[]): Promise<Map<string, Message>> {
      const rows: Row[] = await trx('messages').whereIn('id', ids).forUpdate();
      return new Map(rows.map((row) => [row.id as string, toMessage(row)]));
    },

    /** Stores claims, except for messages that have changed since they were read. Returns the claimed ids. */
    async saveClaims(claims: readonly MessageChange[]): Promise<Set<string>> {
      const unchanged = (query: Knex.QueryBuilder) => {
        for (const { before } of claims)
          query.orWhere({
            id: before.id,
            state: storedState(before.state),
            claim: before.claim,
            due_at: before.dueAt,
            expires_at: before.expiresAt,
            provider_id: before.providerId,
          });
      };
      const ids = claims.map(({ after }) => after.id);
      const stored = await retryConflicts(() => db('messages').where(unchanged).update(changedColumns(db, claims)));
      if (stored === ids.length) return new Set(ids);
      const current = await read(ids);
      const claimed = claims.filter(({ after }) => current.get(after.id)?.claim === after.claim);
      return new Set(claimed.map(({ after }) => after.id));
    },

    async save(trx: Knex, changes: readonly MessageChange[]): Promise<void> {
      const columns = changedColumns(trx, changes);
      const ids = changes.map(({ after }) => after.id);
      if (Object.keys(columns).length > 0) await trx('messages').whereIn('id', ids).update(columns);
      await deleteAttachments(trx, erasedContent(changes));
    },

    saveProviderIds,

    /** Returns the applications whose messages a provider has sent to a recipient on a channel. */
    async sentTo(provider: string, channel: ChannelName, recipient: string): Promise<number[]> {
      const query = db('messages').whereIn('application_id', db('applications').select('id')).where({ recipient });
      const rows: Row[] = await query;
      const senders = (message: Message) => [
        { channel: message.channel, provider: message.provider },
        ...message.earlierSends.map((send) => ({ channel: send.attempt.channel, provider: send.provider })),
      ];
      const isSent = (message: Message) =>
        senders(message).some((sender) => sender.channel === channel && sender.provider === provider);
      return [
        ...new Set(
          rows
            .map(toMessage)
            .filter(isSent)
            .map(({ applicationId }) => applicationId),
        ),
      ];
    },
    findAttachment: (messageId: string): Promise<string | undefined> => findAttachment(db, messageId),

    async find(id: string): Promise<Message | undefined> {
      const row = await db('messages').where({ id }).first();
      return row && toMessage(row);
    },

    /** Returns the channels of messages that a provider accepted, by message id. */
    async channelsOf(trx: Knex, ids: readonly string[]): Promise<Map<string, ChannelName>> {
      if (ids.length === 0) return new Map();
      const rows = await trx('messages').select('id', 'channel').whereIn('id', ids).where({ state: 'sent' });
      return new Map(rows.map((row) => [row.id as string, row.channel as ChannelName]));
    },

    /** Returns the messages that a provider accepted, by message id. */
    async sentMessages(trx: Knex, ids: readonly string[]): Promise<Map<string, Message>> {
      if (ids.length === 0) return new Map();
      const rows: Row[] = await trx('messages').whereIn('id', ids).where({ state: 'sent' });
      return new Map(rows.map((row) => [row.id as string, toMessage(row)]));
    },

    /**
     * Lists a channel's due messages: first one message of each application, then the second of each, and so on.
     * `isScheduled`: whether the message waits for its scheduled time.
     */
    async due(
      channel: ChannelName,
      now: number,
      limit: number,
    ): Promise<{ id: string; applicationId: number; isScheduled: boolean }[]> {
      // Expired sent messages are erased by `cleanUp`.
      const due = db('messages')
        .where({ channel })
        .where('due_at', '<=', now)
        .where((other) => other.whereNot({ state: 'sent' }).orWhere('expires_at', '>', now))
        .orderBy('due_at')
        .limit(MAX_QUEUED);
      const turns = db(due.select('id', 'application_id', 'due_at', 'ending').as('due'))
        .select('id', 'application_id as applicationId', 'due_at', 'ending')
        .rowNumber('turn', (turn) => void turn.partitionBy('application_id').orderBy('due_at'))
        .as('turns');
      const rows = await db(turns).select('id', 'applicationId', 'ending').orderBy(['turn', 'due_at']).limit(limit);
      return rows.map(({ id, applicationId, ending }) => ({ id, applicationId, isScheduled: ending === 'scheduled' }));
    },

    /** Ends the leases of crashed processes. Call this only if no other process is running. */
    async releaseAll(now: number): Promise<void> {
      await db('messages').where({ state: 'sending' }).update({ due_at: now });
    },

    /** Counts at most `limit` queued messages that are due until then, so that a long queue does not make the query slow. */
    async backlog(limit: number, until: number) {
      const open = db('messages').where({ state: 'queued' }).where('due_at', '<=', until);
      const queued = open.select('application_id', 'created_at').limit(limit);
      const counts = db(queued.as('queued')).count({ messages: '*' }).min({ oldest: 'created_at' });
      const rows: Row[] = await counts.select('application_id').groupBy('application_id');
      const messages = rows.reduce((sum, row) => sum + Number(row.messages), 0);
      return {
        messages,
        oldestAt: messages > 0 ? Math.min(...rows.map((row) => Number(row.oldest))) : undefined,
        byApplication: new Map(rows.map((row) => [row.application_id as number, Number(row.messages)])),
      };
    },

    /** Returns an application's messages in these final states, newest first. Searches only recent messages. */
    async recent(applicationId: number, states: readonly VisibleState[], limit: number): Promise<Message[]> {
      const newest = db('messages')
        .whereNotNull('finished_at')
        .orderBy('finished_at', 'desc')
        .limit(RECENT_SCAN_LIMIT)
        .as('newest');
      const query = db(newest)
        .where({ application_id: applicationId, refusal: null })
        .whereNot({ ending: 'canceled' })
        .whereRaw(
          `case when state = 'sent' then coalesce(report, state) else state end in (${states.map(() => '?').join()})`,
          [...states],
        );
      return (await query.orderBy('finished_at', 'desc').limit(limit)).map(toMessage);
    },

    erase: eraseMessages,

    cleanUp: (now: number): Promise<void> => cleanUpMessages(db, now),
  };
}
