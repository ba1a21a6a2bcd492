/**
 * Counters in time buckets: selects the rows to which sends and verifications are added, and the rows that decisions
 * read.
 */
import { DAY, HOUR, MINUTE } from '../../platform/clock.js';
import {
  NEW_COUNTRIES,
  type Bucket,
  type BucketSize,
  type Dimension,
  type FraudCounts,
  type FraudSend,
  type Increment,
  type KeyedBucket,
  type RecipientRecord,
  type Trip,
} from './fraud.js';

const BUCKET_MS: Readonly<Record<BucketSize, number>> = { minute: MINUTE, hour: HOUR, day: DAY };

export const BASELINE_DAYS = 14;

/** This many messages to a recipient within an hour count once, because impatient people request a code again. */
const MESSAGES_PER_COUNT = 3;

export const bucketStart = (size: BucketSize, ms: number): number => Math.floor(ms / BUCKET_MS[size]) * BUCKET_MS[size];

/** A shorter prefix would cover a large part of a country. */
const SHORTEST_RANGE = '+12345'.length;

/**
 * Returns the number without its last four digits (a prefix of 10,000 numbers) and without its last six digits
 * (1,000,000 numbers): `+4915123456789` → `+491512345`, `+4915123`. Leaves out the second prefix if the number is too
 * short for it, as in some small countries.
 */
export function prefixesOf(number: string): string[] {
  const prefix = number.slice(0, -4);
  const range = number.slice(0, -6);
  return range.length >= SHORTEST_RANGE ? [prefix, range] : [prefix];
}

/** The source comes first, so that one range of keys contains the rows of a source in all countries. */
export const sourceKeyOf = (source: string, country: string): string => `${source} ${country}`;

export const countryOfSourceKey = (key: string): string => key.slice(key.lastIndexOf(' ') + 1);

/** The bucket sizes that each dimension uses. */
const SIZES: Readonly<Record<Dimension, readonly BucketSize[]>> = {
  prefix: ['minute'],
  // A daily row of a source marks a refusal; see `markOf` in fraud-source.ts.
  source: ['minute'],
  country: ['minute', 'hour', 'day'],
  application: ['day'],
};

type Counted = Pick<Bucket, 'sent' | 'verified' | 'spend'>;

/** Only the daily buckets contain the spend, because no rule needs it for shorter periods. */
function addTo(increments: Increment[], dimension: Dimension, key: string, at: number, counted: Counted): void {
  const { sent, verified, spend } = counted;
  for (const size of SIZES[dimension]) {
    const isDay = size === 'day';
    if (isDay ? key === NEW_COUNTRIES : sent === 0 && verified <= 0) continue;
    increments.push({ dimension, key, size, start: bucketStart(size, at), sent, verified, spend: isDay ? spend : 0 });
  }
}

type Destination = Pick<FraudSend, 'number' | 'country'>;
type Origin = Pick<RecipientRecord, 'source' | 'newCountry'>;

function additionsOf(
  { number, country }: Destination,
  { source, newCountry }: Origin,
  at: number,
  counted: Counted,
): Increment[] {
  const increments: Increment[] = [];
  if (counted.sent + counted.verified !== 0) {
    for (const prefix of prefixesOf(number)) addTo(increments, 'prefix', prefix, at, counted);
    if (newCountry) addTo(increments, 'country', NEW_COUNTRIES, at, counted);
    if (source !== undefined) addTo(increments, 'source', sourceKeyOf(source, country), at, counted);
  }
  addTo(increments, 'country', country, at, counted);
  addTo(increments, 'application', '', at, counted);
  return increments;
}

/** Record for a recipient without counted messages. */
export const NO_RECORD: RecipientRecord = {
  countedAt: 0,
  messages: 0,
  unverified: 0,
  source: undefined,
  newCountry: false,
  verifiedAt: undefined,
};

export interface CountedSend {
  /** The recipient's new record; undefined for exempt recipients, whose record does not change. */
  readonly record: RecipientRecord | undefined;
  readonly increments: readonly Increment[];
}

