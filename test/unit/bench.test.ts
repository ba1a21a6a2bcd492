/** How the benchmark combines its rounds. */
import { medianInterval } from '../bench/statistics.mjs';
import { cpuRatio } from '../bench/summary.mjs';

const numbersTo = (count: number) => Array.from({ length: count }, (_, n) => count - n);

// The ranks are in the usual tables for the confidence interval of a median.
it.each([
  [6, { median: 3.5, low: 1, high: 6 }],
  [12, { median: 6.5, low: 3, high: 10 }],
  [20, { median: 10.5, low: 6, high: 15 }],
])('the interval of the median of %s values leaves out the extremes', (count, interval) => {
  expect(medianInterval(numbersTo(count))).toEqual(interval);
});

it('the interval of a few values contains all of them', () => {
  expect(medianInterval([3, 1, 2])).toEqual({ median: 2, low: 1, high: 3 });
});

/** Runs of two servers, whose CPU times have these ratios in each round. */
const runsOf = (ratios: readonly number[], isQuiet: (round: number) => boolean) =>
  ratios.flatMap((ratio, round) =>
    ['passbell', 'express'].map((server) => ({
      server,
      phase: 'cycle',
      inFlight: 64,
      quiet: isQuiet(round),
      // Each round is twice as slow as the one before.
      cpuMs: { server: (server === 'passbell' ? ratio : 1) * 2 ** round, load: 5 },
    })),
  );

it('CPU times are compared within each round, and disturbed rounds are left out', () => {
  const runs = runsOf([4, 9, 5, 9, 6], (round) => round % 2 === 0);
  expect(cpuRatio({ runs, options: { runs: 5 } }, 'passbell', 'express', 'cycle', 64)).toEqual({
    median: 5,
    low: 4,
    high: 6,
  });
});

it('all rounds count if more than half of them were disturbed', () => {
  const runs = runsOf([4, 9, 5, 9, 6], (round) => round === 0);
  expect(cpuRatio({ runs, options: { runs: 5 } }, 'passbell', 'express', 'cycle', 64).median).toBe(6);
});
