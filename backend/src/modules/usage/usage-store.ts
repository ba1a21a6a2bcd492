/**
 * How many messages each application sent, what they cost and how many codes were verified, by day (UTC), channel and
 * country: a few rows a day, which outlive the messages.
 */
import type { Knex } from 'knex';
import type { ChannelName } from '../../providers/provider.js';
import type { Database } from '../../platform/db/database.js';

/** What a count is of. */
export interface UsageKey {
  readonly applicationId: number;
  /** `2026-01-31`, in UTC: when the message was sent, or given up. */
  readonly day: string;
  /** The one that carried the message, or the last that was tried. */
  readonly channel: ChannelName;
  /** ISO 3166 code; "" for mail, and for numbers of no country. */
  readonly country: string;
  readonly currency: string;
}

const COUNTERS = ['sent', 'delivered', 'undelivered', 'failed', 'codes', 'verified', 'cost'] as const;

/**
 * `sent` counts what providers accepted, `delivered` and `undelivered` what they reported of it, `failed` what failed or
 * expired; `codes` counts the sent messages whose code is over, and `verified` those that were verified, on the day of the
 * send; `cost` is in ten-thousandths of the currency. One that is left out is 0.
 */
export type UsageChange = UsageKey & { readonly [Name in (typeof COUNTERS)[number]]?: number };

export type UsageCounts = { readonly [Name in Exclude<(typeof COUNTERS)[number], 'cost'>]: number } & {
  readonly cost: bigint;
};

export type Usage = UsageKey & UsageCounts;

export interface UsageFilter {
  readonly applicationId?: number;
  /** First and last day, both included. */
  readonly from: string;
  readonly to: string;
}

/** Of these applications, on these days. */
export interface UsageRange {
  readonly applicationIds: readonly number[];
  /** First and last day, both included. */
  readonly from: string;
  readonly to: string;
}

/** What sums are told apart by, besides their currency. */
export type UsageGroup = 'day' | 'channel' | 'country';

export type UsageSum<Group extends UsageGroup> = Pick<UsageKey, Group | 'currency'> & UsageCounts;

export type UsageStore = ReturnType<typeof createUsageStore>;

const KEY = ['application_id', 'day', 'channel', 'country', 'currency'] as const;

/** The day of a time in milliseconds. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** One row a key, in one order everywhere: two groups do not wait for each other's rows. */
function toRows(changes: readonly UsageChange[]): Record<string, string | number>[] {
  const rows = new Map<string, Record<string, string | number>>();
  for (const { applicationId, day, channel, country, currency, ...counts } of changes) {
    const key = { application_id: applicationId, day, channel, country, currency };
    const id = Object.values(key).join(' ');
    const before = rows.get(id);
    const sums = COUNTERS.map((name) => [name, Number(before?.[name] ?? 0) + (counts[name] ?? 0)]);
    rows.set(id, { ...key, ...Object.fromEntries(sums) });
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Adds to the counts, in the transaction that the counted thing happens in: so each is counted once. */
export async function addUsage(trx: Knex, changes: readonly UsageChange[]): Promise<void> {
  const given = (name: string) => (trx.client.dialect === 'mysql' ? `values(${name})` : `excluded.${name}`);
  const sums = COUNTERS.map((name) => [name, trx.raw(`usage_counts.${name} + ${given(name)}`)]);
  await trx('usage_counts')
    .insert(toRows(changes))
    .onConflict([...KEY])
    .merge(Object.fromEntries(sums));
}

const countsOf = (row: Record<string, unknown>): UsageCounts => ({
  sent: Number(row.sent),
  delivered: Number(row.delivered),
  undelivered: Number(row.undelivered),
  failed: Number(row.failed),
  codes: Number(row.codes),
  verified: Number(row.verified),
  cost: BigInt(row.cost as number | string),
});

export function createUsageStore(db: Database) {
  return {
    /** Oldest day first. */
    async read({ applicationId, from, to }: UsageFilter): Promise<Usage[]> {
      const query = db('usage_counts')
        .whereBetween('day', [from, to])
        .orderBy([...KEY.slice(1), 'application_id']);
      if (applicationId !== undefined) query.where({ application_id: applicationId });
      const rows: Record<string, unknown>[] = await query;
      return rows.map((row) => ({
        applicationId: row.application_id as number,
        day: row.day as string,
        channel: row.channel as ChannelName,
        country: row.country as string,
        currency: row.currency as string,
        ...countsOf(row),
      }));
    },

    /** Added up by the database: a few rows, however many countries there are. */
    async sums<Group extends UsageGroup>(
      { applicationIds, from, to }: UsageRange,
      by: readonly Group[],
    ): Promise<UsageSum<Group>[]> {
      const keys = [...by, 'currency'];
      const query = db('usage_counts')
        .whereIn('application_id', [...applicationIds])
        .whereBetween('day', [from, to])
        .select(keys)
        .groupBy(keys)
        .orderBy(keys);
      for (const name of COUNTERS) void query.sum({ [name]: name });
      const rows: Record<string, unknown>[] = await query;
      return rows.map((row) => {
        const key = Object.fromEntries(keys.map((name) => [name, row[name]]));
        return { ...(key as Pick<UsageKey, Group | 'currency'>), ...countsOf(row) };
      });
    },
  };
}
