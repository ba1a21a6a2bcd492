/**
 * Queries that look up messages page by page, newest first. They read at most one page from an index for each
 * combination of application, channel and state, so the query time does not grow with the number of messages.
 * `message-lookup.ts` checks the filter's `country`, `condition` and `keep`.
 */
import type { Knex } from 'knex';
import { HOUR } from '../../platform/clock.js';
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import type { Database } from '../../platform/db/database.js';
import { fromRow, type Row } from '../../platform/db/row.js';
import { DEV_INBOX_ID } from '../../providers/provider-id.js';
import type { MessageFilter, PagePosition } from './message-filter.js';
import { MAX_QUEUED, type Message, type VisibleState } from './message.js';
import { storedState, toMessage } from './messages-store.js';
import { createRecentStore, MAX_SEARCHED, NEWEST_FIRST } from './recent-store.js';

/** Maximum number of applications per query. Each adds at most 28 parts to a UNION, and SQLite allows 500. */
const APPLICATIONS_PER_QUERY = 17;
/** Maximum number of open messages per query. Higher than the queue limit, which parallel sends can exceed. */
const MAX_OPEN_READ = 2 * MAX_QUEUED;

export interface PageRequest {
  /** Position of the previous page's last message; undefined for the first page. */
  readonly after?: PagePosition | undefined;
  readonly limit: number;
}

export type LookupStore = ReturnType<typeof createLookupStore>;

type TimeRange = Pick<MessageFilter, 'applicationIds'> & { readonly from: number; readonly to: number };

export type Addressed = PagePosition & Pick<Message, 'recipient'>;

interface Attempted extends Pick<Message, 'createdAt' | 'report' | 'attempts' | 'recipient'> {
  readonly codeId: string;
}

interface HourCount {
  readonly channel: ChannelName;
  /** `sent`: without a report. */
  readonly state: 'sent' | 'delivered' | 'undelivered' | 'failed' | 'expired';
  /** Start of the hour. */
  readonly hour: number;
  readonly count: number;
}

/** Values of the `ending` column for a filter's state; undefined for `queued` and `sending`. */
function finalStatesOf({ state }: MessageFilter): readonly string[] | undefined {
  if (state === undefined)
    return ['', 'scheduled', 'delivered', 'undelivered', 'failed', 'expired', 'canceled', 'refused'];
  if (state === 'queued' || state === 'sending') return undefined;
  return [state === 'sent' ? '' : state];
}

/** Limits a query to the filter's time range and to one page, newest first. */
function newestOnPage(
  rows: Knex.QueryBuilder,
  { from, to, refusalText }: MessageFilter,
  { after, limit }: PageRequest,
): Knex.QueryBuilder {
  if (from !== undefined) rows.where('created_at', '>=', from);
  if (to !== undefined) rows.where('created_at', '<', to);
  if (refusalText !== undefined) rows.where('refusal', 'like', `%${refusalText}%`);
  if (after) {
    // MySQL uses the index only with this redundant condition.
    rows.where('created_at', '<=', after.createdAt);
    rows.where((w) => w.where('created_at', '<', after.createdAt).orWhere('id', '<', after.id));
  }
  return rows.select('id', 'created_at').orderBy(NEWEST_FIRST).limit(limit);
}

