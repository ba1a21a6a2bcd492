/** The in-memory rate limiter of a single process. */
import type { Knex } from 'knex';
import { writeAll, type Writer } from '../../backend/src/platform/db/transaction.js';
import { createLimiter } from '../../backend/src/platform/rate-limit/limiter.js';
import type { StoredCount } from '../../backend/src/platform/rate-limit/rate-limit-store.js';
import type { Budget, Rule } from '../../backend/src/platform/rate-limit/rule.js';
import { DAY } from '../../backend/src/platform/clock.js';
import { createTestClock } from '../support/clock.js';

const rule = (key: string, more: Partial<Rule> = {}): Rule => ({
  key,
  code: 'COOLDOWN',
  windows: [{ limit: 1, seconds: 30 }],
  ...more,
});

const budget = (key: string, amount: number, perDay = 10): Budget => ({ key, code: 'BURST_LIMIT', perDay, amount });

type Save = (rows: readonly StoredCount[]) => Promise<void>;

/** Stores rows only by calling `save`. */
const writeTo: Writer = (writes) => writeAll(undefined as unknown as Knex, writes);

function createTestLimiter(save: Save = async () => {}, clock = createTestClock()) {
  const insert = (_trx: Knex, rows: readonly StoredCount[]) => save(rows);
  const rest = { find: async () => undefined, all: async () => [], cleanUp: async () => {} };
  return createLimiter(clock, { insert, write: writeTo, ...rest });
}

it('counts an event under all of its rules, or not at all', async () => {
  const limiter = createTestLimiter();
  await limiter.take([rule('a')]);
  await expect(limiter.take([rule('b'), rule('a')])).rejects.toMatchObject({ code: 'COOLDOWN' });
  await expect(limiter.take([rule('b')])).resolves.toBeDefined();
});

it('refunds an event, in memory and in the store', async () => {
  const saved: Record<string, readonly number[]> = {};
  const limiter = createTestLimiter(async (rows) => rows.forEach(({ key, times }) => (saved[key] = times)));
  const refund = await limiter.take([rule('a', { durable: true })]);
  expect(saved.a).toHaveLength(1);
  await refund();
  expect(saved.a).toEqual([]);
  await expect(limiter.take([rule('a')])).resolves.toBeDefined();
});

it('clears the events of a rule, in memory and in the store', async () => {
  const saved: Record<string, readonly number[]> = {};
  const limiter = createTestLimiter(async (rows) => rows.forEach(({ key, times }) => (saved[key] = times)));
  const refund = await limiter.take([rule('a', { durable: true }), rule('b')]);
  await limiter.clear('a');
  await limiter.clear('unknown');
  expect(saved).toEqual({ a: [] });
  await expect(limiter.take([rule('b')])).rejects.toMatchObject({ code: 'COOLDOWN' });
  await limiter.take([rule('a')]);
  await refund();
  await expect(limiter.take([rule('b')])).resolves.toBeDefined();
});

it('does not count an event if the store fails', async () => {
  let broken = true;
  const limiter = createTestLimiter(async () => {
    if (broken) throw new Error('the disk is full');
  });
  await expect(limiter.take([rule('a', { durable: true })])).rejects.toThrow('the disk is full');
  broken = false;
  await expect(limiter.take([rule('a', { durable: true })])).resolves.toBeDefined();
});

it('returns the counts for the transaction of the event, as they are when it stores them', async () => {
  const saved: Record<string, readonly number[]> = {};
  const limiter = createTestLimiter(async (rows) => rows.forEach(({ key, times }) => (saved[key] = times)));
  const limits = [rule('a', { durable: true, windows: [{ limit: 2, seconds: 30 }] }), rule('memory')];
  const { rows } = await limiter.takeWith(limits);
  expect(saved).toEqual({});
  const second = await limiter.takeWith([limits[0]!]);
  await writeTo(rows);
  expect(saved.a).toHaveLength(2);
  expect(Object.keys(saved)).toEqual(['a']);
  await second.refund();
  expect(saved.a).toHaveLength(1);
  await expect(limiter.takeWith(limits)).rejects.toMatchObject({ code: 'COOLDOWN' });
});

describe('a budget', () => {
  /** Returns a clock that is a minute before midnight UTC. */
  const startClock = () => createTestClock(20_000 * DAY - 60_000);

  it('allows a sum up to its limit, and resets at midnight UTC', async () => {
    const clock = startClock();
    const limiter = createTestLimiter(undefined, clock);
    await limiter.take([budget('a', 4)]);
    await limiter.take([budget('a', 6)]);
    await expect(limiter.take([budget('a', 1)])).rejects.toMatchObject({
      code: 'BURST_LIMIT',
      details: { retryAfterSeconds: 60 },
    });
    await limiter.take([budget('a', 0), budget('b', 10)]);
    clock.advance(60_000);
    await expect(limiter.take([budget('a', 10)])).resolves.toBeDefined();
  });

  it('is charged only for events that all other rules allow, and can prevent the other rules from counting an event', async () => {
    const limiter = createTestLimiter();
    await expect(limiter.take([rule('a'), budget('b', 11)])).rejects.toMatchObject({ code: 'BURST_LIMIT' });
    await limiter.take([rule('a'), budget('b', 10)]);
    await expect(limiter.take([rule('a'), budget('c', 1)])).rejects.toMatchObject({ code: 'COOLDOWN' });
    await expect(limiter.take([budget('c', 10)])).resolves.toBeDefined();
  });

  it('is refunded on the day of the event, and stored with all other counts in one statement', async () => {
    const clock = startClock();
    const saved: string[] = [];
    const limiter = createTestLimiter(async (rows) => {
      saved.push(
        rows.map(({ key, times }) => `${key} ${times.length === 1 && times[0]! < 99 ? times[0] : 'times'}`).join(),
      );
    }, clock);
    const refund = await limiter.take([rule('r', { durable: true }), budget('a', 7), budget('b', 1)]);
    clock.advance(60_000);
    await limiter.take([budget('a', 8)]);
    await refund([budget('a', 7)]);
    expect(saved).toEqual(['r times,a:19999 7,b:19999 1', 'a:20000 8', 'a:19999 0']);
  });
});
