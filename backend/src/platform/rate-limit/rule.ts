/** Computes from earlier events when a rate limit allows the next event. Times are in milliseconds. */
import { DAY, MINUTE, SECOND, secondsUntil } from '../clock.js';
import { ApiError, type ErrorCode } from '../contract/errors.js';

interface Named {
  readonly key: string;
  readonly code: ErrorCode;
  /** Values for the placeholders in the texts of `code`. */
  readonly values?: Readonly<Record<string, string>>;
}

/** A limit on the number of events, based on the times of earlier events. */
export interface Rule extends Named {
  /** At most `limit` events in any period of `seconds`. A limit of 0 disables the window. */
  readonly windows: readonly { readonly limit: number; readonly seconds: number }[];
  /**
   * Minimum number of seconds after the first, second, … event of the last ten minutes. The last entry applies to all
   * later events.
   */
  readonly spacingSeconds?: readonly number[];
  /** Whether the counts survive a restart. */
  readonly durable?: boolean;
  /** Whether an event is refunded if its message was certainly not sent. Otherwise, the rule limits attempts. */
  readonly refundable?: boolean;
}

/**
 * A limit on a daily sum, such as the message costs in a UTC day. Only the sum is stored, because a day may have too
 * many events to store their times. The sum always survives a restart.
 */
export interface Budget extends Named {
  readonly perDay: number;
  /** The amount that the event adds to the sum. */
  readonly amount: number;
  readonly onCounted?: (sum: number) => void;
  /** Called when an event is refused because of this budget. */
  readonly onRejected?: () => void;
}

export type Limit = Rule | Budget;

export const isBudget = (limit: Limit): limit is Budget => 'perDay' in limit;

/** Throws the error for an event that the limit rejects until the time `until`. */
export function rejectEvent(limit: Limit, until: number, now: number): never {
  if (isBudget(limit)) limit.onRejected?.();
  throw new ApiError(limit.code, { retryAfterSeconds: secondsUntil(until, now), values: limit.values ?? {} });
}

export const isRefundable = (limit: Limit): boolean => !isBudget(limit) && limit.refundable === true;

/** A budget gets a new key every day. */
export const budgetKey = (key: string, now: number): string => `${key}:${Math.floor(now / DAY)}`;

export const storedKey = (limit: Limit, now: number): string =>
  isBudget(limit) ? budgetKey(limit.key, now) : limit.key;

/** Returns the time when the current UTC day ends and all budgets reset. */
export const dayEndsAt = (now: number): number => (Math.floor(now / DAY) + 1) * DAY;

/** Returns the windows for a send limit. The short window stops loops, and the long window limits the daily cost. */
export const sendWindows = (per10Minutes: number, perDay: number): Rule['windows'] => [
  { limit: per10Minutes, seconds: 600 },
  { limit: perDay, seconds: 86_400 },
];

export const SPACING_WINDOW = 10 * MINUTE;

function windowOpensAt(times: readonly number[], limit: number, seconds: number, now: number): number {
  if (limit <= 0) return now;
  const oldestCounted = times[times.length - limit];
  return oldestCounted === undefined ? now : oldestCounted + seconds * SECOND;
}

function spacingEndsAt(times: readonly number[], spacing: readonly number[], now: number): number {
  const recent = times.filter((time) => time > now - SPACING_WINDOW).length;
  const last = times.at(-1);
  if (recent === 0 || last === undefined || spacing.length === 0) return now;
  return last + spacing[Math.min(recent, spacing.length) - 1]! * SECOND;
}

/**
 * Returns the time at which the next event is allowed: `now` or earlier if it is allowed now. `counted` contains a
 * rule's event times in ascending order, or a budget's sum.
 */
export function allowedAt(limit: Limit, counted: readonly number[], now: number): number {
  if (isBudget(limit)) return (counted[0] ?? 0) + limit.amount > limit.perDay ? dayEndsAt(now) : now;
  const rule = limit;
  const times = counted;
  return Math.max(
    ...rule.windows.map(({ limit, seconds }) => windowOpensAt(times, limit, seconds, now)),
    spacingEndsAt(times, rule.spacingSeconds ?? [], now),
  );
}

/** Returns the number of event times that must be stored for a rule, and how long they must be stored. */
export function requiredHistory(rule: Rule): { count: number; ms: number } {
  const active = rule.windows.filter(({ limit }) => limit > 0);
  const spacing = (rule.spacingSeconds ?? []).some((seconds) => seconds > 0) ? rule.spacingSeconds! : [];
  return {
    count: Math.max(spacing.length, ...active.map(({ limit }) => limit), 0),
    ms: Math.max(spacing.length > 0 ? SPACING_WINDOW : 0, ...active.map(({ seconds }) => seconds * SECOND), 0),
  };
}
