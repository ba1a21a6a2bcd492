/** The bars of the charts on the Usage page: which ones stand out, and the heights of their parts. */
import { outliersOf, partHeights } from '../../backend/src/dashboard/usage/day-chart.js';
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

it.each([
  ['parts to scale', [600, 300], [600, 300]],
  ['small parts at the expense of the largest part', [4, 918, 0, 4], [17, 892, 0, 17]],
  ['a visible bar for one message', [1, 0], [17, 0]],
  ['visible parts of a small bar', [1, 2, 37], [5, 5, 30]],
  ['no bar without messages', [0, 0], [0, 0]],
])('a bar has %s', (_name, values, heights) => expect(partHeights(values, 17)).toEqual(heights));
