/** Stores usage counts: a few rows a day, which are kept after the messages are deleted. */
import type { Knex } from 'knex';
import type { Database } from '../../platform/db/database.js';
import type { UsageChange, UsageCounts, UsageGroup, UsageKey, UsageRange, UsageSum } from './usage.js';
import { COUNTERS } from './usage.js';

const KEY_COLUMNS: Readonly<Record<keyof UsageKey, string>> = {
  applicationId: 'application_id',
  day: 'day',
  channel: 'channel',
  country: 'country',
  currency: 'currency',
};
const KEY_NAMES = Object.keys(KEY_COLUMNS) as (keyof UsageKey)[];

/**
 * Returns one row for each key, sorted, so that concurrent transactions lock rows in the same order and cannot
 * deadlock.
 */
function toRows(changes: readonly UsageChange[]): Record<string, string | number>[] {
  const rows = new Map<string, Record<string, string | number>>();
  for (const change of changes) {
    const key = Object.fromEntries(KEY_NAMES.map((name) => [KEY_COLUMNS[name], change[name]]));
    const id = Object.values(key).join(' ');
    const before = rows.get(id);
    const sums = COUNTERS.map((name) => [name, Number(before?.[name] ?? 0) + (change[name] ?? 0)]);
    rows.set(id, { ...key, ...Object.fromEntries(sums) });
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

const toCounts = (row: Record<string, unknown>): UsageCounts => ({
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
    async record(trx: Knex, changes: readonly UsageChange[]): Promise<void> {
      if (changes.length === 0) return;
      const inserted = (name: string) => (trx.client.dialect === 'mysql' ? `values(${name})` : `excluded.${name}`);
      const sums = COUNTERS.map((name) => [name, trx.raw(`usage_counts.${name} + ${inserted(name)}`)]);
      await trx('usage_counts')
        .insert(toRows(changes))
        .onConflict(Object.values(KEY_COLUMNS))
        .merge(Object.fromEntries(sums));
    },

    async sums<Group extends UsageGroup>(
      { applicationIds, from, to }: UsageRange,
      groups: readonly Group[],
    ): Promise<UsageSum<Group>[]> {
      const keys = [...groups, 'currency' as const];
      const columns = keys.map((name) => KEY_COLUMNS[name]);
      const query = db('usage_counts')
        .whereIn('application_id', [...applicationIds])
        .whereBetween('day', [from, to])
        .select(columns)
        .groupBy(columns)
        .orderBy(columns);
      for (const name of COUNTERS) void query.sum({ [name]: name });
      const rows: Record<string, unknown>[] = await query;
      return rows.map((row) => {
        const key = Object.fromEntries(keys.map((name) => [name, row[KEY_COLUMNS[name]]]));
        return { ...(key as Pick<UsageKey, Group | 'currency'>), ...toCounts(row) };
      });
    },
  };
}
