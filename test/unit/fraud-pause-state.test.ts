/** Pauses, which get longer each time, challenges, and exceptions by people. */
import { noExcess } from '../../backend/src/modules/fraud/gauges.js';
import type { ScopeRef, ScopeState } from '../../backend/src/modules/fraud/fraud.js';
import {
  allowByPerson,
  challengeByRule,
  isAllowed,
  isPaused,
  isWatched,
  levelOf,
  newState,
  pauseByPerson,
  pauseByRule,
  QUIET_WEEKS_MS,
  resumeByPerson,
} from '../../backend/src/modules/fraud/pause-state.js';
import { DAY, HOUR, MINUTE } from '../../backend/src/platform/clock.js';

const NOW = Date.UTC(2026, 0, 20, 12);
const COUNTRY: ScopeRef = { scope: 'country', key: 'UZ' };
const EVIDENCE = { from: NOW - HOUR, sent: 30, verified: 2 };
const finding = (isInUse = false, ref = COUNTRY) => ({ ...ref, rule: 'country', evidence: EVIDENCE, isInUse }) as const;

/** Pauses the scope again as soon as each pause ends. Returns the hours of the pauses. */
function pauseHours(count: number, isInUse = false): number[] {
  let state: ScopeState | undefined;
  let now = NOW;
  return Array.from({ length: count }, () => {
    state = pauseByRule(state, finding(isInUse), now);
    const hours = (state.pausedUntil! - now) / HOUR;
    now = state.pausedUntil!;
    return hours;
  });
}

it('consecutive pauses last 1 hour, 4 hours, 24 hours, and then 7 days each', () => {
  expect(pauseHours(6)).toEqual([1, 4, 24, 168, 168, 168]);
});

it('a country in which people entered codes yesterday is paused for 4 hours at most', () => {
  expect(pauseHours(4, true)).toEqual([1, 4, 4, 4]);
});

it('a burst stops all codes for ten minutes, however often', () => {
  const burst = finding(false, { scope: 'burst', key: '' });
  const first = pauseByRule(undefined, burst, NOW);
  const second = pauseByRule(first, burst, NOW + HOUR);
  expect([first.pausedUntil! - NOW, second.pausedUntil! - NOW - HOUR]).toEqual([10 * MINUTE, 10 * MINUTE]);
  expect(second.level).toBe(0);
});

it('a pause by a rule states when and why it started, and ends a challenge', () => {
  const challenged = challengeByRule(undefined, finding(), NOW - HOUR);
  expect(pauseByRule(challenged, finding(), NOW)).toEqual({
    ...COUNTRY,
    level: 1,
    pausedAt: NOW,
    pausedUntil: NOW + HOUR,
    isChallenged: false,
    rule: 'country',
    evidence: EVIDENCE,
    allowedUntil: 0,
  });
});

it('each quiet week lowers the level by one', () => {
  const state = { ...newState(COUNTRY), level: 3, pausedUntil: NOW };
  expect([0, 7 * DAY - 1, 7 * DAY, 14 * DAY, 21 * DAY, 90 * DAY].map((ms) => levelOf(state, NOW + ms))).toEqual([
    3, 3, 2, 1, 0, 0,
  ]);
  expect(levelOf(state, NOW - HOUR)).toBe(3);
  expect(levelOf({ ...state, pausedUntil: undefined }, NOW + 90 * DAY)).toBe(3);
});

it('even the longest pause is forgotten after the quiet weeks', () => {
  const state = { ...newState(COUNTRY), level: 4, pausedUntil: NOW };
  expect(levelOf(state, NOW + QUIET_WEEKS_MS)).toBe(0);
  expect(levelOf(state, NOW + QUIET_WEEKS_MS - 1)).toBe(1);
});

