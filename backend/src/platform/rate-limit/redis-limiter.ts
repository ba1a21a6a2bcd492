/** Limiter shared by all processes. Applies the rules of rule.ts in one Lua script, so that a decision is atomic. */
import { secondsUntil, type Clock } from '../clock.js';
import { ApiError, UNAVAILABLE_RETRY_SECONDS } from '../contract/errors.js';
import type { RedisConnections } from '../redis.js';
import type { Limiter, Refund } from './limiter.js';
import { horizon, SPACING_WINDOW, type Rule } from './rule.js';

/**
 * KEYS: for each rule, its list of event times. ARGV: now, the spacing window, then for each rule its windows and spacing as
 * JSON, the length of its list and the lifetime of its list. Returns 0 when the event is allowed, otherwise the number of the
 * rule with the longest wait, and the end of the wait. Computes the same as `allowedAt`; a test compares the two.
 */
const SCRIPT = `
local now, spacingWindow = tonumber(ARGV[1]), tonumber(ARGV[2])
local worst, worstUntil = 0, now
for i, key in ipairs(KEYS) do
  local rule = cjson.decode(ARGV[3 * i])
  local times = redis.call('LRANGE', key, 0, -1)
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
  if allowed > worstUntil then worst, worstUntil = i, allowed end
end
if worst > 0 then return { worst, tostring(worstUntil) } end
for i, key in ipairs(KEYS) do
  local size = tonumber(ARGV[3 * i + 1])
  if size > 0 then
    redis.call('RPUSH', key, ARGV[1])
    redis.call('LTRIM', key, -size, -1)
    redis.call('PEXPIRE', key, ARGV[3 * i + 2])
  end
end
return { 0, '' }
`;

function argumentsOf(rule: Rule): (string | number)[] {
  const { count, ms } = horizon(rule);
  const windows = rule.windows.map(({ limit, seconds }) => [limit, seconds * 1000]);
  const spacing = (rule.spacingSeconds ?? []).map((seconds) => seconds * 1000);
  return [JSON.stringify({ windows, spacing }), count, Math.max(ms, 1)];
}

export function createRedisLimiter(redis: RedisConnections, clock: Clock): Limiter {
  redis.commands.defineCommand('takeLimits', { lua: SCRIPT });
  const commands = redis.commands as unknown as {
    takeLimits(keys: number, ...values: (string | number)[]): Promise<[rule: number, until: string]>;
  };
  const keyOf = (rule: Rule): string => `${redis.prefix}:limit:${rule.key}`;

  async function take(rules: readonly Rule[]): Promise<Refund> {
    const now = clock.now();
    const keys = rules.map(keyOf);
    const values = [now, SPACING_WINDOW, ...rules.flatMap(argumentsOf)];
    // Rejects the event when Redis is down, because it may exceed a limit.
    const [rejected, until] = await commands.takeLimits(keys.length, ...keys, ...values).catch(() => {
      throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS });
    });
    if (rejected > 0)
      throw new ApiError(rules[rejected - 1]!.code, { retryAfterSeconds: secondsUntil(Number(until), now) });
    return async function refund(refunded = rules) {
      await Promise.all(refunded.map((rule) => redis.commands.lrem(keyOf(rule), -1, String(now))));
    };
  }

  // Redis stores and expires the counts.
  return { take, load: async () => {}, sweep: async () => {} };
}
