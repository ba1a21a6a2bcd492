/** Queries that search the newest messages, for values without an index: an index would make each send slower. */
import type { Knex } from 'knex';
import { HOUR } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Database } from '../../platform/db/database.js';
import type { Row } from '../../platform/db/row.js';
import { callingCodeOf } from '../recipients/country.js';
import { countryOf } from '../recipients/recipient.js';
import type { LatestTo, Overdue } from './message-filter.js';
import type { DeliveryReport, Message, Rescued } from './message.js';

/** The number of the newest messages that a query searches. Searching more would delay the page. */
export const MAX_SEARCHED = 5000;
/** Matches the stored attempts of a message of which one failed. */
const FAILED_ATTEMPT = '%"success":false%';

interface SentCode extends Pick<Message, 'recipient' | 'createdAt'> {
  readonly codeId: string;
}

export const NEWEST_FIRST = [
  { column: 'created_at', order: 'desc' },
  { column: 'id', order: 'desc' },
];

export function createRecentStore(db: Database) {
  /** Returns a query for each application's sent messages since `from`. Searches only the newest messages. */
  function newestSent(applicationIds: readonly number[], from: number): Knex.QueryBuilder[] {
    const limit = Math.ceil(MAX_SEARCHED / applicationIds.length);
    return applicationIds.map((application_id) => {
      const newest = db('messages').where({ application_id }).where('created_at', '>=', from);
      const read = newest.select('channel', 'created_at', 'state', 'tried').orderBy(NEWEST_FIRST).limit(limit);
      return db(read.as('newest')).where({ state: 'sent' });
    });
  }

  return {
    /** Returns numbers that end in these digits. Searches only the newest messages of each application. */
    async recipientsEndingIn(applicationIds: readonly number[], digits: string): Promise<string[]> {
      const limit = Math.ceil(MAX_SEARCHED / applicationIds.length);
      const found = [];
      for (const application_id of applicationIds) {
        const newest = db('messages').where({ application_id }).select('recipient').orderBy(NEWEST_FIRST).limit(limit);
        const ending = db(newest.as('newest')).where('recipient', 'like', `+%${digits}`);
        found.push(...((await ending.distinct('recipient').pluck('recipient')) as string[]));
      }
      return [...new Set(found)];
    },

    /**
     * Returns the newest message to each of these countries, and the reports about codes since `from`. Searches only the
     * newest messages.
     */
    async latestTo(
      application_id: number,
      countries: readonly string[],
      from: number,
    ): Promise<ReadonlyMap<string, LatestTo | undefined>> {
      const read = db('messages').where({ application_id }).orderBy(NEWEST_FIRST).limit(MAX_SEARCHED);
      const columns = ['recipient', 'created_at', 'template', 'report'];
      const newest = db(read.select(...columns, 'state', 'id').as('newest')).where({ state: 'sent' });
      const toOne = (rows: Knex.QueryBuilder) => {
        for (const country of countries) rows.orWhere('recipient', 'like', `${callingCodeOf(country)}%`);
      };
      const rows: Row[] = await newest.where(toOne).select(columns).orderBy('created_at', 'desc');
      // Several countries can have the same calling code.
      const sent = rows.map((row) => ({ ...row, country: countryOf(row.recipient as string) }) as Row);
      const entries = countries.map((country) => {
        const toCountry = sent.filter((row) => row.country === country);
        const codes = toCountry.filter(({ template, created_at }) => template === 'otp' && Number(created_at) >= from);
        const peopleWith = (report: DeliveryReport) =>
          new Set(codes.filter((code) => code.report === report).map(({ recipient }) => recipient)).size;
        const reports = { delivered: peopleWith('delivered'), undelivered: peopleWith('undelivered') };
        const at = Number(toCountry[0]?.created_at);
        const inLastHour = toCountry.filter(({ created_at }) => Number(created_at) > at - HOUR).length;
        return [country, toCountry[0] && { at, inLastHour, ...reports }] as const;
      });
      return new Map(entries);
    },

    async codesTo(application_id: number, recipients: readonly string[], from: number): Promise<SentCode[]> {
      const rows: Row[] = await db('messages')
        .where({ application_id, template: 'otp' })
        .whereIn('recipient', [...recipients])
        .where('created_at', '>=', from)
        .select('recipient', 'created_at', 'mask_id', 'id')
        .limit(MAX_SEARCHED);
      return rows.map(({ recipient, created_at, mask_id, id }) => ({
        recipient: recipient as string,
        createdAt: Number(created_at),
        codeId: (mask_id || id) as string,
      }));
    },

    /** Returns messages since `from` that were sent after a failed attempt, newest first. */
    async rescued(applicationIds: readonly number[], from: number): Promise<Rescued[]> {
      const found = newestSent(applicationIds, from).map((sent) => sent.where('tried', 'like', FAILED_ATTEMPT));
      const rows: Row[] = (await Promise.all(found)).flat();
      return rows
        .map(({ channel, created_at, tried }) => ({
          channel: channel as Message['channel'],
          createdAt: Number(created_at),
          attempts: JSON.parse(tried as string) as Message['attempts'],
        }))
        .sort((a, b) => b.createdAt - a.createdAt);
    },

    /** Counts at most `limit` queued messages that were due before then, and returns when the first of them was due. */
    async overdue(applicationIds: readonly number[], before: number, limit: number): Promise<Overdue> {
      const queued = db('messages')
        .select('due_at')
        .whereIn('application_id', [...applicationIds]);
      const due = queued.where({ state: 'queued' }).where('due_at', '<=', before).orderBy('due_at').limit(limit);
      const [row] = await db(due.as('due')).count({ messages: '*' }).min({ dueAt: 'due_at' });
      return { messages: Number(row!.messages), dueAt: Number(row!.dueAt) };
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
  };
}
