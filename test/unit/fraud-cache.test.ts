/** The cache of the fraud guard's excesses: reads of stale excesses, and sends by the same process. */
import { HOUR, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import type { Excess } from '../../backend/src/modules/fraud/fraud.js';
import { changeExcess, ONE_RECIPIENT } from '../../backend/src/modules/fraud/gauges.js';
import { createExcessCache, reversedCharges } from '../../backend/src/modules/fraud/excess-cache.js';
import { scopeName, type ApplicationScope } from '../../backend/src/modules/fraud/excesses-store.js';
import type { Charge, ScopeRef } from '../../backend/src/modules/fraud/fraud.js';

const NOON = Date.UTC(2027, 0, 5, 12);
const PREFIX = { scope: 'prefix', key: '+491511234' } as const;
const COUNTRY = { scope: 'country', key: 'DE' } as const;
const charge = (ref: ScopeRef = PREFIX, at = NOON): Charge => ({ ...ref, change: ONE_RECIPIENT, perHour: 1, at });

/** Creates a fake table, a cache of it, and a function that reads the excess at a time. */
function createTable() {
  const rows = new Map<string, Excess>();
  const reads: number[] = [];
  const cache = createExcessCache();
  function store(one: Charge, applicationId = 1): void {
    const id = `${applicationId} ${scopeName(one)}`;
    rows.set(id, changeExcess(rows.get(id), one.change, one.perHour, one.at));
  }
  /** `during` runs after the rows were read, and before the cache gets them. */
  async function refresh(now: number, refs: readonly ScopeRef[] = [PREFIX], during = () => {}, applicationId = 1) {
    const scopes = refs.map(({ scope, key }): ApplicationScope => ({ scope, key, applicationId }));
    await cache.refresh(scopes, now, async (stale) => {
      reads.push(stale.length);
      const found = new Map(rows);
      during();
      return found;
    });
    return cache.get(applicationId, refs[0]!)?.excess;
  }
  return { cache, reads, rows, store, refresh };
}

it('reads an excess again after two seconds, and when it was forgotten', async () => {
  const { cache, reads, store, refresh } = createTable();
  store(charge());
  expect(await refresh(NOON)).toBe(1);
  store(charge());
  expect(await refresh(NOON + SECOND)).toBe(1);
  expect(await refresh(NOON + 2 * SECOND)).toBe(2);
  store(charge());
  cache.forget(2);
  expect(await refresh(NOON + 3 * SECOND)).toBe(2);
  cache.forget(1);
  expect(await refresh(NOON + 3 * SECOND)).toBe(3);
  expect(reads).toEqual([1, 1, 1]);
});

it('reads all stale excesses with one query, and separates applications', async () => {
  const { cache, reads, store, refresh } = createTable();
  await refresh(NOON + 500, [PREFIX]);
  await refresh(NOON + 1500, [COUNTRY]);
  await refresh(NOON + 1900, [PREFIX, COUNTRY, PREFIX]);
  expect(reads).toEqual([1, 1]);
  await refresh(NOON + 2000, [PREFIX, COUNTRY, PREFIX]);
  expect(reads).toEqual([1, 1, 2]);
  store(charge(), 2);
  expect(await refresh(NOON + 4000, [PREFIX])).toBeUndefined();
  expect(await refresh(NOON + 4000, [PREFIX], undefined, 2)).toBe(1);
  cache.add(2, [charge()]);
  expect(cache.get(1, PREFIX)).toBeUndefined();
});

it('shows own additions at once, before the excess was ever read, and removes those that are undone', async () => {
  const { cache, refresh } = createTable();
  const additions = [1, 2, 3].map(() => cache.add(1, [charge(), charge(COUNTRY)]));
  expect(cache.get(1, PREFIX)).toMatchObject({ excess: 3, sent: 3 });
  additions[1]!.undo();
  additions[1]!.undo();
  expect(cache.get(1, PREFIX)).toMatchObject({ excess: 2, sent: 2 });
  expect(cache.get(1, COUNTRY)).toMatchObject({ excess: 2, sent: 2 });
  expect(await refresh(NOON + 2 * SECOND)).toBe(2);
  additions[0]!.undo();
  additions[2]!.undo();
  expect(await refresh(NOON + 4 * SECOND)).toBeUndefined();
});

it('counts an addition once, regardless of whether it is stored before, during or after a read', async () => {
  const { cache, store, refresh } = createTable();
  await refresh(NOON);
  const before = cache.add(1, [charge()]);
  store(charge());
  before.stored();
  const during = cache.add(1, [charge()]);
  const after = cache.add(1, [charge()]);
  const storeDuring = () => {
    store(charge());
    during.stored();
  };
  expect(await refresh(NOON + 2 * SECOND, [PREFIX], storeDuring)).toBe(3);
  expect(await refresh(NOON + 4 * SECOND)).toBe(3);
  store(charge());
  after.stored();
  expect(await refresh(NOON + 6 * SECOND)).toBe(3);
  expect(await refresh(NOON + 8 * SECOND)).toBe(3);
});

it('keeps an addition while its transaction takes long, however often the excess is read', async () => {
  const { cache, store, refresh } = createTable();
  const slow = cache.add(1, [charge()]);
  for (let n = 1; n <= 5; n++) expect(await refresh(NOON + 2 * n * SECOND)).toBe(1);
  store(charge());
  slow.stored();
  expect(await refresh(NOON + 20 * SECOND)).toBe(1);
});

it('takes back a stored addition that is undone, and loses nothing when the reverse was read first', async () => {
  const { cache, store, refresh } = createTable();
  const sent = cache.add(1, [charge()]);
  store(charge());
  sent.stored();
  sent.undo();
  expect(cache.get(1, PREFIX)).toMatchObject({ excess: 0, sent: 0 });
  reversedCharges([charge()]).forEach((one) => store(one));
  expect(await refresh(NOON + 2 * SECOND)).toBe(0);
});

it('lets time take away from additions as well', async () => {
  const { cache, store, refresh } = createTable();
  [1, 2, 3].forEach(() => store(charge()));
  await refresh(NOON);
  cache.add(1, [charge(PREFIX, NOON + HOUR)]);
  expect(cache.get(1, PREFIX)).toMatchObject({ excess: 3, sent: 4, since: NOON });
});

it('forgets excesses that were not used for a minute when there are many, except those with sends under way', async () => {
  const { cache, store, refresh, rows } = createTable();
  const keys = Array.from({ length: 20_001 }, (_, n): ScopeRef => ({ scope: 'prefix', key: `+49151${n}` }));
  store(charge(keys[0]));
  store(charge(keys[1]));
  await refresh(NOON, keys);
  cache.add(1, [charge(keys[1])]);
  rows.clear();
  await refresh(NOON + MINUTE + 4 * SECOND, [COUNTRY]);
  expect(cache.get(1, keys[0]!)).toBeUndefined();
  expect(cache.get(1, keys[1]!)).toMatchObject({ excess: 2 });
});