it('a pause ends at its time, a pause by a person does not', () => {
  const state = pauseByRule(undefined, finding(), NOW);
  expect([isPaused(state, NOW), isPaused(state, NOW + HOUR - 1), isPaused(state, NOW + HOUR)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(isPaused(pauseByPerson(state, COUNTRY, NOW), NOW + 1000 * DAY)).toBe(true);
  expect(isPaused(undefined, NOW)).toBe(false);
  expect(isPaused(newState(COUNTRY), NOW)).toBe(false);
});

it('a pause by a person replaces what a rule and what other people decided', () => {
  const allowed = { ...allowByPerson(undefined, COUNTRY, NOW), isChallenged: true, evidence: EVIDENCE };
  expect(pauseByPerson(allowed, COUNTRY, NOW)).toEqual({
    ...COUNTRY,
    level: 0,
    pausedAt: NOW,
    pausedUntil: undefined,
    isChallenged: false,
    rule: 'person',
    evidence: { from: 0, sent: 0, verified: 0 },
    allowedUntil: 0,
  });
  expect(pauseByPerson(undefined, COUNTRY, NOW)).toMatchObject({ ...COUNTRY, level: 0, pausedUntil: undefined });
});

it('a scope is watched for a day after a challenge has started, and until the excess has dropped to 0', () => {
  const state = challengeByRule(undefined, finding(), NOW);
  const excess = { ...noExcess(NOW - HOUR), excess: 10 };
  const later = { ...excess, since: NOW + 1 };
  expect(isWatched(state, later, NOW + DAY - 1)).toBe(true);
  expect(isWatched(state, undefined, NOW + DAY - 1)).toBe(true);
  expect(isWatched(state, later, NOW + DAY)).toBe(false);
  expect(isWatched(state, undefined, NOW + DAY)).toBe(false);
  expect(isWatched(state, { ...excess, since: NOW }, NOW + DAY)).toBe(true);
  expect(isWatched(undefined, excess, NOW)).toBe(false);
  expect(isWatched({ ...state, isChallenged: false }, excess, NOW)).toBe(false);
});

it('a challenge does not pause, and states when and why it started', () => {
  const state = challengeByRule(undefined, finding(), NOW);
  expect(state).toMatchObject({ ...COUNTRY, level: 0, pausedAt: NOW, rule: 'country', evidence: EVIDENCE });
  expect(isPaused(state, NOW)).toBe(false);
  const paused = pauseByRule(undefined, finding(), NOW - DAY);
  expect(challengeByRule(paused, finding(), NOW)).toMatchObject({ level: 1, isChallenged: true });
});

it('a person who resumes ends a pause, a challenge and an exception, and starts again at the first level', () => {
  const paused = {
    ...newState(COUNTRY),
    level: 3,
    pausedUntil: NOW + DAY,
    isChallenged: true,
    allowedUntil: NOW + DAY,
  };
  const resumed = resumeByPerson(paused, NOW);
  expect(resumed).toMatchObject({ level: 0, isChallenged: false, pausedUntil: NOW, allowedUntil: NOW });
  expect(resumeByPerson({ ...paused, pausedUntil: undefined }, NOW).pausedUntil).toBe(NOW);
  expect(resumeByPerson({ ...paused, pausedUntil: NOW - DAY, allowedUntil: 0 }, NOW)).toMatchObject({
    pausedUntil: NOW - DAY,
    allowedUntil: 0,
  });
});

it('a person allows a country for a day or a number of days, and a prefix forever', () => {
  const prefix: ScopeRef = { scope: 'prefix', key: '+4915123' };
  const until = (ref: ScopeRef, days?: number) => allowByPerson(undefined, ref, NOW, days).allowedUntil;
  expect([until(COUNTRY), until(COUNTRY, 3), until(COUNTRY, Infinity)]).toEqual([NOW + DAY, NOW + 3 * DAY, NOW + DAY]);
  expect([until(prefix, 3), until(prefix, Infinity)]).toEqual([NOW + 3 * DAY, Infinity]);
  const paused = pauseByRule(undefined, finding(), NOW);
  expect(allowByPerson(paused, COUNTRY, NOW)).toMatchObject({ pausedUntil: NOW, level: 0 });
});

it('an exception ends at its time', () => {
  const state = allowByPerson(undefined, COUNTRY, NOW);
  expect([isAllowed(state, NOW), isAllowed(state, NOW + DAY - 1), isAllowed(state, NOW + DAY)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(isAllowed(undefined, NOW)).toBe(false);
  expect(isAllowed(newState(COUNTRY), NOW)).toBe(false);
});

it('a scope without a decision is neither paused, challenged nor allowed', () => {
  expect(newState(COUNTRY)).toEqual({
    ...COUNTRY,
    level: 0,
    pausedAt: 0,
    pausedUntil: 0,
    isChallenged: false,
    rule: 'person',
    evidence: { from: 0, sent: 0, verified: 0 },
    allowedUntil: 0,
  });
});
