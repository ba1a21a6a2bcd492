/** When the next event of a kind is allowed, computed from the times of the last ones. Pure; times are milliseconds. */
import type { ErrorCode } from '../contract/errors.js';
import { MINUTE, SECOND } from '../clock.js';

export interface Rule {
  /** What is counted, for example one recipient of one application. */
  readonly key: string;
  /** The error of a refused event. */
  readonly code: ErrorCode;
  /** At most `limit` events in any `seconds`; a limit of 0 is off. */
  readonly windows: readonly { readonly limit: number; readonly seconds: number }[];
  /** Seconds to keep after the first, second, … event of the last ten minutes; the last entry repeats. */
  readonly spacingSeconds?: readonly number[];
  /** Kept over a restart. */
  readonly durable?: boolean;
}

/** The two windows that bound what reaches people: one for a loop, one for what a day can cost. */
export const sendWindows = (per10Minutes: number, perDay: number): Rule['windows'] => [
  { limit: per10Minutes, seconds: 600 },
  { limit: perDay, seconds: 86_400 },
];

/** Earlier events do not make the pauses longer. */
export const SPACING_WINDOW = 10 * MINUTE;

function windowOpensAt(times: readonly number[], limit: number, seconds: number, now: number): number {
  if (limit <= 0) return now;
  const oldestThatCounts = times[times.length - limit];
  return oldestThatCounts === undefined ? now : oldestThatCounts + seconds * SECOND;
}

function spacingEndsAt(times: readonly number[], spacing: readonly number[], now: number): number {
  const recent = times.filter((time) => time > now - SPACING_WINDOW).length;
  const last = times.at(-1);
  if (recent === 0 || last === undefined || spacing.length === 0) return now;
  return last + spacing[Math.min(recent, spacing.length) - 1]! * SECOND;
}

/** The moment from which the next event is allowed; `now` or earlier when it already is. `times` is ascending. */
export function allowedAt(rule: Rule, times: readonly number[], now: number): number {
  return Math.max(
    ...rule.windows.map(({ limit, seconds }) => windowOpensAt(times, limit, seconds, now)),
    spacingEndsAt(times, rule.spacingSeconds ?? [], now),
  );
}

/** How many of the last times a rule needs to know, and for how long. */
export function horizon(rule: Rule): { count: number; ms: number } {
  const active = rule.windows.filter(({ limit }) => limit > 0);
  const spacing = (rule.spacingSeconds ?? []).some((seconds) => seconds > 0) ? rule.spacingSeconds! : [];
  return {
    count: Math.max(spacing.length, ...active.map(({ limit }) => limit), 0),
    ms: Math.max(spacing.length > 0 ? SPACING_WINDOW : 0, ...active.map(({ seconds }) => seconds * SECOND), 0),
  };
}
