/**
 * The excess of a scope: how many recipients did not enter their code, above the usual number. A leaky bucket: each
 * recipient adds one at once, each entered code takes more than one away, and time takes the rest away.
 */
import { HOUR } from '../../platform/clock.js';

export interface Excess {
  /** Recipients; 0 or more. */
  readonly excess: number;
  /** Recipients and entered codes since `since`, when the excess was last 0. */
  readonly sent: number;
  readonly verified: number;
  readonly since: number;
  /** Epoch milliseconds of the last change. */
  readonly at: number;
}

export interface ExcessChange {
  readonly excess: number;
  readonly sent: number;
  readonly verified: number;
}

/** The change by a counted recipient. */
export const ONE_RECIPIENT: ExcessChange = { excess: 1, sent: 1, verified: 0 };

export const noExcess = (now: number): Excess => ({ excess: 0, sent: 0, verified: 0, since: now, at: now });

/** Returns the excess at `now`. `perHour`: how much an hour takes away. */
export function excessAt(before: Excess | undefined, perHour: number, now: number): Excess {
  if (before === undefined) return noExcess(now);
  const excess = before.excess - (Math.max(0, now - before.at) / HOUR) * perHour;
  return excess > 0 ? { ...before, excess, at: Math.max(before.at, now) } : noExcess(now);
}

/** `excesses-store.ts` does the same in SQL. */
export function changeExcess(before: Excess | undefined, change: ExcessChange, perHour: number, at: number): Excess {
  const current = excessAt(before, perHour, at);
  return {
    ...current,
    excess: Math.max(0, current.excess + change.excess),
    sent: current.sent + change.sent,
    verified: current.verified + change.verified,
  };
}
