/** The excess of a scope: a leaky bucket of recipients who did not enter their code. */
import type { Excess } from '../../backend/src/modules/fraud/fraud.js';
import { changeExcess, excessAt, noExcess, ONE_RECIPIENT } from '../../backend/src/modules/fraud/gauges.js';
import { HOUR } from '../../backend/src/platform/clock.js';

const NOW = Date.UTC(2026, 0, 20, 12);
const excess = (changes: Partial<Excess> = {}): Excess => ({
  excess: 5,
  sent: 8,
  verified: 2,
  since: NOW - 3 * HOUR,
  at: NOW - 2 * HOUR,
  ...changes,
});

it('nothing counted is no excess', () => {
  expect(excessAt(undefined, 1, NOW)).toEqual({ excess: 0, sent: 0, verified: 0, since: NOW, at: NOW });
});

it('an hour takes the hourly number away', () => {
  expect(excessAt(excess(), 1, NOW)).toEqual(excess({ excess: 3, at: NOW }));
  expect(excessAt(excess(), 0.5, NOW)).toEqual(excess({ excess: 4, at: NOW }));
  expect(excessAt(excess({ at: NOW - HOUR / 2 }), 1, NOW).excess).toBe(4.5);
});

it('an excess that time has taken away starts again with its counts', () => {
  expect(excessAt(excess({ excess: 2.1 }), 1, NOW).excess).toBeCloseTo(0.1);
  expect(excessAt(excess({ excess: 2 }), 1, NOW)).toEqual(noExcess(NOW));
});

it('an excess that is not to drop before the end of a pause stays until then', () => {
  const paused = excess({ at: NOW + HOUR });
  expect(excessAt(paused, 1, NOW)).toEqual(paused);
  expect(excessAt(paused, 1, NOW + 2 * HOUR).excess).toBe(4);
});

it('a recipient adds one', () => {
  expect(changeExcess(undefined, ONE_RECIPIENT, 1, NOW)).toEqual({
    excess: 1,
    sent: 1,
    verified: 0,
    since: NOW,
    at: NOW,
  });
  expect(changeExcess(excess(), ONE_RECIPIENT, 1, NOW)).toEqual(excess({ excess: 4, sent: 9, at: NOW }));
});

it('an entered code takes excess away, but not below 0', () => {
  const entered = { excess: -1.5, sent: 0, verified: 1 };
  expect(changeExcess(excess(), entered, 1, NOW)).toEqual(excess({ excess: 1.5, verified: 3, at: NOW }));
  expect(changeExcess(excess({ excess: 3 }), entered, 1, NOW).excess).toBe(0);
});
