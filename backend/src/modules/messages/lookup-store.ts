/**
 * Messages as people look for them: those of their applications, newest first, a page after the other. Every page is read
 * from an index, a few rows of each kind that fits, so that it takes as long among millions as among a few.
 */
import type { Knex } from 'knex';
import { CHANNELS, type ChannelName } from '../../providers/provider.js';
import type { Database } from '../../platform/db/database.js';
import { LOOKUP_APPLICATIONS, OPEN_LOOKED_THROUGH } from '../../platform/limits.js';
import type { Message, ShownState } from './message.js';
import { toMessage } from './messages-store.js';

export interface MessageFilter {
  /** Nothing of any other application is found. */
  readonly applicationIds: readonly number[];
  readonly state?: ShownState | undefined;
  readonly channel?: ChannelName | undefined;
  /** In its one form. */
  readonly recipient?: string | undefined;
  /** When the message was accepted, in milliseconds: the first that fits, and the first that is too late. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Where a page ends: the last message on it. */
export type Place = Pick<Message, 'createdAt' | 'id'>;

export interface PageRequest {
  /** The page that follows this place; undefined for the first one. */
  readonly after?: Place | undefined;
  readonly limit: number;
}

export type LookupStore = ReturnType<typeof createLookupStore>;

/** As what messages of a state are filed; undefined for those that are still on their way. */
function endingsOf(state: ShownState | undefined): readonly string[] | undefined {
  if (state === undefined) return ['', 'delivered', 'undelivered', 'failed', 'expired'];
  if (state === 'queued' || state === 'sending') return undefined;
  return [state === 'sent' ? '' : state];
}

const NEWEST_FIRST = [
  { column: 'created_at', order: 'desc' },
  { column: 'id', order: 'desc' },
];

/** The newest that fit the rest of a filter, after the place where the page before ended. */
function newest(
  rows: Knex.QueryBuilder,
  { from, to }: MessageFilter,
  { after, limit }: PageRequest,
): Knex.QueryBuilder {
  if (from !== undefined) rows.where('created_at', '>=', from);
  if (to !== undefined) rows.where('created_at', '<', to);
  if (after) {
    // In this form, which MySQL reads from the index as well.
    rows.where('created_at', '<=', after.createdAt);
    rows.where((w) => w.where('created_at', '<', after.createdAt).orWhere('id', '<', after.id));
  }
  return rows.select('id', 'created_at').orderBy(NEWEST_FIRST).limit(limit);
}

export function createLookupStore(db: Database) {
  /** Only what is on its way: bounded, since a service whose queue is long takes no more. */
  const open = (state: ShownState) => db('messages').where({ state }).limit(OPEN_LOOKED_THROUGH).as('open_messages');

  /** One query a part of an index in which messages can be. */
  function parts(filter: MessageFilter): Knex.QueryBuilder[] {
    const { applicationIds, state, channel, recipient } = filter;
    const endings = endingsOf(state);
    if (endings === undefined) {
      const rows = db(open(state!)).whereIn('application_id', applicationIds);
      return [rows.where({ ...(channel ? { channel } : {}), ...(recipient === undefined ? {} : { recipient }) })];
    }
    const sentOnly = (rows: Knex.QueryBuilder) => (state === 'sent' ? rows.where({ state }) : rows);
    if (recipient !== undefined)
      return applicationIds.map((application_id) => {
        const rows = db('messages').where({ application_id, recipient });
        if (channel) rows.where({ channel });
        return sentOnly(state === undefined ? rows : rows.whereIn('ending', endings));
      });
    if (channel === undefined && state === undefined)
      return applicationIds.map((application_id) => db('messages').where({ application_id }));
    return applicationIds.flatMap((application_id) =>
      (channel ? [channel] : CHANNELS).flatMap((one) =>
        endings.map((ending) => sentOnly(db('messages').where({ application_id, channel: one, ending }))),
      ),
    );
  }

  async function pageOf(filter: MessageFilter, page: PageRequest): Promise<Message[]> {
    const [first, ...others] = parts(filter).map((part) => db.select('*').from(newest(part, filter, page).as('part')));
    const all = others.length > 0 ? first!.unionAll(others) : first!;
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

  return {
    /** Newest first. */
    async page(filter: MessageFilter, page: PageRequest): Promise<Message[]> {
      const { applicationIds } = filter;
      const found: Message[] = [];
      for (let start = 0; start < applicationIds.length; start += LOOKUP_APPLICATIONS) {
        const some = applicationIds.slice(start, start + LOOKUP_APPLICATIONS);
        found.push(...(await pageOf({ ...filter, applicationIds: some }, page)));
      }
      if (applicationIds.length > LOOKUP_APPLICATIONS)
        found.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
      return found.slice(0, page.limit);
    },

    /** Undefined when none of these applications has it. */
    async find(applicationIds: readonly number[], id: string): Promise<Message | undefined> {
      const row = await db('messages')
        .where({ id })
        .whereIn('application_id', [...applicationIds])
        .first();
      return row && toMessage(row);
    },
  };
}
