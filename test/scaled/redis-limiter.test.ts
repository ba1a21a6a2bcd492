/** The Redis rate limiter makes the same decisions as the in-memory limiter, and all processes share it. */
import fc from 'fast-check';
import type { ApiError } from '../../backend/src/platform/contract/errors.js';
import { createLog } from '../../backend/src/platform/log.js';
import { createLimiter, type Limiter } from '../../backend/src/platform/rate-limit/limiter.js';
import { createRedisLimiter } from '../../backend/src/platform/rate-limit/redis-limiter.js';
import type { Budget, Limit, Rule } from '../../backend/src/platform/rate-limit/rule.js';
import { connectRedis, type RedisConnections } from '../../backend/src/platform/redis.js';
import { createTestClock } from '../support/clock.js';
import { keysOf } from '../support/databases.js';
import { until } from '../support/wait.js';

const silentLog = createLog('silent');
const connections: RedisConnections[] = [];
let usedNames = 0;

async function connect(prefix = `limiter-${process.pid}-${++usedNames}`): Promise<RedisConnections> {
  const redis = connectRedis(process.env.PASSBELL_TEST_REDIS_URL!, prefix, silentLog);
  connections.push(redis);
  await until('a connection to Redis', () => redis.commands.status === 'ready');
  return redis;
}
afterAll(() => connections.forEach((redis) => redis.close()));

const createMemoryLimiter = (clock = createTestClock()): Limiter =>
  createLimiter(clock, {
    insert: async () => {},
    write: async () => {},
    find: async () => undefined,
    all: async () => [],
    cleanUp: async () => {},
  });

/** Returns "ok", or the error code with its retry time. */
const outcome = (limiter: Limiter, rules: Limit[]): Promise<string> =>
  limiter.take(rules).then(
    () => 'ok',
    (error: ApiError) => `${error.code} ${error.details.retryAfterSeconds}`,
  );

const rule = fc.record({
  key: fc.constantFrom('a', 'b', 'c'),
  code: fc.constantFrom('COOLDOWN' as const, 'BURST_LIMIT' as const),
  windows: fc.array(fc.record({ limit: fc.integer({ min: 0, max: 4 }), seconds: fc.integer({ min: 1, max: 900 }) }), {
    maxLength: 2,
  }),
  spacingSeconds: fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 3 }),
});
const budget = fc.record({
  key: fc.constantFrom('d', 'e'),
  code: fc.constant('SEND_FAILED' as const),
  perDay: fc.constantFrom(3, 1e13),
  amount: fc.constantFrom(0, 1, 2, 4e12),
});
const step = fc.record({
  rules: fc.uniqueArray(fc.oneof(rule, budget), { minLength: 1, maxLength: 3, selector: ({ key }) => key }),
  cleared: fc.option(fc.constantFrom('a', 'b', 'c')),
  pauseMs: fc.oneof(fc.integer({ min: 0, max: 200_000 }), fc.constant(40_000_000)),
});

it('makes the same decisions as the in-memory limiter for every sequence of events', async () => {
  const redis = await connect();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const clock = createTestClock();
      const run = `${++usedNames}:`;
      const memory = createMemoryLimiter(clock);
      const shared = createRedisLimiter(redis, clock);
      for (const { rules, cleared, pauseMs } of steps) {
        const unique = rules.map((rule) => ({ ...rule, key: run + rule.key }));
        expect(await outcome(shared, unique)).toBe(await outcome(memory, unique));
        if (cleared !== null) await Promise.all([memory.clear(run + cleared), shared.clear(run + cleared)]);
        clock.advance(pauseMs);
      }
    }),
    { numRuns: 150 },
  );
});

it('allows one of 100 parallel events from two processes if the limit is one event', async () => {
  const first = await connect('limiter-race');
  const second = await connect('limiter-race');
  await first.commands.del(`${first.keyspace('limit')}:x`);
  const clock = createTestClock();
  const limiters = [first, second].map((redis) => createRedisLimiter(redis, clock));
  const once: Rule[] = [{ key: 'x', code: 'COOLDOWN', windows: [{ limit: 1, seconds: 30 }] }];
  const outcomes = await Promise.all(Array.from({ length: 100 }, (_, i) => outcome(limiters[i % 2]!, once)));
  expect(outcomes.filter((text) => text === 'ok')).toHaveLength(1);
  expect(new Set(outcomes)).toEqual(new Set(['ok', 'COOLDOWN 30']));
});

it('rejects events with a retry time while Redis is unavailable', async () => {
  const redis = await connect();
  const limiter = createRedisLimiter(redis, createTestClock());
  redis.close();
  expect(await outcome(limiter, [{ key: 'x', code: 'COOLDOWN', windows: [] }])).toBe('SERVICE_UNAVAILABLE 5');
});

it('refunds a budget on the day of the event, and stores nothing for a refund on a later day', async () => {
  const redis = await connect();
  const clock = createTestClock();
  const limiter = createRedisLimiter(redis, clock);
  const budget: Budget = { key: 'sum', code: 'BURST_LIMIT', perDay: 10, amount: 10 };
  const refund = await limiter.take([budget]);
  expect(await outcome(limiter, [budget])).toMatch(/^BURST_LIMIT \d+$/);
  await refund();
  const late = await limiter.take([budget]);
  clock.advance(86_400_000);
  const keys = () => keysOf(redis.commands, `${redis.keyspace('limit')}:*`);
  await redis.commands.del(...(await keys()));
  await late();
  expect(await keys()).toEqual([]);
});
