/** What is remembered for a moment, and what is not. */
import { createRecall } from '../../backend/src/platform/cache.js';
import { createTestClock } from '../support/clock.js';

function recalling(values: Record<string, string>) {
  const clock = createTestClock();
  const reads: string[] = [];
  const read = async (key: string): Promise<string | undefined> => (reads.push(key), values[key]);
  return { clock, reads, recall: createRecall({ clock, ms: 1000, read }) };
}

it('reads once a moment, and each key by itself', async () => {
  const { clock, reads, recall } = recalling({ a: '1', b: '2' });
  for (const key of ['a', 'b', 'a']) await recall.get(key);
  clock.advance(999);
  expect(await recall.get('a')).toBe('1');
  expect(reads).toEqual(['a', 'b']);
  clock.advance(1);
  expect(await recall.get('a')).toBe('1');
  expect(reads).toEqual(['a', 'b', 'a']);
});

it('reads anew what is to be forgotten', async () => {
  const values = { a: 'old' };
  const { recall } = recalling(values);
  await recall.get('a');
  values.a = 'new';
  recall.forget('a');
  expect(await recall.get('a')).toBe('new');
});

it('keeps nothing for a key that has nothing', async () => {
  const values: Record<string, string> = {};
  const { reads, recall } = recalling(values);
  expect(await recall.get('a')).toBeUndefined();
  values.a = '1';
  expect(await recall.get('a')).toBe('1');
  expect(reads).toEqual(['a', 'a']);
});
