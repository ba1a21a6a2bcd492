/** Which bars of the charts on the Usage page stand out. */
import { outliersOf } from '../../backend/src/dashboard/usage/day-chart.js';
import { periodOf } from '../../backend/src/dashboard/usage/period.js';

const always = () => true;

it.each([
  ['a day with more than twice the usual number', [50, 60, 0, 134, 40, 55], [3], [2], 55],
  ['usual days', [50, 60, 20, 100, 40, 55], [], [], 55],
  ['a day with a third of the usual number', [50, 60, 18, 55, 40, 55], [], [2], 55],
  ['days before the first message', [0, 0, 50, 60, 40, 55, 55], [], [], 55],
  ['too few days', [10, 10, 90], [], [], 0],
  ['no messages', [0, 0, 0, 0, 0], [], [], 0],
])('%s', (_name, heights, high, low, usual) => expect(outliersOf(heights, always)).toEqual({ high, low, usual }));

it('a bar that covers less time is not low', () => {
  const { bars } = periodOf(90, '2027-01-15', '2027-01-15');
  expect(bars.filter(({ isWhole }) => !isWhole)).toEqual([bars[0], bars.at(-1)]);
  expect(outliersOf([50, 60, 50, 40, 55, 5], (n) => n < 5).low).toEqual([]);
});
