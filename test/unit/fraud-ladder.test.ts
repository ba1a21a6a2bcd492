/**
 * The ladder of pauses: repeated pauses get longer, get shorter again after quiet periods, and can be lifted manually.
 */
import fc from 'fast-check';
import { DAY, HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import type { ScopeRef, ScopeState, Trip } from '../../backend/src/modules/fraud/fraud.js';
import {
  allowByPerson,
  isAllowed,
  isPaused,
  evidenceSince,
  levelOf,
  pause,
  pauseByPerson,
  resumeByPerson,
} from '../../backend/src/modules/fraud/fraud-ladder.js';
import { decide } from '../../backend/src/modules/fraud/fraud-rules.js';
import { fraudSettingsOf } from '../../backend/src/modules/fraud/fraud-settings.js';
import { bucket, counts, guarded, inCountry, NOON, send } from '../support/fraud.js';

const evidence = { from: NOON, sent: 40, verified: 0, expected: 0.5 };
const PREFIX: Trip = { rule: 'R3', scope: 'prefix', key: '+4915112', evidence, established: false };
const HOME: Trip = { rule: 'R4', scope: 'country', key: 'DE', evidence, established: true };

/**
 * Returns the lengths of successive pauses in hours; undefined for pauses without an end. `hoursBetween` contains the
 * gap before each pause.
 */
function pauseHours(trip: Trip, hoursBetween: readonly number[]): (number | undefined)[] {
  let now = NOON;
  let state: ScopeState | undefined;
  return hoursBetween.map((hours) => {
    now += hours * HOUR;
    state = pause(state, trip, now);
    const length = state.pausedUntil === undefined ? undefined : (state.pausedUntil - now) / HOUR;
    now = state.pausedUntil ?? now;
    return length;
  });
}

it.each([
  ['a prefix whose attack continues', PREFIX, [0, 1, 1, 1, 1], [1, 4, 24, undefined, undefined]],
  ['a prefix that is attacked again after a week each time', PREFIX, [0, 168, 168, 168], [1, 1, 1, 1]],
  ['a prefix that is attacked again after six days each time', PREFIX, [0, 144, 144, 144], [1, 4, 24, undefined]],
  ['a prefix that is attacked again three weeks after the third pause', PREFIX, [0, 1, 1, 504], [1, 4, 24, 1]],
  ['an established country whose attack continues', HOME, [0, 1, 1, 1, 1], [1, 4, 24, 24, 24]],
  ['an established country that is attacked again after 12 hours each time', HOME, [0, 12, 12, 12], [1, 1, 1, 1]],
])('pauses %s', (_case, trip, hoursBetween, expected) => {
  expect(pauseHours(trip, hoursBetween)).toEqual(expected);
});

it('does not extend a pause, so simultaneous trips in two processes count once', () => {
  const first = pause(undefined, PREFIX, NOON);
  expect(pause(first, PREFIX, NOON + 5 * MINUTE)).toBe(first);
});

it('requires new evidence after each pause', () => {
  const state = pause(undefined, PREFIX, NOON);
  expect(evidenceSince({ scopes: [state] }, PREFIX, NOON + 2 * HOUR)).toBe(NOON + HOUR);
  const allowed = allowByPerson(state, PREFIX, NOON + HOUR);
  expect(evidenceSince({ scopes: [allowed] }, PREFIX, NOON + 2 * DAY)).toBe(NOON + HOUR + DAY);
});

it('resets the ladder when a person ends a pause', () => {
  const fourth = [0, 1, 2, 3].reduce<ScopeState | undefined>(
    (state, day) => pause(state, PREFIX, NOON + day * 2 * DAY),
    undefined,
  )!;
  expect(fourth.pausedUntil).toBeUndefined();
  expect(isPaused(fourth, NOON + 900 * DAY)).toBe(true);
  const resumed = resumeByPerson(fourth, NOON + 8 * DAY);
  expect([isPaused(resumed, NOON + 8 * DAY), levelOf(resumed, NOON + 8 * DAY)]).toEqual([false, 0]);
});

it('allows a prefix permanently, but a country only for 24 hours', () => {
  const paused = pauseByPerson(undefined, HOME, NOON);
  const day = allowByPerson(paused, HOME, NOON, Infinity);
  expect([isPaused(day, NOON), isAllowed(day, NOON + DAY - 1), isAllowed(day, NOON + DAY)]).toEqual([
    false,
    true,
    false,
  ]);
  expect(isAllowed(allowByPerson(undefined, PREFIX, NOON, Infinity), NOON + 9000 * DAY)).toBe(true);
});

it('limits levels and pauses to their bounds, for any sequence of trips and actions', () => {
  const step = fc.record({
    minutes: fc.integer({ min: 0, max: 30_000 }),
    act: fc.constantFrom('trip', 'trip', 'trip', 'resume', 'allow', 'pause'),
    established: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let now = NOON;
      let state: ScopeState | undefined;
      for (const { minutes, act, established } of steps) {
        now += minutes * MINUTE;
        const before = levelOf(state, now);
        if (act === 'trip') state = pause(state, { ...PREFIX, established }, now);
        else if (act === 'pause') state = pauseByPerson(state, PREFIX, now);
        else if (act === 'allow') state = allowByPerson(state, PREFIX, now);
        else if (state) state = resumeByPerson(state, now);
        if (!state) continue;
        expect(state.level).toBeLessThanOrEqual(4);
        expect(state.level).toBeLessThanOrEqual(before + 1);
        if (act === 'allow' || act === 'resume') expect(isPaused(state, now)).toBe(false);
        if (act === 'trip' || act === 'pause') expect(isPaused(state, now)).toBe(true);
        if (established && state.pausedAt === now && state.rule === 'R3' && act === 'trip')
          expect(state.pausedUntil! - now).toBeLessThanOrEqual(DAY);
        expect(JSON.parse(JSON.stringify(state))).toMatchObject({ scope: 'prefix', level: state.level });
      }
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['in its country', inCountry([bucket(10 * MINUTE, 40, 0)])],
  ['in its prefixes', { prefixes: [[bucket(10 * MINUTE, 30, 0)], [bucket(10 * MINUTE, 30, 0)]] }],
])('an exception for the application hides the unverified recipients %s until its end', (_case, rows) => {
  const isAllowedIfEnded = (ago: number) => {
    const scopes = [allowByPerson(undefined, { scope: 'application', key: '' }, NOON - DAY - ago)];
    return decide(send(), counts(rows), guarded({ scopes }), fraudSettingsOf(), NOON).allowed;
  };
  expect([isAllowedIfEnded(5 * MINUTE), isAllowedIfEnded(HOUR)]).toEqual([true, false]);
});

it('only the cost counts in an allowed prefix, and an allowed country does not count as new', () => {
  const decisionIf = (...allowed: ScopeRef[]) => {
    const scopes = allowed.map((ref) => allowByPerson(undefined, ref, NOON));
    const to = send({ number: '+33612345678', country: 'FR' });
    return decide(to, counts(inCountry([], [])), guarded({ scopes }), fraudSettingsOf(), NOON);
  };
  expect(decisionIf()).toMatchObject({ exempt: false, newCountry: true });
  expect(decisionIf({ scope: 'prefix', key: '+33612' })).toMatchObject({ exempt: true });
  expect(decisionIf({ scope: 'country', key: 'FR' })).toMatchObject({ exempt: false, newCountry: false });
});
