/** A cache whose entries expire after a short time. */
import { createCache } from '../../backend/src/platform/cache.js';
import { createTestClock } from '../support/clock.js';

function cacheOf(values: Record<string, string>) {
  const clock = createTestClock();
  const reads: string[] = [];
  const read = async (key: string): Promise<string | undefined> => (reads.push(key), values[key]);
  return { clock, reads, cache: createCache(clock, 1000, read) };
}

it('reads each key only once while its entry is valid', async () => {
  const { clock, reads, cache } = cacheOf({ a: '1', b: '2' });
  for (const key of ['a', 'b', 'a']) await cache.get(key);
  clock.advance(999);
  expect(await cache.get('a')).toBe('1');
  expect(reads).toEqual(['a', 'b']);
  clock.advance(1);
  expect(await cache.get('a')).toBe('1');
  expect(reads).toEqual(['a', 'b', 'a']);
});

it('reads a key again after `forget`', async () => {
  const values = { a: 'old' };
  const { cache } = cacheOf(values);
  await cache.get('a');
  values.a = 'new';
  cache.forget('a');
  expect(await cache.get('a')).toBe('new');
});

it('does not cache `undefined`', async () => {
  const values: Record<string, string> = {};
  const { reads, cache } = cacheOf(values);
  expect(await cache.get('a')).toBeUndefined();
  values.a = '1';
  expect(await cache.get('a')).toBe('1');
  expect(reads).toEqual(['a', 'a']);
});

it('shares one read between concurrent calls', async () => {
  const { reads, cache } = cacheOf({ a: '1' });
  expect(await Promise.all([cache.get('a'), cache.get('a')])).toEqual(['1', '1']);
  expect(reads).toEqual(['a']);
});

it('reads again after a failed read', async () => {
  let failing = true;
  const read = () => (failing ? Promise.reject(new Error('away')) : Promise.resolve('1'));
  const cache = createCache(createTestClock(), 1000, read);
  await expect(cache.get('a')).rejects.toThrow('away');
  failing = false;
  expect(await cache.get('a')).toBe('1');
});

it('does not keep a value whose read began before `forget`', async () => {
  const values = { a: 'old' };
  const { cache } = cacheOf(values);
  const began = cache.get('a');
  values.a = 'new';
  cache.forget('a');
  expect(await began).toBe('old');
  expect(await cache.get('a')).toBe('new');
});
