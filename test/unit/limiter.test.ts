/** The limiter of a single process. */
import { createLimiter } from '../../backend/src/platform/rate-limit/limiter.js';
import type { Rule } from '../../backend/src/platform/rate-limit/rule.js';
import { createTestClock } from '../support/clock.js';

const rule = (key: string, more: Partial<Rule> = {}): Rule => ({
  key,
  code: 'COOLDOWN',
  windows: [{ limit: 1, seconds: 30 }],
  ...more,
});

function limiterOn(save: (key: string, times: readonly number[]) => Promise<void> = async () => {}) {
  const store = { save, all: async () => [], cleanUp: async () => {} };
  return createLimiter(createTestClock(), store);
}

it('counts an event under all rules or under none', async () => {
  const limiter = limiterOn();
  await limiter.take([rule('a')]);
  await expect(limiter.take([rule('b'), rule('a')])).rejects.toMatchObject({ code: 'COOLDOWN' });
  await expect(limiter.take([rule('b')])).resolves.toBeDefined();
});

it('refunds an event, also in the store', async () => {
  const saved: Record<string, readonly number[]> = {};
  const limiter = limiterOn(async (key, times) => void (saved[key] = times));
  const refund = await limiter.take([rule('a', { durable: true })]);
  expect(saved.a).toHaveLength(1);
  await refund();
  expect(saved.a).toEqual([]);
  await expect(limiter.take([rule('a')])).resolves.toBeDefined();
});

it('counts nothing when the store fails', async () => {
  let broken = true;
  const limiter = limiterOn(async () => {
    if (broken) throw new Error('the disk is full');
  });
  await expect(limiter.take([rule('a', { durable: true })])).rejects.toThrow('the disk is full');
  broken = false;
  await expect(limiter.take([rule('a', { durable: true })])).resolves.toBeDefined();
});
