/**
 * Rate limits. An event with several limits counts toward all of them or, if it is rejected, toward none of them.
 * Rate-limit libraries are not used, because they count each key separately and cannot undo a count without a race.
 */
import type { Knex } from 'knex';
import type { Clock } from '../clock.js';
import { writeOf, type Write } from '../db/transaction.js';
import type { RateLimitStore } from './rate-limit-store.js';
import type { Budget, Limit, Rule } from './rule.js';
import { allowedAt, dayEndsAt, requiredHistory, budgetKey, isBudget, rejectEvent, storedKey } from './rule.js';

/** Refunds an event that did not happen. Refunds all of its limits, or only `limits`. */
export type Refund = (limits?: readonly Limit[]) => Promise<void>;

export interface Limiter {
  /**
   * Counts one event toward all limits. If any limits reject the event, throws the error of the limit with the longest
   * wait.
   */
  take(limits: readonly Limit[]): Promise<Refund>;
  /**
   * As `take`, for an event that the caller stores: the caller must store the returned rows in the same transaction, which
   * saves a transaction. There are none if the counts are stored elsewhere.
   */
  takeWith(limits: readonly Limit[]): Promise<{ readonly refund: Refund; readonly rows: readonly Write[] }>;
  /** Refunds an event of today that did not happen. */
  refundToday(budgets: readonly Budget[]): Promise<void>;
  sumOf(key: Budget['key']): Promise<number>;
  /** Deletes all events of a durable rule. */
  clear(key: Rule['key']): Promise<void>;
  load(): Promise<void>;
  sweep(): Promise<void>;
}

interface Entry {
  /** A rule's event times, or a budget's sum. */
  readonly times: readonly number[];
  readonly expiresAt: number;
}

/**
 * Creates the limiter for a single process. It counts in memory, and also stores budgets and durable rules in the
 * database.
 */
export function createLimiter(clock: Clock, store: RateLimitStore): Limiter {
  const entries = new Map<string, Entry>();

  function rejectIfOver(limits: readonly Limit[], now: number): void {
    let worst: { limit: Limit; until: number } | undefined;
    for (const limit of limits) {
      const until = allowedAt(limit, entries.get(storedKey(limit, now))?.times ?? [], now);
      if (until > now && until > (worst?.until ?? 0)) worst = { limit, until };
    }
    if (worst) rejectEvent(worst.limit, worst.until, now);
  }

  function countEvent(rule: Rule, now: number): void {
    const { count: size, ms } = requiredHistory(rule);
    if (size === 0) return;
    const times = [...(entries.get(rule.key)?.times ?? []), now].slice(-size);
    entries.set(rule.key, { times, expiresAt: now + ms });
  }

  const sumNow = (key: string, now: number): number | undefined => entries.get(budgetKey(key, now))?.times[0];

  function addToBudget(budget: Budget, amount: number, now: number): void {
    const key = storedKey(budget, now);
    const sum = (sumNow(budget.key, now) ?? 0) + amount;
    entries.set(key, { times: [sum], expiresAt: dayEndsAt(now) });
  }

  function uncountEvent(rule: Rule, time: number): void {
    const entry = entries.get(rule.key);
    const index = entry?.times.lastIndexOf(time) ?? -1;
    if (entry && index >= 0) entries.set(rule.key, { ...entry, times: entry.times.filter((_time, i) => i !== index) });
  }

  const count = (limit: Limit, now: number): void =>
    isBudget(limit) ? addToBudget(limit, limit.amount, now) : countEvent(limit, now);
  const uncount = (limit: Limit, now: number): void =>
    isBudget(limit) ? addToBudget(limit, -limit.amount, now) : uncountEvent(limit, now);

  /** Stores the counts as they are when the statement runs, because a later transaction may have stored newer ones. */
  const insertCounts = (trx: Knex, keys: readonly string[]): Promise<void> =>
    store.insert(
      trx,
      [...new Set(keys)].flatMap((key) => (entries.has(key) ? [{ key, ...entries.get(key)! }] : [])),
    );

  const rowsOf = (limits: readonly Limit[], now: number): Write[] =>
    limits
      .filter((limit) => isBudget(limit) || limit.durable)
      .map((limit) => writeOf(insertCounts, storedKey(limit, now)));

  async function save(limits: readonly Limit[], now: number): Promise<void> {
    const rows = rowsOf(limits, now);
    if (rows.length > 0) await store.write(rows);
  }

  /** Counts an event. Synchronous, so two events cannot share the last slot. */
  function countAll(limits: readonly Limit[]) {
    const now = clock.now();
    rejectIfOver(limits, now);
    for (const limit of limits) count(limit, now);
    return {
      now,
      async refund(refunded = limits) {
        for (const limit of refunded) uncount(limit, now);
        await save(refunded, now);
      },
    };
  }

  function reportCounted(limits: readonly Limit[], now: number): void {
    for (const limit of limits) if (isBudget(limit)) limit.onCounted?.(sumNow(limit.key, now) ?? 0);
  }

  async function takeWith(limits: readonly Limit[]) {
    const { now, refund } = countAll(limits);
    reportCounted(limits, now);
    return { refund, rows: rowsOf(limits, now) };
  }

  async function take(limits: readonly Limit[]): Promise<Refund> {
    const { now, refund } = countAll(limits);
    try {
      await save(limits, now);
    } catch (error) {
      for (const limit of limits) uncount(limit, now);
      throw error;
    }
    reportCounted(limits, now);
    return refund;
  }

  async function refundToday(budgets: readonly Budget[]): Promise<void> {
    const now = clock.now();
    for (const budget of budgets) uncount(budget, now);
    await save(budgets, now);
  }

  /** The command has not loaded the sums, so it reads them from the database. */
  async function sumOf(key: string): Promise<number> {
    const now = clock.now();
    return sumNow(key, now) ?? (await store.find(budgetKey(key, now)))?.[0] ?? 0;
  }

  async function clear(key: string): Promise<void> {
    const entry = entries.get(key);
    if (!entry) return;
    entries.set(key, { times: [], expiresAt: entry.expiresAt });
    await store.write([writeOf(insertCounts, key)]);
  }

  async function load(): Promise<void> {
    for (const row of await store.all(clock.now())) entries.set(row.key, row);
  }

  async function sweep(): Promise<void> {
    const now = clock.now();
    for (const [key, entry] of entries) if (entry.expiresAt <= now) entries.delete(key);
    await store.cleanUp(now);
  }

  return { take, takeWith, refundToday, sumOf, clear, load, sweep };
}
