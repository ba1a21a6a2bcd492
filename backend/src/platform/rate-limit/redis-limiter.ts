/**
 * A limiter that all processes share. One Lua script checks and counts all limits for an event, so the decision is
 * atomic.
 */
import type { Clock } from '../clock.js';
import { ApiError, UNAVAILABLE_RETRY_SECONDS } from '../contract/errors.js';
import type { RedisConnections } from '../redis.js';
import type { Limiter, Refund } from './limiter.js';
import { budgetKey, dayEndsAt, requiredHistory, isBudget, rejectEvent, SPACING_WINDOW, storedKey } from './rule.js';
import type { Budget, Limit } from './rule.js';

/**
 * KEYS: for each limit, the key of the event times (rule) or of the sum (budget). ARGV: the current time, the spacing
 * window, and three values for each limit. For a rule: windows and spacing as JSON, maximum number of event times, and
 * their lifetime. For a budget: limit and end of the day as JSON, amount to add, and lifetime of the sum. Returns 0 and
 * the new sum of each budget (0 for a rule) if the event is allowed. Otherwise, returns the number of the limit with the
 * longest wait, and the time when the wait ends. A test checks that the script and `allowedAt` return the same results.
 */
const TAKE_LIMITS_SCRIPT = `
local now, spacingWindow = tonumber(ARGV[1]), tonumber(ARGV[2])
local worst, worstUntil = 0, now
local limits = {}

local function ruleAllowedAt(rule, times)
  local allowed = 0
  for _, window in ipairs(rule.windows) do
    if window[1] > 0 then
      local oldest = times[#times - window[1] + 1]
      if oldest then allowed = math.max(allowed, tonumber(oldest) + window[2]) end
    end
  end
  if #times > 0 and #rule.spacing > 0 then
    local recent = 0
    for _, time in ipairs(times) do
      if tonumber(time) > now - spacingWindow then recent = recent + 1 end
    end
    if recent > 0 then
      allowed = math.max(allowed, tonumber(times[#times]) + rule.spacing[math.min(recent, #rule.spacing)])
    end
  end
  return allowed
end

for i, key in ipairs(KEYS) do
  local limit = cjson.decode(ARGV[3 * i])
  limits[i] = limit
  local allowed = 0
  if limit.perDay then
    local sum = tonumber(redis.call('GET', key) or '0') + tonumber(ARGV[3 * i + 1])
    if sum > limit.perDay then allowed = limit.dayEndsAt end
  else
    allowed = ruleAllowedAt(limit, redis.call('LRANGE', key, 0, -1))
  end
  if allowed > worstUntil then worst, worstUntil = i, allowed end
end
if worst > 0 then return { worst, tostring(worstUntil) } end
local reply = { 0 }
for i, key in ipairs(KEYS) do
  local count = ARGV[3 * i + 1]
  reply[i + 1] = 0
  if limits[i].perDay then
    reply[i + 1] = redis.call('INCRBY', key, count)
    redis.call('PEXPIRE', key, ARGV[3 * i + 2])
  elseif tonumber(count) > 0 then
    redis.call('RPUSH', key, ARGV[1])
    redis.call('LTRIM', key, -tonumber(count), -1)
    redis.call('PEXPIRE', key, ARGV[3 * i + 2])
  end
end
return reply
`;

function argumentsOf(limit: Limit, now: number): (string | number)[] {
  if (isBudget(limit)) {
    const endsAt = dayEndsAt(now);
    return [JSON.stringify({ perDay: limit.perDay, dayEndsAt: endsAt }), limit.amount, endsAt - now];
  }
  const { count, ms } = requiredHistory(limit);
  const windows = limit.windows.map(({ limit: events, seconds }) => [events, seconds * 1000]);
  const spacing = (limit.spacingSeconds ?? []).map((seconds) => seconds * 1000);
  return [JSON.stringify({ windows, spacing }), count, Math.max(ms, 1)];
}

/** Two keys that a check of Redis writes, because a send needs several keys, too. */
const PROBES = ['one', 'two'].map((name): Budget => ({
  key: `probe:${name}`,
  code: 'SERVICE_UNAVAILABLE',
  perDay: 1,
  amount: 0,
}));

export function createRedisLimiter(redis: RedisConnections, clock: Clock): Limiter & { probe(): Promise<void> } {
  redis.commands.defineCommand('takeLimits', { lua: TAKE_LIMITS_SCRIPT });
  const commands = redis.commands as unknown as {
    takeLimits(keys: number, ...values: (string | number)[]): Promise<[rule: number, ...values: (number | string)[]]>;
  };
  // In a Cluster, one hash tag puts all limits on one node. One script can then check all limits of a send, so that a
  // crash cannot count a send toward only some of them.
  const redisKey = (key: string): string => `${redis.keyspace('limit')}:${key}`;
  const keyOf = (limit: Limit, now: number): string => redisKey(storedKey(limit, now));

  async function refundOne(limit: Limit, now: number): Promise<void> {
    const key = keyOf(limit, now);
    if (!isBudget(limit)) return void (await redis.commands.lrem(key, -1, String(now)));
    // If the sum has already expired, the first command creates a new key, and the second command deletes it.
    await redis.commands
      .multi()
      .decrby(key, limit.amount)
      .pexpire(key, dayEndsAt(now) - clock.now())
      .exec();
  }

  function runScript(limits: readonly Limit[], now: number) {
    const keys = limits.map((limit) => keyOf(limit, now));
    const values = [now, SPACING_WINDOW, ...limits.flatMap((limit) => argumentsOf(limit, now))];
    return commands.takeLimits(keys.length, ...keys, ...values);
  }

  async function take(limits: readonly Limit[]): Promise<Refund> {
    const now = clock.now();
    // Rejects the event while Redis is down, because it may exceed a limit.
    const [rejected, ...results] = await runScript(limits, now).catch((error: unknown) => {
      redis.logFailure(error, 'limits could not be checked');
      throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS });
    });
    if (rejected > 0) rejectEvent(limits[rejected - 1]!, Number(results[0]), now);
    for (const [n, limit] of limits.entries()) if (isBudget(limit)) limit.onCounted?.(Number(results[n]));
    return async function refund(refunded = limits) {
      await Promise.all(refunded.map((limit) => refundOne(limit, now)));
    };
  }

  const takeWith = async (limits: readonly Limit[]) => ({ refund: await take(limits), rows: [] });

  async function refundToday(budgets: readonly Limit[]): Promise<void> {
    const now = clock.now();
    await Promise.all(budgets.map((budget) => refundOne(budget, now)));
  }

  const sumOf = async (key: string): Promise<number> =>
    Number((await redis.commands.get(redisKey(budgetKey(key, clock.now())))) ?? 0);

  async function clear(key: string): Promise<void> {
    await redis.commands.del(redisKey(key));
  }

  /** Rejects with the error of Redis if the limits of a send could not be checked. */
  const probe = async (): Promise<void> => void (await runScript(PROBES, clock.now()));

  // Redis stores and expires the counts.
  return { take, takeWith, refundToday, sumOf, clear, load: async () => {}, sweep: async () => {}, probe };
}
