/** Pauses of prefixes, countries and the application: longer each time, and shorter again after quiet weeks. */
import { DAY, HOUR } from '../../platform/clock.js';
import type { Evidence, GuardedApplication, Scope, ScopeState, Trip } from './fraud.js';

/** Duration of the first, second and third pause in a row. A fourth one lasts until a person acts. */
export const PAUSE_MS = [HOUR, 4 * HOUR, DAY] as const;

/**
 * A quiet time of this length lowers the level by one. It is a week because traffic repeats every week, and because an
 * attacker who waits for it gets no more than one trip's messages a week.
 */
const QUIET_MS = 7 * DAY;
/**
 * For established countries, where a pause hurts many honest people: long pauses are only for attacks that go on when a pause
 * ends, and not for a slow one that costs little.
 */
const ESTABLISHED_QUIET_MS = 12 * HOUR;

/** After this time without a pause, the highest level is down again. */
export const QUIET_WEEKS_MS = (PAUSE_MS.length + 1) * QUIET_MS;

export const ALLOW_MS = DAY;

const NEVER: Omit<ScopeState, 'scope' | 'key'> = {
  ...{ level: 0, pausedAt: 0, pausedUntil: 0, rule: 'person', evidence: { from: 0, sent: 0, verified: 0 } },
  ...{ established: false, allowedUntil: 0 },
};

type Place = Pick<ScopeState, 'scope' | 'key'>;

const fresh = ({ scope, key }: Place): ScopeState => ({ ...NEVER, scope, key });

export const isPaused = ({ pausedUntil }: ScopeState, now: number): boolean =>
  pausedUntil === undefined || pausedUntil > now;

export const isAllowed = (state: ScopeState | undefined, now: number): boolean =>
  state !== undefined && state.allowedUntil > now;

/** The level that counts now. A pause that waits for a person stays at its level. */
export function levelOf(state: ScopeState | undefined, now: number): number {
  if (state === undefined) return 0;
  if (state.pausedUntil === undefined) return state.level;
  const quiet = state.established ? ESTABLISHED_QUIET_MS : QUIET_MS;
  return Math.max(0, state.level - Math.floor(Math.max(0, now - state.pausedUntil) / quiet));
}

/** Counts before this time are not used again: each pause needs new evidence. */
export function judgedSince(state: ScopeState | undefined, now: number): number {
  if (state === undefined) return 0;
  return Math.max(state.pausedUntil ?? 0, state.allowedUntil <= now ? state.allowedUntil : 0);
}

/** The new state of a scope that a rule tripped on. Also correct when several processes trip at the same time. */
export function pause(state: ScopeState | undefined, trip: Trip, now: number): ScopeState {
  if (state !== undefined && isPaused(state, now)) return state;
  const level = levelOf(state, now) + 1;
  const longest = PAUSE_MS.at(-1)!;
  const duration = PAUSE_MS[level - 1] ?? (trip.established ? longest : undefined);
  return {
    ...(state ?? fresh(trip)),
    ...{ level: Math.min(level, PAUSE_MS.length + 1), pausedAt: now, rule: trip.rule, evidence: trip.evidence },
    established: trip.established,
    pausedUntil: duration === undefined ? undefined : now + duration,
  };
}

const NO_EVIDENCE: Evidence = { from: 0, sent: 0, verified: 0 };

/** A person pauses the scope until a person acts. */
export const pauseByPerson = (state: ScopeState | undefined, place: Place, now: number): ScopeState => ({
  ...(state ?? fresh(place)),
  ...{ level: levelOf(state, now), pausedAt: now, pausedUntil: undefined },
  ...{ rule: 'person', evidence: NO_EVIDENCE, allowedUntil: 0 },
});

/** A person ends the pause or the allowance, and starts the ladder again. */
export const resumeByPerson = (state: ScopeState, now: number): ScopeState => ({
  ...state,
  ...{ level: 0, pausedUntil: Math.min(state.pausedUntil ?? now, now) },
  allowedUntil: Math.min(state.allowedUntil, now),
});

/** A person allows the scope for 24 hours, or a prefix for ever. Also ends a pause. */
export const allowByPerson = (
  state: ScopeState | undefined,
  place: Place,
  now: number,
  forEver = false,
): ScopeState => ({
  ...resumeByPerson(state ?? fresh(place), now),
  allowedUntil: forEver && place.scope === 'prefix' ? Infinity : now + ALLOW_MS,
});

export const stateOf = (
  { scopes }: Pick<GuardedApplication, 'scopes'>,
  scope: Scope,
  key: string,
): ScopeState | undefined => scopes.find((state) => state.scope === scope && state.key === key);