/**
 * Returns the changes that an allowed send stores. A recipient counts once an hour, and again for each message after
 * the third: people sometimes request a code again, but an attacker earns money with every message. Only the cost is
 * counted for exempt recipients.
 */
export function countSend(
  send: FraudSend,
  { exempt, newCountry }: { exempt: boolean; newCountry: boolean },
  now: number,
): CountedSend {
  const last = send.recipient;
  const isNew = last === undefined || last.messages === 0 || now - last.countedAt >= HOUR;
  const messages = isNew ? 1 : last.messages + 1;
  const sent = !exempt && (isNew || messages > MESSAGES_PER_COUNT) ? 1 : 0;
  const origin = isNew ? { source: send.source, newCountry } : last;
  const cost = { verified: 0, spend: send.cost };
  // A repeated message counts in the first message's buckets, because the verification will be counted there.
  const increments =
    isNew || sent === 0
      ? additionsOf(send, origin, now, { sent, ...cost })
      : merged([
          ...additionsOf(send, origin, last.countedAt, { sent, verified: 0, spend: 0 }),
          ...additionsOf(send, origin, now, { sent: 0, ...cost }),
        ]);
  if (exempt) return { record: undefined, increments };
  const record: RecipientRecord = isNew
    ? { ...origin, countedAt: now, messages, unverified: 1, verifiedAt: last?.verifiedAt }
    : { ...last, messages, unverified: last.unverified + sent };
  return { record, increments };
}

/**
 * Returns the changes that a verification stores. The verification counts in the buckets in which the recipient was
 * counted. Removes the source, because records of verified recipients are stored for a year.
 */
export function countVerification(
  destination: Destination,
  record: RecipientRecord | undefined,
  now: number,
): { record: RecipientRecord; increments: readonly Increment[] } {
  const known = record ?? NO_RECORD;
  const verified = known.unverified;
  const increments =
    verified > 0 ? additionsOf(destination, known, known.countedAt, { sent: 0, verified, spend: 0 }) : [];
  return { record: { ...known, unverified: 0, source: undefined, verifiedAt: now }, increments };
}

/** How many times a recipient of this many messages is counted. */
const timesCounted = (messages: number): number =>
  messages === 0 ? 0 : Math.max(1, messages - MESSAGES_PER_COUNT + 1);

/**
 * Returns the changes for a message that was not delivered: its recipient is counted as if it had not been sent.
 * Undefined if the recipient was verified, or the message is not one of the counted messages.
 */
export function countUndelivered(
  destination: Destination,
  record: RecipientRecord | undefined,
  sentAt: number,
): { record: RecipientRecord; increments: readonly Increment[] } | undefined {
  if (!record || record.unverified === 0 || sentAt < record.countedAt) return undefined;
  const messages = record.messages - 1;
  const unverified = Math.min(record.unverified, timesCounted(messages));
  const sent = unverified - record.unverified;
  const increments =
    sent === 0 ? [] : additionsOf(destination, record, record.countedAt, { sent, verified: 0, spend: 0 });
  return { record: { ...record, messages, unverified }, increments };
}

const rowOf = ({ dimension, key, size, start }: Increment): string => `${dimension} ${key} ${size} ${start}`;

/** Combines increments of the same row. */
export function merged(increments: readonly Increment[]): Increment[] {
  const rows = new Map<string, Increment>();
  for (const one of increments) {
    const { sent, verified, spend } = rows.get(rowOf(one)) ?? { sent: 0, verified: 0, spend: 0 };
    rows.set(rowOf(one), {
      ...one,
      sent: sent + one.sent,
      verified: verified + one.verified,
      spend: spend + one.spend,
    });
  }
  return [...rows.values()];
}

/**
 * Returns the index of the first row that starts at this time or later. The rows must be in ascending order of `start`.
 */
