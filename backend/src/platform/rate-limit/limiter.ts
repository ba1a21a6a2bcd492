/**
 * Rate limits. An event that several rules watch is counted by all of them or by none, so a refused one costs nothing.
 * Libraries count each key by itself, which cannot be undone without a race; hence this small one.
 */
import { secondsUntil, type Clock } from '../clock.js';
import { ApiError } from '../contract/errors.js';
import type { RateLimitStore } from './rate-limit-store.js';
import { allowedAt, horizon, type Rule } from './rule.js';

export interface Limiter {
  /**
   * Counts one event under all rules, or throws the error of the rule that asks for the longest wait. Answers what takes
   * the count back, for an event that then did not happen, or that does not matter to one of the rules.
   */
  take(rules: readonly Rule[]): Promise<(which?: readonly Rule[]) => Promise<void>>;
  /** Reads what the last process kept. */
  load(): Promise<void>;
  /** Forgets what no rule needs any more. */
  sweep(): Promise<void>;
}

interface Entry {
  readonly times: number[];
  readonly expiresAt: number;
}

/** Limits of one process: decided in memory without a pause in between, durable ones written before the answer. */
export function createLimiter({ clock, store }: { clock: Clock; store: RateLimitStore }): Limiter {
  const entries = new Map<string, Entry>();

  function refuseIfOver(rules: readonly Rule[], now: number): void {
    let worst: { rule: Rule; until: number } | undefined;
    for (const rule of rules) {
      const until = allowedAt(rule, entries.get(rule.key)?.times ?? [], now);
      if (until > now && until > (worst?.until ?? 0)) worst = { rule, until };
    }
    if (worst) throw new ApiError(worst.rule.code, { retryAfterSeconds: secondsUntil(worst.until, now) });
  }

  function count(rule: Rule, now: number): void {
    const { count: keep, ms } = horizon(rule);
    if (keep === 0) return;
    const times = [...(entries.get(rule.key)?.times ?? []), now].slice(-keep);
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

  return {
    async take(rules) {
      const now = clock.now();
      refuseIfOver(rules, now);
      // Counted without an await in between: two events at one time cannot both pass.
      for (const rule of rules) count(rule, now);
      const undo = async (which = rules) => {
        for (const rule of which) uncount(rule, now);
        await save(which);
      };
      try {
        await save(rules);
      } catch (error) {
        for (const rule of rules) uncount(rule, now);
        throw error;
      }
      return undo;
    },

    async load() {
      for (const row of await store.all(clock.now())) entries.set(row.key, row);
    },

    async sweep() {
      const now = clock.now();
      for (const [key, entry] of entries) if (entry.expiresAt <= now) entries.delete(key);
      await store.cleanUp(now);
    },
  };
}
