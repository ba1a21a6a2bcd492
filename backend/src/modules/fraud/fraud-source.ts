/** R5: limits messages by the end user's IP address. */
import { DAY, MINUTE } from '../../platform/clock.js';
import type { Bucket, Evidence, FraudCounts, FraudSend, KeyedBucket, Refusal } from './fraud.js';
import { countryOfSourceKey } from './fraud-counters.js';
import { countryBaseline, refusalEndsAt, settled, sumOf, suspiciousStretch } from './fraud-evidence.js';
import type { FraudSettings } from './fraud-settings.js';

/**
 * Returns R5's refusal, if any. IP addresses are not paused: they are refused until enough of the evidence is a day
 * old.
 */
export function sourceRefusal(
  { source, country }: FraudSend,
  counts: FraudCounts,
  settings: FraudSettings,
  now: number,
): Refusal | undefined {
  if (source === undefined) return undefined;
  const expected = (countryBaseline(counts, now) * settings.sourceTolerance) / 100;
  const evidenceIn = (rows: readonly KeyedBucket[], settledRows: readonly Bucket[]): Evidence | undefined =>
    tooFewVerified(settledRows, expected, settings) ?? tooManyCountries(rows, country, settings.sourceCountries);
  const evidence = evidenceIn(counts.source, settled(counts.source, now, 0));
  if (evidence === undefined) return undefined;
  const leavesDay = ({ start }: Bucket) => start + MINUTE + DAY;
  // The refusal ends much later than all rows settle, so `evidenceIn` receives the same rows twice.
  const until = refusalEndsAt(counts.source, leavesDay, (rows) => evidenceIn(rows, rows) !== undefined);
  return { rule: 'R5', scope: 'source', key: source, until, evidence };
}

function tooFewVerified(rows: readonly Bucket[], expected: number, settings: FraudSettings): Evidence | undefined {
  const { sourceUnverified: unverified, sourceCoincidence: coincidence } = settings;
  return unverified === 0 ? undefined : suspiciousStretch(rows, { unverified, coincidence, expected });
}

function tooManyCountries(rows: readonly KeyedBucket[], country: string, countries: number): Evidence | undefined {
  const sums = sumOf(rows);
  const limit = countries + sums.verified;
  if (countries === 0 || unverifiedCountries(rows, country) < limit) return undefined;
  return { from: rows[0]!.start, ...sums, limit, unit: 'countries' };
}

/** Counts the countries other than this one in which the source has recipients, but no verified recipient. */
function unverifiedCountries(rows: readonly KeyedBucket[], country: string): number {
  const verified = new Set(rows.filter((row) => row.verified > 0).map(({ key }) => key));
  const unverified = rows.filter(({ key }) => !verified.has(key)).map(({ key }) => countryOfSourceKey(key));
  return new Set(unverified.filter((other) => other !== country)).size;
}
