/** Rate-limit rules: the time from which the next event is allowed. */
import { allowedAt, requiredHistory, sendWindows, type Rule } from '../../backend/src/platform/rate-limit/rule.js';

const NOW = 1_800_000_000_000;
const rule = (windows: [limit: number, seconds: number][], spacingSeconds?: number[]): Rule => ({
  key: 'k',
  code: 'COOLDOWN',
  windows: windows.map(([limit, seconds]) => ({ limit, seconds })),
  ...(spacingSeconds ? { spacingSeconds } : {}),
});
/** Returns the seconds until the next event is allowed. `secondsAgo` contains the ages of the earlier events. */
const wait = (subject: Rule, ...secondsAgo: number[]): number => {
  const times = secondsAgo.map((seconds) => NOW - seconds * 1000).sort((a, b) => a - b);
  return Math.max(0, allowedAt(subject, times, NOW) - NOW) / 1000;
};

describe('a window', () => {
  it.each([
    ['no events', [], 0],
    ['one event less than the limit', [1, 2], 0],
    ['as many events as the limit, just now', [0, 0, 0], 60],
    ['as many events as the limit, the oldest 59 s ago', [59, 30, 1], 1],
    ['as many events as the limit, the oldest 59.999 s ago', [59.999, 30, 1], 0.001],
    ['as many events as the limit, the oldest exactly 60 s ago', [60, 30, 1], 0],
    ['more events than the limit', [50, 40, 30, 20], 20],
  ])('of three events a minute causes the right wait after %s', (_what, ago, seconds) =>
    expect(wait(rule([[3, 60]]), ...ago)).toBeCloseTo(seconds, 5),
  );

  it('is disabled by a limit of 0', () => expect(wait(rule([[0, 60]]), 0, 0, 0, 0)).toBe(0));
  it('determines the wait if it has the longest wait of all windows', () => {
    const both = rule([
      [2, 10],
      [3, 100],
    ]);
    expect(wait(both, 1, 2)).toBe(8);
    expect(wait(both, 1, 2, 50)).toBe(50);
    expect(wait(both, 11, 12, 20)).toBe(80);
  });
});

describe('spacing', () => {
  const spaced = rule([], [30, 60, 120]);
  it.each([
    ['no events', [], 0],
    ['the first event', [0], 30],
    ['the first event 29 s ago', [29], 1],
    ['the first event 30 s ago', [30], 0],
    ['the second event', [0, 40], 60],
    ['the third event', [0, 100, 200], 120],
    ['the fourth event', [0, 100, 200, 300], 120],
    ['one event within ten minutes and two older events', [10, 601, 700], 20],
    ['an event exactly ten minutes ago', [600], 0],
  ])('causes the right wait after %s', (_what, ago, seconds) => expect(wait(spaced, ...ago)).toBe(seconds));

  it('is disabled by an empty list', () => expect(wait(rule([[0, 60]], []), 0)).toBe(0));
  it('applies in addition to windows, so the longer wait counts', () => {
    const both = rule([[5, 600]], [30, 60, 120]);
    expect(wait(both, 0, 125, 250, 375, 500)).toBe(120);
    expect(wait(both, 100, 160, 220, 280, 340)).toBe(260);
  });
});

describe('the required history', () => {
  it.each([
    [
      'is the largest of the windows',
      rule([
        [5, 600],
        [10, 86_400],
      ]),
      { count: 10, ms: 86_400_000 },
    ],
    [
      'ignores disabled windows',
      rule([
        [5, 600],
        [0, 86_400],
      ]),
      { count: 5, ms: 600_000 },
    ],
    ['covers the spacing', rule([[0, 60]], [30, 60, 120]), { count: 3, ms: 600_000 }],
    ['covers a spacing that is longer than the window', rule([[5, 60]], [30, 60]), { count: 5, ms: 600_000 }],
    ['ignores a spacing of zeros', rule([[2, 60]], [0, 0]), { count: 2, ms: 60_000 }],
    ['is empty when all windows are disabled', rule([[0, 60]]), { count: 0, ms: 0 }],
  ])('%s', (_what, subject, expected) => expect(requiredHistory(subject)).toEqual(expected));

  it('is sufficient, because older events do not change the result', () => {
    const subject = rule(
      [
        [5, 600],
        [10, 86_400],
      ],
      [30, 60, 120],
    );
    const { count } = requiredHistory(subject);
    let state = 7;
    const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const times: number[] = [];
    for (let i = 0, now = NOW; i < 500; i++, now += Math.floor(next() * 400_000)) {
      expect(allowedAt(subject, times.slice(-count), now)).toBe(allowedAt(subject, times, now));
      times.push(now);
    }
  });
});

it('sends are limited in windows of ten minutes and one day', () => {
  expect(sendWindows(5, 10)).toEqual([
    { limit: 5, seconds: 600 },
    { limit: 10, seconds: 86_400 },
  ]);
});

it('spacing applies only to events of the last ten minutes', () => {
  const spaced = rule([], [700]);
  expect(wait(spaced, 600)).toBe(0);
  expect(wait(spaced, 599.999)).toBeCloseTo(100.001, 5);
  expect(wait(rule([[2, 60]]), 30)).toBe(0);
});
