/**
 * Queries that look up messages page by page, newest first. They read at most one page from an index for each
 * combination of application, channel and state, so the query time does not grow with the number of messages.
 * `message-lookup.ts` checks the filter's `condition`.
 */
import type { Knex } from 'knex';
import { HOUR } from '../../platform/clock.js';
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import type { Database } from '../../platform/db/database.js';
import { DEV_INBOX_ID } from '../../providers/provider-id.js';
import { callingCodeOf } from '../recipients/country.js';
import { countryOf } from '../recipients/recipient.js';
import type { LatestTo, MessageFilter, PagePosition } from './message-filter.js';
import { MAX_QUEUED, type Message, type Rescued } from './message.js';
import type { VisibleState } from './message.js';
import { storedState, toMessage } from './messages-store.js';

/** Maximum number of applications per query. Each adds at most 28 parts to a UNION, and SQLite allows 500. */
const APPLICATIONS_PER_QUERY = 17;
/** Maximum number of open messages per query. Higher than the queue limit, which parallel sends can exceed. */
const MAX_OPEN_READ = 2 * MAX_QUEUED;

interface PageRequest {
  /** Position of the previous page's last message; undefined for the first page. */
  readonly after?: PagePosition | undefined;
  readonly limit: number;
}

/**
 * The number of messages in which a request ID or the last digits of a number are looked up. An index would make each send
 * slower, because these values are random.
 */
const MAX_READ_FOR_SEARCH = 5000;
/** Matches the stored attempts of a message of which one failed. */
const FAILED_ATTEMPT = '%"success":false%';

export type LookupStore = ReturnType<typeof createLookupStore>;

type TimeRange = Pick<MessageFilter, 'applicationIds'> & { readonly from: number; readonly to: number };

