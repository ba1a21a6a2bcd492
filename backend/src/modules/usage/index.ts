/** Usage: records counts of sent messages, delivery reports and codes, and returns sums. */
import type { UsageStore } from './usage-store.js';
import { ZERO_COUNTS, type UsageChange, type UsageGroup, type UsageKey, type UsageRange } from './usage.js';
import type { UsageSum } from './usage.js';

export type UsageRecorder = Pick<UsageStore, 'record' | 'sums'>;

/** Returns the usage changes for these applications' uncounted codes. */
type PendingCodes = (applicationIds: readonly number[]) => Promise<readonly UsageChange[]>;

export type UsageService = ReturnType<typeof createUsage>['service'];

export { createUsageStore as createUsageRecorder } from './usage-store.js';

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

export function createUsage(store: Pick<UsageStore, 'sums' | 'withDays'>, pendingCodes: PendingCodes) {
  /**
   * Returns usage sums for each combination of `groups` and currency, sorted by these columns. Includes codes that have
   * not been counted yet.
   */
  async function sums<Group extends UsageGroup>(
    range: UsageRange,
    groups: readonly Group[],
  ): Promise<UsageSum<Group>[]> {
    const keys = [...groups, 'currency' as const];
    type Key = Pick<UsageKey, Group | 'currency'>;
    const idOf = (key: Key) => JSON.stringify(keys.map((name) => key[name]));
    const sums = new Map<string, UsageSum<Group>>();
    for (const sum of await store.sums(range, groups)) sums.set(idOf(sum), sum);
    for (const change of await store.withDays(await pendingCodes(range.applicationIds))) {
      if (change.day < range.from || change.day > range.to) continue;
      const before = sums.get(idOf(change)) ?? {
        ...(Object.fromEntries(keys.map((name) => [name, change[name]])) as Key),
        ...ZERO_COUNTS,
      };
      const codes = before.codes + (change.codes ?? 0);
      sums.set(idOf(change), { ...before, codes, verified: before.verified + (change.verified ?? 0) });
    }
    const order = (a: Key, b: Key) => keys.map((name) => compare(a[name], b[name])).find((result) => result !== 0) ?? 0;
    return [...sums.values()].sort(order);
  }

  return { service: { sums } };
}
