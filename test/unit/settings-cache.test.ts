/** A cache whose values stay valid until any settings change. */
import { createSettings } from '../../backend/src/platform/settings-cache.js';
import { createTestClock } from '../support/clock.js';
import { setUpSqlite } from '../support/sqlite-database.js';

const database = setUpSqlite();

function cacheOf(values: Record<string, string>) {
  const clock = createTestClock();
  const reads: string[] = [];
  const read = async (key: string): Promise<string | undefined> => (reads.push(key), values[key]);
  // The other process has its own cache of the version.
  const own = createSettings(database(), clock);
  const other = createSettings(database(), clock);
  const changeInOtherProcess = () => database().transaction((trx) => other.markChanged(trx));
  return { clock, reads, cache: own.createCache(read), changeInOtherProcess };
}

it('reads each key only once while no settings change', async () => {
  const { clock, reads, cache } = cacheOf({ a: '1', b: '2' });
  for (const key of ['a', 'b', 'a', 'b']) {
    expect(await cache.get(key)).toBe({ a: '1', b: '2' }[key]);
    clock.advance(10_000);
  }
  expect(reads).toEqual(['a', 'b']);
});

it('reads all keys again within a second after another process has changed settings', async () => {
  const values = { a: '1', b: '2' };
  const { clock, reads, cache, changeInOtherProcess } = cacheOf(values);
  for (const key of ['a', 'b']) await cache.get(key);
  values.a = 'new';
  await changeInOtherProcess();
  clock.advance(1000);
  expect([await cache.get('a'), await cache.get('b')]).toEqual(['new', '2']);
  expect(reads).toEqual(['a', 'b', 'a', 'b']);
});

it('notices a change that was committed while the settings were read', async () => {
  const values = { a: 'old' };
  const clock = createTestClock();
  const settings = createSettings(database(), clock);
  const cache = settings.createCache(async (key: 'a') => {
    const read = values[key];
    if (read === 'old') {
      values.a = 'new';
      await database().transaction((trx) => settings.markChanged(trx));
    }
    return read;
  });
  expect(await cache.get('a')).toBe('old');
  clock.advance(1000);
  expect(await cache.get('a')).toBe('new');
});

it('does not clear the cache for a change that was rolled back', async () => {
  const { clock, reads, cache } = cacheOf({ a: '1' });
  await cache.get('a');
  const settings = createSettings(database(), clock);
  const rolledBack = database().transaction(async (trx) => {
    await settings.markChanged(trx);
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  clock.advance(1000);
  await cache.get('a');
  expect(reads).toEqual(['a']);
});

it('reads a key again after a minute, because the previous release does not increase the version', async () => {
  const values = { a: 'old' };
  const { clock, cache } = cacheOf(values);
  await cache.get('a');
  values.a = 'new';
  clock.advance(59_999);
  expect(await cache.get('a')).toBe('old');
  clock.advance(1);
  expect(await cache.get('a')).toBe('new');
});

it('reads a key again after `forget`', async () => {
  const values = { a: 'old' };
  const { cache } = cacheOf(values);
  await cache.get('a');
  values.a = 'new';
  cache.forget('a');
  expect(await cache.get('a')).toBe('new');
});
