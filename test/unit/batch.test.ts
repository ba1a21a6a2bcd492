/** Grouping items into batches, and failures of batches and items. */
import { isDatabaseError } from '../../backend/src/platform/db/database-errors.js';
import { createBatcher } from '../../backend/src/platform/batch.js';
import { until } from '../support/wait.js';

/** Creates a batcher that records its batches. Each batch waits for `release`. */
function recordedBatcher() {
  const calls: number[][] = [];
  const release: (() => void)[] = [];
  const double = createBatcher(async (items: readonly number[]) => {
    calls.push([...items]);
    await new Promise<void>((resolve) => release.push(resolve));
    return items.map((item) => 2 * item);
  });
  const called = (times: number) => until(`batch ${times}`, () => calls.length >= times);
  return { calls, double, called, release: () => release.shift()!() };
}

it('batches the items from one turn of the event loop, and then the items that arrived while the first batch ran', async () => {
  const { calls, double, called, release } = recordedBatcher();
  const first = [double(1), double(2)];
  await called(1);
  const later = [double(3), double(4), double(5)];
  release();
  expect(await Promise.all(first)).toEqual([2, 4]);
  await called(2);
  release();
  expect(await Promise.all(later)).toEqual([6, 8, 10]);
  expect(calls).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
});

describe('after a batch of eight items', () => {
  const eight = [1, 2, 3, 4, 5, 6, 7, 8];

  /** Creates a batcher that records its batches and pauses. Each pause waits for `resume`. */
  function pausingBatcher() {
    const sizes: number[] = [];
    const pauses: (() => void)[] = [];
    const pause = () => new Promise<void>((resolve) => pauses.push(resolve));
    const work = createBatcher(async (items: readonly number[]) => (sizes.push(items.length), items), { pause });
    const paused = (times: number) => until(`pause ${times}`, () => pauses.length >= times);
    return { sizes, work, pauses, paused, resume: () => pauses.at(-1)!() };
  }

  it('the next batch waits, and includes the items that arrive meanwhile', async () => {
    const { sizes, work, paused, resume } = pausingBatcher();
    await Promise.all(eight.map(work));
    const later = [work(9)];
    await paused(1);
    later.push(work(10));
    resume();
    expect(await Promise.all(later)).toEqual([9, 10]);
    expect(sizes).toEqual([8, 2]);
  });

  it('the batch after a smaller one does not wait', async () => {
    const { sizes, work, pauses, paused, resume } = pausingBatcher();
    await Promise.all(eight.map(work));
    const ninth = work(9);
    await paused(1);
    resume();
    await ninth;
    await work(10);
    expect(sizes).toEqual([8, 1, 1]);
    expect(pauses).toHaveLength(1);
  });

  it('a full batch does not wait', async () => {
    const { sizes, work, pauses } = pausingBatcher();
    await Promise.all(Array.from({ length: 200 }, (_, n) => work(n)));
    expect([sizes, pauses.length]).toEqual([[100, 100], 0]);
  });
});

it('does not wait after a batch of fewer than eight items', async () => {
  const pause = () => Promise.reject(new Error('paused'));
  const work = createBatcher(async (items: readonly number[]) => items, { pause });
  await Promise.all([1, 2, 3, 4, 5, 6, 7].map(work));
  expect(await work(8)).toBe(8);
});

it('puts at most 100 items into a batch', async () => {
  const sizes: number[] = [];
  const count = createBatcher(async (items: readonly number[]) => {
    sizes.push(items.length);
    return items;
  });
  await Promise.all(Array.from({ length: 250 }, (_, n) => count(n)));
  expect(sizes).toEqual([100, 100, 50]);
});

it('rejects all items of a failed batch, but runs the next batch', async () => {
  let broken = true;
  const work = createBatcher(async (items: readonly number[]) => {
    if (broken) throw new Error('away');
    return items;
  });
  const failed = await Promise.allSettled([work(1), work(2)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  broken = false;
  expect(await work(3)).toBe(3);
});

it('rejects only the item that caused the error', async () => {
  const work = createBatcher(
    async (items: readonly number[]) => {
      if (items.includes(2)) throw new RangeError('two');
      return items;
    },
    { isItemError: (error) => error instanceof RangeError },
  );
  const ends = await Promise.allSettled([work(1), work(2), work(3)]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

it('rejects items that have waited too long, but runs newer items', async () => {
  let now = 0;
  const release: (() => void)[] = [];
  const work = createBatcher(
    async (items: readonly number[]) => {
      await new Promise<void>((resolve) => release.push(resolve));
      return items;
    },
    { waitMs: 100, now: () => now },
  );
  const first = work(1);
  await until('a running batch', () => release.length > 0);
  const waits = [work(2), work(3)].map((done) =>
    done.catch((error: Error) => (isDatabaseError(error) ? 'timeout' : error)),
  );
  now = 101;
  const last = work(4);
  release.shift()!();
  expect(await first).toBe(1);
  await until('a running batch', () => release.length > 0);
  release.shift()!();
  expect(await Promise.all([...waits, last])).toEqual(['timeout', 'timeout', 4]);
});
