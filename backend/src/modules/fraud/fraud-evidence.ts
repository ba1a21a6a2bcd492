/** Compares the conversion of recent traffic with the usual conversion. */
import { DAY, HOUR, MINUTE } from '../../platform/clock.js';
import type { Bucket, CountryCounts, Evidence, FraudCounts, GuardedApplication } from './fraud.js';
import { bucketStart, indexFrom, minutesFrom } from './fraud-counters.js';

/** Nearly everyone who enters a code does so within this time. */
const SETTLE_MS = 2 * MINUTE;

/** Bounds of the usual conversion. A conversion below the lower bound cannot be distinguished from fraud. */
const LOWEST_BASELINE = 0.3;
const HIGHEST_BASELINE = 0.9;
const UNKNOWN_BASELINE = 0.5;
const MIN_HISTORY = 50;

export interface Sums {
  readonly sent: number;
  readonly verified: number;
}

export function sumOf(rows: readonly Bucket[], from = 0, before = Infinity): Sums {
  let sent = 0;
  let verified = 0;
  for (const row of rows)
    if (row.start >= from && row.start < before) {
      sent += row.sent;
      verified += row.verified;
    }
  return { sent, verified };
}

export const unverifiedOf = ({ sent, verified }: Sums): number => Math.max(0, sent - verified);

/**
 * Returns the usual conversion: the conversion of the 14 days before today, or `unknown` if there were too few
 * recipients.
 */
export function baselineOf(days: readonly Bucket[], now: number, unknown = UNKNOWN_BASELINE): number {
  const { sent, verified } = sumOf(days, 0, bucketStart('day', now));
  if (sent < MIN_HISTORY) return unknown;
  return Math.min(HIGHEST_BASELINE, Math.max(LOWEST_BASELINE, verified / sent));
}

/**
 * Returns whether the conversion is unknown because the site checks codes itself and does not report enough of them. If
 * the site reports codes, the conversion is known after some days, and becomes unknown again when no report has arrived
 * since the start of yesterday.
 */
export function isConversionUnknown(
  { verifiedElsewhere }: Pick<GuardedApplication, 'verifiedElsewhere'>,
  applicationDays: readonly Bucket[],
  now: number,
): boolean {
  if (!verifiedElsewhere) return false;
  const { sent, verified } = sumOf(applicationDays, 0, bucketStart('day', now));
  const lately = sumOf(applicationDays, bucketStart('day', now - DAY));
  return sent < MIN_HISTORY || verified < LOWEST_BASELINE * sent || lately.verified === 0;
}

/**
 * Returns the usual conversion of a country. For a country that is not established, this is the conversion of the whole
 * application, because an attacker may have caused the country's own conversion.
 */
export function countryBaseline(
  { country, applicationDays }: Pick<FraudCounts, 'country' | 'applicationDays'>,
  established: boolean,
  now: number,
): number {
  const usual = baselineOf(applicationDays, now);
  return established ? baselineOf(country.days, now, usual) : usual;
}

/**
 * Returns the rows since `since`, but at most of the last day, in which all recipients have had at least `settleMs` to
 * enter their codes.
 */
export function settled(minutes: readonly Bucket[], now: number, since: number, settleMs = SETTLE_MS): Bucket[] {
  const from = Math.max(bucketStart('minute', since), bucketStart('minute', now - DAY));
  return minutes.slice(indexFrom(minutes, from), indexFrom(minutes, now - MINUTE - settleMs + 1));
}

/** `settleMs` for caps, which count recipients as soon as a message is sent. */
const NO_SETTLING_MS = -MINUTE;

export const lastHour = (minutes: readonly Bucket[], now: number, since = 0): Bucket[] =>
  settled(minutes, now, Math.max(since, now - HOUR), NO_SETTLING_MS);

/**
 * Returns rows that cover the last 24 hours without gaps or overlaps: hours, followed by the minutes of the last one to
 * two hours.
 */
export function lastDay(
  { minutes, hours }: Omit<CountryCounts, 'days'>,
  now: number,
  since = 0,
  settleMs = SETTLE_MS,
): Bucket[] {
  const from = Math.max(bucketStart('hour', since), bucketStart('hour', now - DAY));
  const full = hours.slice(indexFrom(hours, from), indexFrom(hours, minutesFrom(now)));
  return [...full, ...settled(minutes, now, Math.max(since, minutesFrom(now)), settleMs)];
}

export const lastDayUnsettled = (counts: Omit<CountryCounts, 'days'>, now: number): Bucket[] =>
  lastDay(counts, now, 0, NO_SETTLING_MS);

/**
 * Returns how surprising it is that only `verified` of `sent` recipients were verified, if each is verified with the
 * probability `expected`. The result is the natural logarithm of a lower bound for N in "1 in N cases" (Chernoff
 * bound). It is 0 if the conversion is as high as expected or higher.
 */
export function surpriseOf({ sent, verified }: Sums, expected: number): number {
  const conversion = Math.min(1, verified / sent);
  if (sent === 0 || conversion >= expected) return 0;
  const ofVerified = conversion === 0 ? 0 : conversion * Math.log(conversion / expected);
  return sent * (ofVerified + (1 - conversion) * Math.log((1 - conversion) / (1 - expected)));
}

export interface Suspicion {
  /** The minimum number of unverified recipients in a stretch of time. */
  readonly unverified: number;
  /** The lowest normal conversion, from 0 to 1. */
  readonly expected: number;
  /** The minimum N in "1 in N cases" for a stretch to be suspicious. See {@link surpriseOf}. */
  readonly coincidence: number;
}

/**
 * Examines every stretch of time that ends with the last row, and returns the most surprising stretch if it is
 * surprising enough. This finds short bursts in a busy hour as well as slow drips on a quiet day. Ignores stretches
 * whose evidence `counts` rejects.
 */
export function suspiciousStretch(
  rows: readonly Bucket[],
  { unverified, expected, coincidence }: Suspicion,
  counts: (evidence: Evidence) => boolean = () => true,
): Evidence | undefined {
  let sent = 0;
  let verified = 0;
  let highest = Math.log(coincidence);
  let found: Evidence | undefined;
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = rows[i]!;
    sent += row.sent;
    verified += row.verified;
    if (sent - verified < unverified || verified >= expected * sent) continue;
    const surprise = surpriseOf({ sent, verified }, expected);
    const evidence = { from: row.start, sent, verified, expected };
    if (surprise < highest || !counts(evidence)) continue;
    highest = surprise;
    found = evidence;
  }
  return found;
}

/**
 * Returns the time at which enough of the oldest rows have left the window for `refuses` to return false. `endOf`
 * returns the time at which a row leaves the window. `refuses` must be true for all rows, and false for none.
 */
export function refusalEndsAt<Row extends Bucket>(
  rows: readonly Row[],
  endOf: (row: Row) => number,
  refuses: (rest: readonly Row[]) => boolean,
): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (refuses(rows.slice(middle + 1))) low = middle + 1;
    else high = middle;
  }
  return endOf(rows[low]!);
}
