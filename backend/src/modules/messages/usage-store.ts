/**
 * How many messages each application sent, and what they cost, by day (UTC), channel and country: a few rows a day, which
 * outlive the messages.
 */
import type { Knex } from 'knex';
import type { ChannelName } from '../../channels/channel.js';
import type { Database } from '../../db/database.js';

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

const COUNTERS = ['sent', 'delivered', 'undelivered', 'failed', 'cost'] as const;

/**
 * `sent` counts what providers accepted, `delivered` and `undelivered` what they reported of it, `failed` what failed or
 * expired; `cost` is in ten-thousandths of the currency. One that is left out is 0.
 */
export type UsageChange = UsageKey & { readonly [Name in (typeof COUNTERS)[number]]?: number };

export type Usage = UsageKey & { readonly [Name in Exclude<(typeof COUNTERS)[number], 'cost'>]: number } & {
  readonly cost: bigint;
};

export interface UsageFilter {
  readonly applicationId?: number;
  /** First and last day, both included. */
  readonly from: string;
  readonly to: string;
}

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
        sent: Number(row.sent),
        delivered: Number(row.delivered),
        undelivered: Number(row.undelivered),
        failed: Number(row.failed),
        cost: BigInt(row.cost as number | string),
      }));
    },
  };
}
