/**
 * Stores usage counts: a few rows a day, which are kept after the messages are deleted. A row's day is the day in the time
 * zone that the account had when the row was counted.
 */
import { UTC, localDay } from '../../platform/local-day.js';
import type { Knex } from 'knex';
import { MINUTE, type Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/db/database.js';
import { columnOf, fromRow, type Row } from '../../platform/db/row.js';
import { createSums } from '../../platform/db/upsert.js';
import type { UsageChange, UsageCounts, UsageGroup, UsageKey, UsageRange, UsageSum } from './usage.js';
import { COUNTERS } from './usage.js';

type DayChange = Omit<UsageChange, 'at'> & Pick<UsageKey, 'day'>;

const KEY = ['application_id', 'day', 'channel', 'country', 'currency'];
/** How long a time zone is cached, so that most sends do not read it. */
const ZONE_MS = MINUTE;

const addCounts = createSums({ table: 'usage_counts', key: KEY, sums: COUNTERS });

/** Sums of MySQL are decimal texts. */
function toSum<Group extends UsageGroup>(row: Row): UsageSum<Group> {
  const counts = Object.fromEntries(COUNTERS.map((name) => [name, Number(row[name])])) as Omit<UsageCounts, 'cost'>;
  const key = fromRow<UsageKey>(row) as Pick<UsageKey, Group | 'currency'>;
  return { ...key, ...counts, cost: BigInt(row.cost as number | string) };
}

/** Returns the time zones of applications. Reads them in the caller's transaction, because SQLite has one connection. */
function createZones(clock: Pick<Clock, 'now'>) {
  const cached = new Map<number, { readonly zone: string; readonly readAt: number }>();
  return async function zonesOf(trx: Knex, applicationIds: readonly number[]): Promise<(id: number) => string> {
    const now = clock.now();
    const missing = applicationIds.filter((id) => !((cached.get(id)?.readAt ?? -Infinity) > now - ZONE_MS));
    if (missing.length > 0) {
      const rows = await trx('applications')
        .join('accounts', 'accounts.id', 'applications.account_id')
        .whereIn('applications.id', missing)
        .select({ id: 'applications.id', zone: 'accounts.time_zone' });
      for (const { id, zone } of rows) cached.set(id, { zone: zone ?? UTC, readAt: now });
    }
    return (id) => cached.get(id)?.zone ?? UTC;
  };
}

export type UsageStore = ReturnType<typeof createUsageStore>;

export function createUsageStore(db: Database, clock: Pick<Clock, 'now'>) {
  const zonesOf = createZones(clock);

  async function withDays(trx: Knex, changes: readonly UsageChange[]): Promise<DayChange[]> {
    const zoneOf = await zonesOf(trx, [...new Set(changes.map(({ applicationId }) => applicationId))]);
    return changes.map(({ at, ...change }) => ({ ...change, day: localDay(at, zoneOf(change.applicationId)) }));
  }

  return {
    withDays: (changes: readonly UsageChange[]): Promise<DayChange[]> => withDays(db, changes),

    /** Adds changes to the counts, in the transaction that stores the counted event, so that each event is counted once. */
    async record(trx: Knex, changes: readonly UsageChange[]): Promise<void> {
      if (changes.length === 0) return;
      const counted = await withDays(trx, changes);
      await addCounts(
        trx,
        counted.map(({ applicationId, ...change }) => ({ application_id: applicationId, ...change })),
      );
    },

    /** Returns the stored sums. Codes that have not been counted yet are missing. */
    async sums<Group extends UsageGroup>(
      { applicationIds, from, to }: UsageRange,
      groups: readonly Group[],
    ): Promise<UsageSum<Group>[]> {
      const columns = [...groups, 'currency'].map(columnOf);
      const query = db('usage_counts')
        .whereIn('application_id', applicationIds)
        .whereBetween('day', [from, to])
        .select(columns)
        .groupBy(columns)
        .orderBy(columns);
      for (const name of COUNTERS) void query.sum({ [name]: name });
      return (await query).map(toSum<Group>);
    },
  };
}
