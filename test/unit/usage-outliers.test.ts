/** Which bars of the charts on the Usage page stand out. */
import { outliersOf } from '../../backend/src/dashboard/usage/day-chart.js';

it.each([
  ['a day with more than twice the usual number', [50, 60, 0, 134, 40, 55], [3], 55],
  ['usual days', [50, 60, 0, 100, 40, 55], [], 55],
  ['too few days', [10, 10, 90], [], 10],
  ['no messages', [0, 0, 0, 0, 0], [], 0],
])('%s', (_name, heights, high, usual) => expect(outliersOf(heights)).toEqual({ high, usual }));
