/** The cache of the fraud guard's counters: refreshes of stale buckets, and sends by the same process. */
import { DAY, HOUR, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import type { Increment } from '../../backend/src/modules/fraud/fraud.js';
import { createFraudCache } from '../../backend/src/modules/fraud/fraud-cache.js';
import type { ApplicationRange, FoundBucket } from '../../backend/src/modules/fraud/fraud-store.js';
import { NOON } from '../support/fraud.js';

const PLACE = { dimension: 'prefix', key: '+491511234', size: 'minute' } as const;
const range = (now: number): ApplicationRange => ({ ...PLACE, applicationId: 1, startsWith: false, from: now - DAY });
const sent = (start: number): Increment => ({ ...PLACE, start, sent: 1, verified: 0, spend: 0 });

/** Creates a fake table of buckets with one recipient each. `reads` records the start of each range that is read. */
function createTable(starts: number[]) {
  const reads: number[] = [];
  const read = async (ranges: readonly ApplicationRange[]): Promise<FoundBucket[]> =>
    ranges.flatMap((one) => {
      reads.push(one.from);
      const found = starts.filter((start) => start >= one.from);
      return found.map((start) => ({ range: one, key: PLACE.key, start, sent: 1, verified: 0, spend: 0 }));
    });
  return { starts, reads, read };
}

const total = (rows: readonly { sent: number }[]): number => rows.reduce((sum, row) => sum + row.sent, 0);

it('reloads the last hour after two seconds, and the whole day after five minutes or when it has expired', async () => {
  const table = createTable([NOON - 20 * HOUR, NOON - 2 * MINUTE]);
  const cache = createFraudCache();
  const refresh = async (now: number) => {
    const series = cache.series(range(now), now);
    await cache.refresh([series], now, table.read);
    return total(cache.rowsOf(series, now - DAY));
  };
  expect(await refresh(NOON)).toBe(2);
  table.starts.push(NOON - MINUTE);
  expect(await refresh(NOON + SECOND)).toBe(2);
  expect(await refresh(NOON + 2 * SECOND)).toBe(3);
  cache.expire(1);
  expect(await refresh(NOON + 3 * SECOND)).toBe(3);
  expect(await refresh(NOON + 4 * MINUTE)).toBe(3);
  expect(await refresh(NOON + 6 * MINUTE)).toBe(3);
  const ago = (now: number, from: number) => (now - from) / HOUR;
  expect(
    table.reads.map((from, n) => ago(NOON + [0, 2 * SECOND, 3 * SECOND, 4 * MINUTE, 6 * MINUTE][n]!, from)),
  ).toEqual([24, expect.closeTo(1.25), 24, expect.closeTo(1.25), 24]);
});

it('counts a send once, regardless of whether it is stored before, during or after a read', async () => {
  const table = createTable([]);
  const cache = createFraudCache();
  const series = cache.series(range(NOON), NOON);
  const rows = cache.rowsOf(series, NOON - DAY);
  const refresh = (now: number, during = () => {}) =>
    cache.refresh([series], now, async (ranges) => {
      const found = await table.read(ranges);
      during();
      return found;
    });
  await refresh(NOON);
  const before = cache.add(1, [sent(NOON)]);
  table.starts.push(NOON);
  before.stored();
  const during = cache.add(1, [sent(NOON + MINUTE)]);
  const after = cache.add(1, [sent(NOON + 2 * MINUTE)]);
  await refresh(NOON + 2 * SECOND, () => {
    table.starts.push(NOON + MINUTE);
    during.stored();
  });
  // The array is updated in place, so that a decision in progress uses all counts.
  expect(total(rows)).toBe(3);
  after.undo();
  expect(total(rows)).toBe(2);
  await refresh(NOON + 4 * SECOND);
  expect(total(rows)).toBe(2);
});

it('keeps sends in old buckets that a read leaves out', async () => {
  const table = createTable([NOON - 2 * HOUR]);
  const cache = createFraudCache();
  const series = cache.series(range(NOON), NOON);
  await cache.refresh([series], NOON, table.read);
  cache.add(1, [sent(NOON - 2 * HOUR)]).stored();
  cache.add(1, [sent(NOON - 2 * HOUR), sent(NOON - 3 * HOUR)]);
  await cache.refresh([series], NOON + 2 * SECOND, table.read);
  const rows = cache.rowsOf(series, NOON - DAY).map((row) => [(NOON - row.start) / HOUR, row.sent]);
  expect(rows).toEqual([
    [3, 1],
    [2, 3],
  ]);
  expect(total(cache.rowsOf(series, NOON - HOUR))).toBe(0);
});

it('reads all stale series with one query', async () => {
  const table = createTable([]);
  const cache = createFraudCache();
  const [first, second] = ['+491511234', '+491519876'].map((key) => cache.series({ ...range(NOON), key }, NOON));
  await cache.refresh([first!], NOON + 500, table.read);
  await cache.refresh([second!], NOON + 1500, table.read);
  await cache.refresh([first!, second!], NOON + 1900, table.read);
  expect(table.reads).toHaveLength(2);
  await cache.refresh([first!, second!], NOON + 2000, table.read);
  expect(table.reads).toHaveLength(4);
});

it('stores the countries of a source in one series', async () => {
  const cache = createFraudCache();
  const source = { dimension: 'source', size: 'minute' } as const;
  const all = { ...source, applicationId: 1, key: '192.0.2.1 ', startsWith: true, from: NOON - DAY };
  const series = cache.series(all, NOON);
  const to = (key: string): Increment => ({ ...sent(NOON), ...source, key });
  cache.add(1, [to('192.0.2.1 DE'), to('192.0.2.1 FR'), to('192.0.2.1 DE'), to('192.0.2.2 DE')]);
  expect(cache.rowsOf(series, NOON - DAY).map((row) => [row.key, row.sent])).toEqual([
    ['192.0.2.1 DE', 2],
    ['192.0.2.1 FR', 1],
  ]);
});

it('forgets series that were not used for a minute when there are many, except those with sends under way', async () => {
  const table = createTable([]);
  const cache = createFraudCache();
  const seriesOf = (n: number, now: number) => cache.series({ ...range(now), key: `+49151${n}` }, now);
  const all = Array.from({ length: 5001 }, (_, n) => seriesOf(n, NOON));
  await cache.refresh(all, NOON, table.read);
  cache.add(1, [{ ...sent(NOON), key: '+491511' }]);
  const later = NOON + 65 * SECOND;
  await cache.refresh([seriesOf(5000, later)], later, table.read);
  expect([0, 1, 5000].map((n) => seriesOf(n, later) === all[n])).toEqual([false, true, true]);
});
