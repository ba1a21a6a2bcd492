/** The order of an automatic route, and the scores that it follows from. */
import { automaticOrder, firstShares } from '../../backend/src/modules/providers/automatic-order.js';
import {
  drawShare,
  hasOutage,
  learn,
  NO_OUTCOMES,
  NO_SCORE,
  rangeOf,
  seededRandom,
  type Outcomes,
  type ProviderScore,
} from '../../backend/src/modules/providers/provider-score.js';
import { DAY } from '../../backend/src/platform/clock.js';
import { random } from '../../backend/src/platform/crypto.js';

const score = (counts: Partial<ProviderScore>): ProviderScore => ({ ...NO_SCORE, ...counts });
const outcomes = (counts: Partial<Outcomes>): Outcomes => ({ ...NO_OUTCOMES, ...counts });
const candidate = (id: string, counts: Partial<ProviderScore> = {}, price?: number) => ({
  id,
  price,
  score: score(counts),
});
const ids = Array.from({ length: 500 }, () => random.hex(16));

it.each([
  ['no outcomes: the order of the route', [{}, {}, {}], [0.9, 0, 0], [1, 0.1, 0.1]],
  [
    'the best by entered codes',
    [
      { entered: 60, notEntered: 40 },
      { entered: 90, notEntered: 10 },
    ],
    [0, 0.98],
    [0.02, 1],
  ],
  [
    'entered codes count, not reports',
    [
      { entered: 5, notEntered: 95, delivered: 100 },
      { entered: 85, notEntered: 15, delivered: 50, undelivered: 50 },
    ],
    [0, 0.98],
    [0.02, 1],
  ],
  [
    'reports, if no codes are entered',
    [
      { delivered: 60, undelivered: 40 },
      { delivered: 95, undelivered: 5 },
    ],
    [0, 0.98],
    [0.02, 1],
  ],
  ['reports cannot be compared if a provider sends none', [{}, { delivered: 95, undelivered: 5 }], [0.9, 0], [1, 0.1]],
  ['an unknown provider gets a few messages', [{ entered: 90, notEntered: 10 }, {}], [0.9, 0.005], [0.995, 0.1]],
  [
    'a provider with an outage gets a few messages',
    [
      { entered: 90, notEntered: 10, delivered: 95, undelivered: 5, recentUndelivered: 10 },
      { entered: 60, notEntered: 40 },
    ],
    [0.02, 0.9],
    [0.1, 0.98],
  ],
] as const)('%s', (_title, scores, least, most) => {
  const shares = firstShares(scores.map((counts, n) => candidate(String(n), counts)));
  shares.forEach((share, n) => {
    expect(share).toBeGreaterThanOrEqual(least[n]!);
    expect(share).toBeLessThanOrEqual(most[n]!);
  });
});

it('the cheaper of two equally good providers gets nearly all messages, but a worse one does not', () => {
  const dear = candidate('dear', { entered: 900, notEntered: 100 }, 5);
  const [, cheapShare] = firstShares([dear, candidate('cheap', { entered: 895, notEntered: 105 }, 3)]);
  const [, worseShare] = firstShares([dear, candidate('worse', { entered: 800, notEntered: 200 }, 1)]);
  const [, unpriced] = firstShares([dear, candidate('unpriced', { entered: 895, notEntered: 105 })]);
  expect(cheapShare).toBeGreaterThan(0.95);
  expect(worseShare).toBeLessThan(0.01);
  expect(unpriced).toBeLessThan(0.6);
});

it('each message has all providers exactly once, in the same order in each attempt', () => {
  for (const id of ids) {
    const draw = seededRandom(id);
    const candidates = ['a', 'b', 'c', 'd'].slice(0, 1 + Math.floor(draw() * 4)).map((name) => {
      const [entered, notEntered, delivered, undelivered, recentUndelivered] = [
        draw(),
        draw(),
        draw(),
        draw(),
        draw(),
      ].map((share) => Math.floor(share * 40)) as [number, number, number, number, number];
      return candidate(
        name,
        { entered, notEntered, delivered, undelivered, recentUndelivered },
        draw() < 0.5 ? 1 : undefined,
      );
    });
    const order = automaticOrder(candidates, id);
    expect([...order].map((found) => found.id).sort()).toEqual(candidates.map((found) => found.id));
    expect(automaticOrder(candidates, id)).toEqual(order);
  }
});

it('a range contains the true share, and becomes smaller with each outcome', () => {
  expect(rangeOf({ good: 0, bad: 0 })).toBeUndefined();
  const few = rangeOf({ good: 8, bad: 2 })!;
  const many = rangeOf({ good: 800, bad: 200 })!;
  // The quantiles of the Beta distributions with the parameters 9 and 3, and 801 and 201.
  expect(few.from).toBeCloseTo(0.53, 1);
  expect(few.to).toBeCloseTo(0.92, 1);
  expect(many.from).toBeCloseTo(0.779, 2);
  expect(many.to).toBeCloseTo(0.82, 2);
});

it('draws have the mean and the variance of the Beta distribution', () => {
  const draw = seededRandom('5eed');
  const draws = Array.from({ length: 20_000 }, () => drawShare({ good: 7, bad: 1 }, draw));
  const mean = draws.reduce((sum, value) => sum + value, 0) / draws.length;
  const variance = draws.reduce((sum, value) => sum + (value - mean) ** 2, 0) / draws.length;
  expect(mean).toBeCloseTo(0.8, 2);
  expect(variance).toBeCloseTo((0.8 * 0.2) / 11, 3);
});

it("older outcomes weigh less, and a provider's score also fades with the others' outcomes", () => {
  const before = new Map([
    ['a', score({ entered: 100 })],
    ['b', score({ entered: 100 })],
  ]);
  const after = learn(before, new Map([['a', outcomes({ entered: 700 })]]), 0);
  expect(after.get('a')!.entered).toBeCloseTo(750);
  expect(after.get('b')!.entered).toBeCloseTo(50);
  const later = learn(after, new Map(), 14 * DAY);
  expect(later.get('a')!.entered).toBeCloseTo(375);
});

it('a report that replaces another one subtracts it', () => {
  const first = learn(new Map(), new Map([['a', outcomes({ undelivered: 1 })]]), 0);
  const second = learn(first, new Map([['a', outcomes({ undelivered: -1, delivered: 1 })]]), 0);
  expect(second.get('a')).toMatchObject({ delivered: 1, undelivered: 0, recentUndelivered: 0 });
});

it('ten undelivered messages in a row are an outage; those of a provider that never delivered many are not', () => {
  const after = (delivered: number, undelivered: number, pattern: readonly boolean[]) =>
    pattern.reduce(
      (scores, isDelivered) =>
        learn(scores, new Map([['a', outcomes(isDelivered ? { delivered: 1 } : { undelivered: 1 })]]), 0),
      new Map([['a', score({ delivered, undelivered, recentDelivered: 13, recentUndelivered: 1 })]]),
    );
  const failures = Array.from({ length: 12 }, () => false);
  expect(hasOutage(after(950, 50, failures).get('a')!)).toBe(true);
  expect(hasOutage(after(950, 50, [true, false, true, true, false, true]).get('a')!)).toBe(false);
  expect(hasOutage(after(950, 50, [...failures, ...failures.map(() => true)]).get('a')!)).toBe(false);
  expect(hasOutage(score({ undelivered: 3, recentUndelivered: 3 }))).toBe(false);
});
