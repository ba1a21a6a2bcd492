/**
 * Rate limits. An event under several rules is counted by all of them or by none, so a rejected event uses no limit. Rate
 * limit libraries count each key on its own, which cannot be undone without a race.
 */
import { secondsUntil, type Clock } from '../clock.js';
import { ApiError } from '../contract/errors.js';
import type { RateLimitStore } from './rate-limit-store.js';
import { allowedAt, horizon, type Rule } from './rule.js';

/** Refunds an event that did not happen: for all of its rules, or for some. */
export type Refund = (rules?: readonly Rule[]) => Promise<void>;

export interface Limiter {
  /** Counts one event under all rules. Throws the error of the rule with the longest wait if any rule rejects it. */
  take(rules: readonly Rule[]): Promise<Refund>;
  load(): Promise<void>;
  sweep(): Promise<void>;
}

/** Limiter of a single process. Decides in memory, and stores counts of durable rules before it returns. */
export function createLimiter(clock: Clock, store: RateLimitStore): Limiter {
  const entries = new Map<string, { readonly times: number[]; readonly expiresAt: number }>();

  function rejectIfOver(rules: readonly Rule[], now: number): void {
    let worst: { rule: Rule; until: number } | undefined;
    for (const rule of rules) {
      const until = allowedAt(rule, entries.get(rule.key)?.times ?? [], now);
      if (until > now && until > (worst?.until ?? 0)) worst = { rule, until };
    }
    if (worst) throw new ApiError(worst.rule.code, { retryAfterSeconds: secondsUntil(worst.until, now) });
  }

  function count(rule: Rule, now: number): void {
    const { count: size, ms } = horizon(rule);
    if (size === 0) return;
    const times = [...(entries.get(rule.key)?.times ?? []), now].slice(-size);
    entries.set(rule.key, { times, expiresAt: now + ms });
  }

  function uncount(rule: Rule, time: number): void {
    const entry = entries.get(rule.key);
    const index = entry?.times.lastIndexOf(time) ?? -1;
    if (entry && index >= 0) entries.set(rule.key, { ...entry, times: entry.times.filter((_time, i) => i !== index) });
  }

  async function save(rules: readonly Rule[]): Promise<void> {
    for (const rule of rules) {
      const entry = rule.durable ? entries.get(rule.key) : undefined;
      if (entry) await store.save(rule.key, entry.times, entry.expiresAt);
    }
  }

  async function take(rules: readonly Rule[]): Promise<Refund> {
    const now = clock.now();
    rejectIfOver(rules, now);
    // No await since the check, so that two events cannot both pass.
    for (const rule of rules) count(rule, now);
    try {
      await save(rules);
    } catch (error) {
      for (const rule of rules) uncount(rule, now);
      throw error;
    }
    return async function refund(refunded = rules) {
      for (const rule of refunded) uncount(rule, now);
      await save(refunded);
    };
  }

  async function load(): Promise<void> {
    for (const row of await store.all(clock.now())) entries.set(row.key, row);
  }

  async function sweep(): Promise<void> {
    const now = clock.now();
    for (const [key, entry] of entries) if (entry.expiresAt <= now) entries.delete(key);
    await store.cleanUp(now);
  }

  return { take, load, sweep };
}
