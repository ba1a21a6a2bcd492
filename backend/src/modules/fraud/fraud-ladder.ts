/**
 * The pause ladder: each pause of a scope is longer than the previous pause, and pauses get shorter again after quiet
 * weeks.
 */
import { DAY, HOUR } from '../../platform/clock.js';
import type { Evidence, GuardedApplication, Scope, ScopeRef, ScopeState, Trip } from './fraud.js';

/** Durations of the first three consecutive pauses. A fourth pause lasts until a person ends it. */
const PAUSE_MS = [HOUR, 4 * HOUR, DAY] as const;

/**
 * Each quiet period of this length lowers the level by one. It is a week because traffic follows a weekly pattern, and
 * because an attacker who waits that long can send only a few messages a week before the next pause.
 */
const QUIET_MS = 7 * DAY;
/**
 * The quiet period for established countries, where a pause affects many legitimate users. It is short, so that only
 * attacks that continue right after a pause cause long pauses, and slow attacks, which cost little, do not.
 */
const ESTABLISHED_QUIET_MS = 12 * HOUR;

/** After this time without a pause, even the highest level has dropped to 0. */
export const QUIET_WEEKS_MS = (PAUSE_MS.length + 1) * QUIET_MS;

/** The longest exception, except for prefixes that are allowed forever. */
export const MAX_ALLOWED_DAYS = 30;

const NEVER_PAUSED: Omit<ScopeState, 'scope' | 'key'> = {
  level: 0,
  pausedAt: 0,
  pausedUntil: 0,
  rule: 'person',
  evidence: { from: 0, sent: 0, verified: 0 },
  established: false,
  allowedUntil: 0,
};

export const newState = ({ scope, key }: ScopeRef): ScopeState => ({ ...NEVER_PAUSED, scope, key });

type Scopes = Pick<GuardedApplication, 'scopes'>;

export const stateOf = ({ scopes }: Scopes, scope: Scope, key: string): ScopeState | undefined =>
  scopes.find((state) => state.scope === scope && state.key === key);

export const isPaused = ({ pausedUntil }: ScopeState, now: number): boolean =>
  pausedUntil === undefined || pausedUntil > now;

export const isAllowed = (state: ScopeState | undefined, now: number): boolean =>
  state !== undefined && state.allowedUntil > now;

/** Returns the current level. The level does not drop during a pause that only a person can end. */
export function levelOf(state: ScopeState | undefined, now: number): number {
  if (state === undefined) return 0;
  if (state.pausedUntil === undefined) return state.level;
  const quiet = state.established ? ESTABLISHED_QUIET_MS : QUIET_MS;
  return Math.max(0, state.level - Math.floor(Math.max(0, now - state.pausedUntil) / quiet));
}

/** Returns when the scope's last exception ended; 0 if there was none, or if it has not ended. */
const exceptionEnd = (state: ScopeState | undefined, now: number): number =>
  state !== undefined && state.allowedUntil <= now ? state.allowedUntil : 0;

/**
 * Returns the time from which the scope's counts may be used as evidence. Each pause needs new evidence, and so do all
 * scopes after an exception for the whole application.
 */
export function evidenceSince(application: Scopes, { scope, key }: ScopeRef, now: number): number {
  const state = stateOf(application, scope, key);
  const wholeApplication = stateOf(application, 'application', '');
  return Math.max(state?.pausedUntil ?? 0, exceptionEnd(state, now), exceptionEnd(wholeApplication, now));
}

/**
 * Returns the new state of a scope after a rule has tripped. Returns a paused scope unchanged, because several
 * processes can trip at the same time.
 */
export function pause(state: ScopeState | undefined, trip: Trip, now: number): ScopeState {
  if (state !== undefined && isPaused(state, now)) return state;
  const level = levelOf(state, now) + 1;
  const longest = PAUSE_MS.at(-1)!;
  const duration = PAUSE_MS[level - 1] ?? (trip.established ? longest : undefined);
  return {
    ...(state ?? newState(trip)),
    level: Math.min(level, PAUSE_MS.length + 1),
    pausedAt: now,
    rule: trip.rule,
    evidence: trip.evidence,
    established: trip.established,
    pausedUntil: duration === undefined ? undefined : now + duration,
  };
}

const NO_EVIDENCE: Evidence = { from: 0, sent: 0, verified: 0 };

/** Returns the state of a scope that a person pauses, until a person resumes or allows it. */
export const pauseByPerson = (state: ScopeState | undefined, ref: ScopeRef, now: number): ScopeState => ({
  ...(state ?? newState(ref)),
  level: levelOf(state, now),
  pausedAt: now,
  pausedUntil: undefined,
  rule: 'person',
  evidence: NO_EVIDENCE,
  allowedUntil: 0,
});

/** Returns the state of a scope whose pause or exception a person ends. Resets the level to 0. */
export const resumeByPerson = (state: ScopeState, now: number): ScopeState => ({
  ...state,
  level: 0,
  pausedUntil: Math.min(state.pausedUntil ?? now, now),
  allowedUntil: Math.min(state.allowedUntil, now),
});

/**
 * Returns the state of a scope that a person allows for a number of days; `Infinity`, which applies to prefixes only, is
 * one day for other scopes. Also ends a pause.
 */
export const allowByPerson = (state: ScopeState | undefined, ref: ScopeRef, now: number, days = 1): ScopeState => ({
  ...resumeByPerson(state ?? newState(ref), now),
  allowedUntil: now + (days === Infinity && ref.scope !== 'prefix' ? 1 : days) * DAY,
});