export function createLookupStore(db: Database) {
  /** Selects open messages. There are few of them, because new messages are rejected when the queue is long. */
  const openRows = (state: VisibleState) => db('messages').where({ state }).limit(MAX_OPEN_READ).as('open_messages');

  /** Returns a query for each index range that can contain matching messages. */
  function rangeQueries(filter: MessageFilter): Knex.QueryBuilder[] {
    const { applicationIds, state, channel, recipient, reference } = filter;
    const exact = Object.fromEntries(
      Object.entries({ channel, recipient, reference }).filter(([, value]) => value !== undefined),
    );
    const finalStates = finalStatesOf(filter);
    if (finalStates === undefined) {
      const rows = db(openRows(state!)).whereIn('application_id', applicationIds);
      return [rows.where(exact)];
    }
    // Messages in the dev inbox are shown as tests, not as sent. Messages of earlier versions have no provider.
    const sentOnly = (rows: Knex.QueryBuilder) =>
      state === 'sent'
        ? rows.where({ state }).where((w) => w.whereNull('provider').orWhereNot({ provider: DEV_INBOX_ID }))
        : rows;
    if (recipient !== undefined || reference !== undefined)
      return applicationIds.map((application_id) => {
        const rows = db('messages').where({ application_id, ...exact });
        return sentOnly(state === undefined ? rows : rows.whereIn('ending', finalStates));
      });
    if (channel === undefined && state === undefined)
      return applicationIds.map((application_id) => db('messages').where({ application_id }));
    return applicationIds.flatMap((application_id) =>
      (channel ? [channel] : CHANNELS).flatMap((name) =>
        finalStates.map((ending) => sentOnly(db('messages').where({ application_id, channel: name, ending }))),
      ),
    );
  }

  /** Returns queries for messages that were not refused. Few refused messages are stored, so that these read few other rows. */
  const notRefusedQueries = ({ applicationIds }: MessageFilter): Knex.QueryBuilder[] =>
    applicationIds.map((application_id) => db('messages').where({ application_id }).whereNot({ ending: 'refused' }));

  /** Selects the IDs and times of the newest messages of each query. */
  function newestOf(filter: MessageFilter, page: PageRequest, queriesOf = rangeQueries): Knex.QueryBuilder {
    const [first, ...others] = queriesOf(filter).map((part) =>
      db.select('*').from(newestOnPage(part, filter, page).as('part')),
    );
    return others.length > 0 ? first!.unionAll(others) : first!;
  }

  async function rowsOfPage(
    filter: MessageFilter,
    page: PageRequest,
    columns: readonly string[],
    queriesOf: typeof rangeQueries,
  ): Promise<Row[]> {
    const all = newestOf(filter, page, queriesOf);
    const places = db.select('id').from(all.as('parts')).orderBy(NEWEST_FIRST).limit(page.limit).as('places');
    return db('messages')
      .join(places, 'places.id', 'messages.id')
      .select(columns.map((column) => `messages.${column}`))
      .orderBy([
        { column: 'messages.created_at', order: 'desc' },
        { column: 'messages.id', order: 'desc' },
      ]);
  }

  /** Reads columns of a page of messages, newest first. A few columns are much faster than all of them. */
  async function rowsOf(
    filter: MessageFilter,
    page: PageRequest,
    columns: readonly string[],
    queriesOf = rangeQueries,
  ): Promise<Row[]> {
    const { applicationIds } = filter;
    const found: Row[] = [];
    for (let start = 0; start < applicationIds.length; start += APPLICATIONS_PER_QUERY) {
      const chunk = applicationIds.slice(start, start + APPLICATIONS_PER_QUERY);
      found.push(...(await rowsOfPage({ ...filter, applicationIds: chunk }, page, columns, queriesOf)));
    }
    if (applicationIds.length > APPLICATIONS_PER_QUERY)
      found.sort(
        (a, b) => Number(b.created_at) - Number(a.created_at) || ((a.id as string) < (b.id as string) ? 1 : -1),
      );
    return found.slice(0, page.limit);
  }

  /** Returns a message; undefined unless it belongs to one of these applications. */
  async function find(applicationIds: readonly number[], id: string): Promise<Message | undefined> {
    const row = await db('messages').where({ id }).whereIn('application_id', applicationIds).first();
    return row && toMessage(row);
  }

  return {
    /** Returns a page of messages, newest first. */
    async page(filter: MessageFilter, page: PageRequest): Promise<Message[]> {
      return (await rowsOf(filter, page, ['*'])).map(toMessage);
    },

    /** Returns the positions and recipients of a page of messages, newest first. */
    async recipients(filter: MessageFilter, page: PageRequest): Promise<Addressed[]> {
      const rows = await rowsOf(filter, page, ['id', 'created_at', 'recipient']);
      return rows.map((row) => fromRow<Addressed>(row));
    },

    /** Returns these messages, newest first. */
    async withIds(ids: readonly string[]): Promise<Message[]> {
      const rows: Row[] = await db('messages')
        .whereIn('id', [...ids])
        .orderBy(NEWEST_FIRST);
      return rows.map(toMessage);
    },

    /** Returns the attempts to send the newest messages since `from`, newest first. Leaves out refused messages, which have none. */
    async attempted(applicationIds: readonly number[], from: number, limit: number): Promise<Attempted[]> {
      const columns = ['id', 'mask_id', 'created_at', 'report', 'tried', 'recipient'];
      const rows = await rowsOf({ applicationIds, from }, { limit }, columns, notRefusedQueries);
      return rows.map((row) => ({
        codeId: (row.mask_id || row.id) as string,
        createdAt: row.created_at as number,
        report: row.report as Attempted['report'],
        recipient: row.recipient as string,
        attempts: JSON.parse(row.tried as string),
      }));
    },

    ...createRecentStore(db),
    find,

    /** Counts the matching messages; stops at `limit`. */
    async count(filter: Omit<MessageFilter, 'country' | 'condition' | 'keep'>, limit: number): Promise<number> {
      const { applicationIds } = filter;
      let count = 0;
      for (let start = 0; start < applicationIds.length && count < limit; start += APPLICATIONS_PER_QUERY) {
        const chunk = applicationIds.slice(start, start + APPLICATIONS_PER_QUERY);
        const newest = newestOf({ ...filter, applicationIds: chunk }, { limit });
        const [row] = (await db(newest.as('newest')).count({ count: '*' })) as { count: number | string }[];
        count += Number(row!.count);
      }
      return Math.min(limit, count);
    },

    /**
     * Counts the messages of each hour that were sent, or could not be sent, by channel and state. Reads all messages in
     * this time range. Leaves out the dev inbox. Hours start at `from`.
     */
    async perHour({ applicationIds, from, to }: TimeRange): Promise<HourCount[]> {
      const hour = db.raw('created_at - (created_at - ?) % ?', [from, HOUR]);
      const rows: Row[] = await db('messages')
        .whereIn('application_id', applicationIds)
        .whereIn('channel', CHANNELS)
        .whereIn('ending', ['', 'delivered', 'undelivered', 'failed', 'expired'])
        .where('created_at', '>=', from)
        .where('created_at', '<', to)
        .where((w) => w.whereNot({ ending: '' }).orWhere({ state: 'sent' }))
        .where((w) => w.whereNull('provider').orWhereNot({ provider: DEV_INBOX_ID }))
        .select('channel', 'ending', { started: hour })
        .count({ count: '*' })
        .groupBy('channel', 'ending', 'started');
      return rows.map(({ channel, ending, started, count }) => ({
        channel: channel as ChannelName,
        state: (ending || 'sent') as HourCount['state'],
        hour: Number(started),
        count: Number(count),
      }));
    },

    /** Returns a message that was requested with this ID. Searches only the newest messages of each application. */
    async findByRequestId(applicationIds: readonly number[], requestId: string): Promise<Message | undefined> {
      const limit = Math.ceil(MAX_SEARCHED / applicationIds.length);
      for (const id of applicationIds) {
        const newest = db('messages').where({ application_id: id }).select('id', 'request_id').orderBy(NEWEST_FIRST);
        const [found] = await db(newest.limit(limit).as('newest')).where({ request_id: requestId }).pluck('id');
        if (found !== undefined) return find([id], found as string);
      }
      return undefined;
    },

    /** Returns messages of all applications, newest first. */
    async newest({ state, limit }: { state?: VisibleState; limit: number }): Promise<Message[]> {
      const query = db('messages').orderBy('created_at', 'desc').limit(limit);
      if (state === 'delivered' || state === 'undelivered') query.where({ state: 'sent', report: state });
      else if (state)
        query.where(
          state === 'queued' || state === 'sending' || state === 'sent'
            ? { state }
            : { state: storedState(state), ending: state },
        );
      if (state === 'sent') query.whereNull('report');
      return (await query).map(toMessage);
    },
  };
}
