/** Limits that all processes share: the rules of rule.ts in one script on Redis, so that a decision is one step. */
import type { Clock } from '../clock.js';
import { secondsUntil } from '../clock.js';
import { ApiError } from '../contract/errors.js';
import { UNAVAILABLE_RETRY_SECONDS } from '../limits.js';
import type { RedisConnections } from '../redis.js';
import type { Limiter } from './limiter.js';
import { horizon, SPACING_WINDOW, type Rule } from './rule.js';

/**
 * KEYS: one list of times a rule. ARGV: now, the spacing window, then for each rule its windows and spacing as JSON, how
 * many times it keeps and for how long. Answers 0, or the number of the rule that asks for the longest wait and until
 * when. The same arithmetic as `allowedAt`; a test holds the two against each other.
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
  local keep = tonumber(ARGV[3 * i + 1])
  if keep > 0 then
    redis.call('RPUSH', key, ARGV[1])
    redis.call('LTRIM', key, -keep, -1)
    redis.call('PEXPIRE', key, ARGV[3 * i + 2])
  end
end
return { 0, '' }
`;

interface WithScript {
  takeLimits(keys: number, ...values: (string | number)[]): Promise<[rule: number, until: string]>;
}

function argumentsOf(rule: Rule): (string | number)[] {
  const { count, ms } = horizon(rule);
  const windows = rule.windows.map(({ limit, seconds }) => [limit, seconds * 1000]);
  const spacing = (rule.spacingSeconds ?? []).map((seconds) => seconds * 1000);
  return [JSON.stringify({ windows, spacing }), count, Math.max(ms, 1)];
}

export function createRedisLimiter({ redis, clock }: { redis: RedisConnections; clock: Clock }): Limiter {
  redis.commands.defineCommand('takeLimits', { lua: SCRIPT });
  const script = redis.commands as unknown as WithScript;

  /** The newest one of that time, in one step for each key. */
  async function undo(keys: readonly string[], time: number): Promise<void> {
    await Promise.all(keys.map((key) => redis.commands.lrem(key, -1, String(time))));
  }

  return {
    async take(rules) {
      const now = clock.now();
      const keyOf = (rule: Rule): string => `${redis.prefix}:limit:${rule.key}`;
      const keys = rules.map(keyOf);
      const values = [now, SPACING_WINDOW, ...rules.flatMap(argumentsOf)];
      // Without the limits nobody knows whether this send is one too many: it is refused.
      const [refused, until] = await script.takeLimits(keys.length, ...keys, ...values).catch(() => {
        throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS });
      });
      if (refused === 0) return (which = rules) => undo(which.map(keyOf), now);
      throw new ApiError(rules[refused - 1]!.code, { retryAfterSeconds: secondsUntil(Number(until), now) });
    },
    async load() {},
    async sweep() {},
  };
}
