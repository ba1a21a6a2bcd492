/** The usual conversion of a country. */
import { conversionOf, normalConversion } from '../../backend/src/modules/fraud/gauges.js';
import type { DayCount } from '../../backend/src/modules/fraud/fraud.js';
import { DAY, HOUR, startOfDay } from '../../backend/src/platform/clock.js';

const TODAY = Date.UTC(2026, 0, 20);
const NOON = TODAY + 12 * HOUR;

const on = (daysAgo: number, country: string, sent: number, verified: number): DayCount => ({
  country,
  day: TODAY - daysAgo * DAY,
  sent,
  verified,
});
const usual = (days: readonly DayCount[], country = 'DE', isHome = country === 'DE'): number =>
  conversionOf(days, country, isHome, NOON).usual;

it('a day starts at midnight UTC', () => {
  expect(startOfDay(TODAY)).toBe(TODAY);
  expect(startOfDay(TODAY + DAY - 1)).toBe(TODAY);
});

it('60% is expected before there is any evidence', () => {
  expect(usual([])).toBeCloseTo(0.6);
});

it('evidence outweighs the expectation of 50 recipients', () => {
  // The application: (50 × 0.6 + 120) ÷ (50 + 150) = 0.75. The country: (50 × 0.75 + 120) ÷ (50 + 150) = 0.7875.
  expect(usual([on(1, 'DE', 150, 120)])).toBeCloseTo(0.7875);
});

it('a country without evidence is expected to convert like the application', () => {
  expect(usual([on(1, 'DE', 150, 120)], 'FR')).toBeCloseTo(0.75);
});

it('the conversion of today counts only until there are 100 recipients on earlier days', () => {
  const today = on(0, 'DE', 1000, 0);
  expect(usual([on(1, 'DE', 99, 99), today])).toBeLessThan(0.2);
  expect(usual([on(1, 'DE', 60, 60), on(2, 'DE', 40, 40), today])).toBeGreaterThan(0.8);
});

it("the conversion of another country is at least 70% of the application's, so that an attack does not become usual", () => {
  const days = [on(1, 'DE', 10_000, 8000), on(1, 'UZ', 1000, 0)];
  const application = (50 * 0.6 + 8000) / (50 + 11_000);
  expect(usual(days, 'UZ')).toBeCloseTo(0.7 * application);
  expect(usual(days, 'UZ', true)).toBeLessThan(0.05);
});

it('knows how many people were verified, and when', () => {
  const days = [on(0, 'DE', 10, 9), on(1, 'DE', 20, 8), on(2, 'DE', 20, 7), on(2, 'FR', 50, 30), on(1, 'FR', 5, 2)];
  expect(conversionOf(days, 'DE', true, NOON)).toMatchObject({
    verifiedBefore: 15,
    verifiedYesterday: 8,
    verifiedPerDay: (8 + 7 + 30 + 2) / 2,
    share: 56 / 105,
  });
});

it('nobody has entered a code in a new application', () => {
  expect(conversionOf([], 'DE', true, NOON)).toMatchObject({
    verifiedBefore: 0,
    verifiedYesterday: 0,
    verifiedPerDay: 0,
    share: 0,
    isMature: false,
  });
});

it('an application is mature a week after the first entered code', () => {
  const isMature = (...days: DayCount[]) => conversionOf(days, 'DE', true, NOON).isMature;
  expect(isMature(on(7, 'DE', 10, 1))).toBe(true);
  expect(isMature(on(7, 'DE', 10, 0), on(6, 'DE', 10, 9))).toBe(false);
});

it('a conversion is normal down to 75% of the usual one, and always 15 points below it', () => {
  expect(normalConversion(0.8, 75)).toBeCloseTo(0.6);
  expect(normalConversion(0.8, 90)).toBeCloseTo(0.65);
  expect(normalConversion(0.4, 75)).toBeCloseTo(0.25);
});

it('a conversion of 5% is always normal', () => {
  expect(normalConversion(0.15, 75)).toBe(0.05);
});
