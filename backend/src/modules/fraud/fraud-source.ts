/** Fraud rule R5: limits messages by the end user's IP address. */
import { DAY, MINUTE } from '../../platform/clock.js';
import type { Bucket, Evidence, FraudCounts, FraudSend, Increment, KeyedBucket, Refusal } from './fraud.js';
import { bucketStart, countryOfSourceKey, sourceKeyOf } from './fraud-counters.js';
import { refusalEndsAt, settled, sumOf, suspiciousStretch, unverifiedOf } from './fraud-evidence.js';
import type { FraudSettings } from './fraud-settings.js';

type SourceCounts = Pick<FraudCounts, 'source' | 'sourceMarks'>;

const leavesDay = ({ start }: Bucket): number => start + MINUTE + DAY;

/**
 * Returns R5's refusal, if any. IP addresses are not paused: they are refused until enough of the evidence is a day
 * old. `usual`: the usual conversion of the country.
 */
export function sourceRefusal(
  { source, country }: FraudSend,
  counts: SourceCounts,
  usual: number,
  settings: FraudSettings,
  now: number,
): Refusal | undefined {
  if (source === undefined) return undefined;
  const expected = (usual * settings.sourceTolerance) / 100;
  const recent = tooFewVerified(settled(counts.source, now, 0), expected, settings);
  const isKnown = recent !== undefined || counts.sourceMarks.length > 0;
  const others = (rows: readonly KeyedBucket[]): Evidence | undefined =>
    tooManyCountries(rows, country, settings.sourceCountries) ??
    (isKnown ? tooManyAgain(rows, settings.sourceRepeated) : undefined);
  const evidence = recent ?? others(counts.source);
  if (evidence === undefined) return undefined;
  // When the refusal ends, the recipients of all rows have had enough time to enter their codes, so `settled` is not
  // applied.
  const until = refusalEndsAt(counts.source, leavesDay, (rows) =>
    Boolean(tooFewVerified(rows, expected, settings) ?? others(rows)),
  );
  return { rule: 'R5', scope: 'source', key: source, until, evidence };
}

/**
 * Returns a daily mark, which is stored for two weeks, for a source whose recipients did not enter their codes;
 * undefined if the source already has a mark for today.
 */
export function markOf({ key, evidence }: Refusal, { sourceMarks }: SourceCounts, now: number): Increment | undefined {
  const start = bucketStart('day', now);
  if (evidence.expected === undefined || sourceMarks.at(-1)?.start === start) return undefined;
  const row = { key: sourceKeyOf(key, ''), start, sent: 1, verified: 0, spend: 0 };
  return { dimension: 'source', size: 'day', ...row };
}

function tooFewVerified(rows: readonly Bucket[], expected: number, settings: FraudSettings): Evidence | undefined {
  const { sourceUnverified: unverified, sourceCoincidence: coincidence } = settings;
  return unverified === 0 ? undefined : suspiciousStretch(rows, { unverified, coincidence, expected });
}

/** Limits a source that was refused on an earlier day. */
function tooManyAgain(rows: readonly KeyedBucket[], recipients: number): Evidence | undefined {
  const sums = sumOf(rows);
  const limit = recipients + sums.verified;
  if (recipients === 0 || unverifiedOf(sums) < limit) return undefined;
  return { from: rows[0]!.start, ...sums, limit, unit: 'recipients' };
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