interface SentCode extends Pick<Message, 'recipient' | 'createdAt'> {
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
function finalStatesOf({ state, withoutRefused }: MessageFilter): readonly string[] | undefined {
  const others = ['', 'scheduled', 'delivered', 'undelivered', 'failed', 'expired', 'canceled'];
  if (state === undefined) return withoutRefused ? others : [...others, 'refused'];
  if (state === 'queued' || state === 'sending') return undefined;
  return [state === 'sent' ? '' : state];
}

const NEWEST_FIRST = [
  { column: 'created_at', order: 'desc' },
  { column: 'id', order: 'desc' },
];

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
    const { applicationIds, state, channel, recipient, reference, withoutRefused } = filter;
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
    if (channel === undefined && state === undefined && !withoutRefused)
      return applicationIds.map((application_id) => db('messages').where({ application_id }));
    return applicationIds.flatMap((application_id) =>
      (channel ? [channel] : CHANNELS).flatMap((name) =>
        finalStates.map((ending) => sentOnly(db('messages').where({ application_id, channel: name, ending }))),
      ),
    );
  }

  /** Selects the IDs and times of the newest matching messages of each index range. */
  function newestOf(filter: MessageFilter, page: PageRequest): Knex.QueryBuilder {
    const [first, ...others] = rangeQueries(filter).map((part) =>
      db.select('*').from(newestOnPage(part, filter, page).as('part')),
    );
    return others.length > 0 ? first!.unionAll(others) : first!;
  }

  async function pageOf(filter: MessageFilter, page: PageRequest): Promise<Message[]> {
    const all = newestOf(filter, page);
    const places = db.select('id').from(all.as('parts')).orderBy(NEWEST_FIRST).limit(page.limit).as('places');
    const rows: Record<string, unknown>[] = await db('messages')
      .join(places, 'places.id', 'messages.id')
      .select('messages.*')
      .orderBy([
        { column: 'messages.created_at', order: 'desc' },
        { column: 'messages.id', order: 'desc' },
      ]);
    return rows.map(toMessage);
  }

  /** Returns a message; undefined unless it belongs to one of these applications. */
  async function find(applicationIds: readonly number[], id: string): Promise<Message | undefined> {
    const row = await db('messages').where({ id }).whereIn('application_id', applicationIds).first();
    return row && toMessage(row);
  }

  /** Returns a query for each application's sent messages since `from`. Searches only the newest messages. */
  function newestSent(applicationIds: readonly number[], from: number): Knex.QueryBuilder[] {
    const limit = Math.ceil(MAX_READ_FOR_SEARCH / applicationIds.length);
    return applicationIds.map((application_id) => {
      const newest = db('messages').where({ application_id }).where('created_at', '>=', from);
      const read = newest.select('channel', 'created_at', 'state', 'tried').orderBy(NEWEST_FIRST).limit(limit);
      return db(read.as('newest')).where({ state: 'sent' });
    });
  }

  return {
    /** Returns a page of messages, newest first. */
    async page(filter: MessageFilter, page: PageRequest): Promise<Message[]> {
      const { applicationIds } = filter;
      const found: Message[] = [];
      for (let start = 0; start < applicationIds.length; start += APPLICATIONS_PER_QUERY) {
        const chunk = applicationIds.slice(start, start + APPLICATIONS_PER_QUERY);
        found.push(...(await pageOf({ ...filter, applicationIds: chunk }, page)));
      }
      if (applicationIds.length > APPLICATIONS_PER_QUERY)
        found.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
      return found.slice(0, page.limit);
    },

    find,

    /** Counts the matching messages; stops at `limit`. */
    async count(filter: Omit<MessageFilter, 'condition' | 'keep'>, limit: number): Promise<number> {
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
      const rows: Record<string, unknown>[] = await db('messages')
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
      const limit = Math.ceil(MAX_READ_FOR_SEARCH / applicationIds.length);
      for (const id of applicationIds) {
        const newest = db('messages').where({ application_id: id }).select('id', 'request_id').orderBy(NEWEST_FIRST);
        const [found] = await db(newest.limit(limit).as('newest')).where({ request_id: requestId }).pluck('id');
        if (found !== undefined) return find([id], found as string);
      }
      return undefined;
    },

    /** Returns numbers that end in these digits. Searches only the newest messages of each application. */
    async recipientsEndingIn(applicationIds: readonly number[], digits: string): Promise<string[]> {
      const limit = Math.ceil(MAX_READ_FOR_SEARCH / applicationIds.length);
      const found = [];
      for (const application_id of applicationIds) {
        const newest = db('messages').where({ application_id }).select('recipient').orderBy(NEWEST_FIRST).limit(limit);
        const ending = db(newest.as('newest')).where('recipient', 'like', `+%${digits}`);
        found.push(...((await ending.distinct('recipient').pluck('recipient')) as string[]));
      }
      return [...new Set(found)];
    },

    /** Returns the newest message to a country, and the reports about codes since `from`. Searches only the newest messages. */
    async latestTo(application_id: number, country: string, from: number): Promise<LatestTo | undefined> {
      const read = db('messages').where({ application_id }).orderBy(NEWEST_FIRST).limit(MAX_READ_FOR_SEARCH);
      const columns = ['recipient', 'created_at', 'template', 'report'];
      const newest = db(read.select(...columns, 'state', 'id').as('newest')).where({ state: 'sent' });
      const rows: Record<string, unknown>[] = await newest
        .where('recipient', 'like', `${callingCodeOf(country)}%`)
        .select(columns)
        .orderBy('created_at', 'desc');
      // Several countries can have the same calling code.
      const found = rows.filter(({ recipient }) => countryOf(recipient as string) === country);
      const codes = found.filter(({ template, created_at }) => template === 'otp' && Number(created_at) >= from);
      const peopleWith = (report: string) =>
        new Set(codes.filter((code) => code.report === report).map(({ recipient }) => recipient)).size;
      const reports = { delivered: peopleWith('delivered'), undelivered: peopleWith('undelivered') };
      return found[0] && { at: Number(found[0].created_at), ...reports };
    },

    /** Returns the codes that were sent to these recipients since `from`. */
    async codesTo(application_id: number, recipients: readonly string[], from: number): Promise<SentCode[]> {
      const sent = db('messages').where({ application_id, template: 'otp', state: 'sent' });
      const rows: Record<string, unknown>[] = await sent
        .whereIn('recipient', [...recipients])
        .where('created_at', '>=', from)
        .select('recipient', 'created_at', 'mask_id', 'id')
        .limit(MAX_READ_FOR_SEARCH);
      return rows.map(({ recipient, created_at, mask_id, id }) => ({
        recipient: recipient as string,
        createdAt: Number(created_at),
        codeId: (mask_id || id) as string,
      }));
    },

    /** Returns messages since `from` that were sent after a failed attempt, newest first. */
    async rescued(applicationIds: readonly number[], from: number): Promise<Rescued[]> {
      const found = newestSent(applicationIds, from).map((sent) => sent.where('tried', 'like', FAILED_ATTEMPT));
      const rows: Record<string, unknown>[] = (await Promise.all(found)).flat();
      return rows
        .map(({ channel, created_at, tried }) => ({
          channel: channel as Message['channel'],
          createdAt: Number(created_at),
          attempts: JSON.parse(tried as string) as Message['attempts'],
        }))
        .sort((a, b) => b.createdAt - a.createdAt);
    },

    /** Returns when the newest message was created that this provider accepted at once; 0 without one since `from`. */
    async latestThrough(ids: readonly number[], channel: ChannelName, provider: string, from: number): Promise<number> {
      const times = newestSent(ids, from).map(async (sent) => {
        const atOnce = sent.where({ channel }).whereNot('tried', 'like', FAILED_ATTEMPT);
        const through = atOnce.whereRaw('instr(tried, ?) > 0', [`"provider":${JSON.stringify(provider)}`]);
        const [row] = await through.max({ at: 'created_at' });
        return Number(row!.at);
      });
      return Math.max(0, ...(await Promise.all(times)));
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
