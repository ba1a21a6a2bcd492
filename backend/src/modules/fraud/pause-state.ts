/** The states of scopes: pauses, which get longer each time, challenges, and exceptions by people. */
import { DAY, HOUR, MINUTE } from '../../platform/clock.js';
import { prefixesOf } from '../recipients/number-prefixes.js';
import type { Evidence, Excess, RuleName, ScopeRef, ScopeState } from './fraud.js';

/** Durations of consecutive pauses. Further pauses last as long as the last one. */
const PAUSE_MS = [HOUR, 4 * HOUR, DAY, 7 * DAY] as const;
/** Four hours: the longest pause of a country in use; see `trip` in `decide.ts`. */
const HIGHEST_LEVEL_IN_USE = 2;
const BURST_PAUSE_MS = 10 * MINUTE;
/** Each quiet week lowers the level by one. */
const QUIET_MS = 7 * DAY;

/** After this time without a pause, even the highest level has dropped to 0. */
export const QUIET_WEEKS_MS = PAUSE_MS.length * QUIET_MS;

/** The longest exception, except for prefixes that are allowed forever. */
export const MAX_ALLOWED_DAYS = 30;

const NO_EVIDENCE: Evidence = { from: 0, sent: 0, verified: 0 };

/** Returns the scopes of a number that people can pause and allow, from small to large. */
export const pausableScopes = (number: string, country: string): readonly ScopeRef[] => [
  ...prefixesOf(number).map((key) => ({ scope: 'prefix', key }) as const),
  { scope: 'country', key: country },
  { scope: 'application', key: '' },
];

export const newState = ({ scope, key }: ScopeRef): ScopeState => ({
  scope,
  key,
  level: 0,
  pausedAt: 0,
  pausedUntil: 0,
  isChallenged: false,
  rule: 'person',
  evidence: NO_EVIDENCE,
  allowedUntil: 0,
});

export const isPaused = (state: ScopeState | undefined, now: number): boolean =>
  state !== undefined && (state.pausedUntil === undefined || state.pausedUntil > now);

export const isAllowed = (state: ScopeState | undefined, now: number): boolean =>
  state !== undefined && state.allowedUntil > now;

/**
 * Whether messages of the scope need a challenge while its excess is high: until the excess has dropped to 0, and for at
 * least a day.
 */
export const isWatched = (state: ScopeState | undefined, excess: Excess | undefined, now: number): boolean =>
  state !== undefined &&
  state.isChallenged &&
  (now - state.pausedAt < DAY || (excess?.since ?? Infinity) <= state.pausedAt);

export function levelOf(state: ScopeState, now: number): number {
  if (state.pausedUntil === undefined) return state.level;
  return Math.max(0, state.level - Math.floor(Math.max(0, now - state.pausedUntil) / QUIET_MS));
}

interface Finding extends ScopeRef {
  readonly rule: RuleName;
  readonly evidence: Evidence;
  /** Whether a code was entered at least a week ago, and people in the country entered codes yesterday (UTC). */
  readonly isInUse: boolean;
}

export function pauseByRule(before: ScopeState | undefined, finding: Finding, now: number): ScopeState {
  const { rule, evidence, isInUse } = finding;
  const state = { ...(before ?? newState(finding)), rule, evidence, pausedAt: now, isChallenged: false };
  if (finding.scope === 'burst') return { ...state, pausedUntil: now + BURST_PAUSE_MS };
  const highest = isInUse ? HIGHEST_LEVEL_IN_USE : PAUSE_MS.length;
  const level = Math.min(levelOf(state, now) + 1, highest);
  return { ...state, level, pausedUntil: now + PAUSE_MS[level - 1]! };
}

/** Returns the state of a scope in which messages need a challenge from now on. */
export const challengeByRule = (
  before: ScopeState | undefined,
  { rule, evidence, ...ref }: Finding,
  now: number,
): ScopeState => ({ ...(before ?? newState(ref)), rule, evidence, pausedAt: now, isChallenged: true });

/** Returns the state of a scope that a person pauses, until a person resumes or allows it. */
export const pauseByPerson = (state: ScopeState | undefined, ref: ScopeRef, now: number): ScopeState => ({
  ...(state ?? newState(ref)),
  pausedAt: now,
  pausedUntil: undefined,
  isChallenged: false,
  rule: 'person',
  evidence: NO_EVIDENCE,
  allowedUntil: 0,
});

/** Returns the state of a scope whose pause, challenge or exception a person ends. Resets the level to 0. */
export const resumeByPerson = (state: ScopeState, now: number): ScopeState => ({
  ...state,
  level: 0,
  isChallenged: false,
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
