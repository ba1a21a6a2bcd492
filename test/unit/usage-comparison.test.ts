/** Comparisons of the figures on Usage with those of the previous days. */
import { compareRates } from '../../backend/src/dashboard/usage/figures.js';

it.each([
  [0.97, 0.97, { text: 'Same as Jan 3' }],
  // A change by one point can be chance, so it is neither good nor bad.
  [0.97, 0.98, { change: '−1 point', text: 'vs Jan 3' }],
  [0.96, 0.98, { change: '−2 points', text: 'vs Jan 3', isIncrease: false }],
  [0.98, 0.8, { change: '+18 points', text: 'vs Jan 3', isIncrease: true }],
  [0.98, undefined, { text: 'No earlier data' }],
  [undefined, 0.98, { text: '98% on Jan 3' }],
  [undefined, undefined, { text: 'No codes' }],
])('a rate of %s after %s', (now, before, expected) =>
  expect(compareRates(now, before, 'Jan 3', 'No codes')).toEqual(expected),
);