export function indexFrom(rows: readonly Bucket[], start: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A range of rows that start at `from` or later and have this key, or any key that starts with it. */
export interface CounterRange {
  readonly dimension: Dimension;
  readonly key: string;
  readonly startsWith: boolean;
  readonly size: BucketSize;
  readonly from: number;
}

/**
 * Returns the start of the last full hour. Minute buckets count from this time on, and hour buckets before it, so that
 * every send counts exactly once.
 */
export const minutesFrom = (now: number): number => bucketStart('hour', now) - HOUR;

/** Reads the rows that the decision about a send needs. `rowsOf` must return them in ascending order of `start`. */
export function readCounts(
  { number, country, source }: Pick<FraudSend, 'number' | 'country' | 'source'>,
  now: number,
  rowsOf: (read: CounterRange) => readonly KeyedBucket[],
): FraudCounts {
  const read = (dimension: Dimension, key: string, size: BucketSize, from: number) =>
    rowsOf({ dimension, key, size, startsWith: false, from: bucketStart(size, from) });
  const recent = (key: string) => ({
    minutes: read('country', key, 'minute', minutesFrom(now)),
    hours: read('country', key, 'hour', now - DAY),
  });
  const bySource = (size: BucketSize, from: number) =>
    source === undefined
      ? []
      : rowsOf({
          dimension: 'source',
          size,
          startsWith: true,
          key: sourceKeyOf(source, ''),
          from: bucketStart(size, from),
        });
  return {
    prefixes: prefixesOf(number).map((prefix) => read('prefix', prefix, 'minute', now - DAY)),
    country: { ...recent(country), days: read('country', country, 'day', now - BASELINE_DAYS * DAY) },
    newCountries: recent(NEW_COUNTRIES),
    source: bySource('minute', now - DAY),
    sourceMarks: bySource('day', now - BASELINE_DAYS * DAY),
    applicationDays: read('application', '', 'day', now - BASELINE_DAYS * DAY),
  };
}

/**
 * Returns increments that subtract a newly paused scope's unverified recipients from the larger scopes. Otherwise, they
 * would lower the conversion of the larger scopes, which would then be paused as well, and the usual conversion.
 */
export function subtractUnverified(
  trip: Pick<Trip, 'scope' | 'key' | 'evidence'>,
  { number, country }: Destination,
  counts: FraudCounts,
  { newCountry, since }: { newCountry: boolean; since: number },
): Increment[] {
  const missing = ({ sent, verified }: Bucket) => ({ sent: Math.min(0, verified - sent), verified: 0, spend: 0 });
  const unverified = (rows: readonly Bucket[], size: BucketSize) =>
    rows.filter(({ start, sent, verified }) => start >= bucketStart(size, since) && sent > verified);
  if (trip.scope === 'application') return [];
  const increments: Increment[] = [];
  if (trip.scope === 'country') {
    const { minutes, hours } = counts.country;
    // The hours contain all recipients of the minutes. Recipients from before the evidence period may be legitimate.
    for (const row of unverified(hours, 'hour'))
      if (row.start >= bucketStart('hour', trip.evidence.from))
        addTo(increments, 'application', '', row.start, missing(row));
    if (newCountry)
      for (const [size, rows] of [
        ['minute', minutes],
        ['hour', hours],
      ] as const)
        for (const row of unverified(rows, size))
          increments.push({ dimension: 'country', key: NEW_COUNTRIES, size, start: row.start, ...missing(row) });
    return merged(increments);
  }
  const prefixes = prefixesOf(number);
  const index = prefixes.indexOf(trip.key);
  for (const row of unverified(counts.prefixes[index]!, 'minute')) {
    for (const prefix of prefixes.slice(index + 1)) addTo(increments, 'prefix', prefix, row.start, missing(row));
    addTo(increments, 'country', country, row.start, missing(row));
    if (newCountry) addTo(increments, 'country', NEW_COUNTRIES, row.start, missing(row));
    addTo(increments, 'application', '', row.start, missing(row));
  }
  return merged(increments);
}
