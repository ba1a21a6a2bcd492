/**
 * Caches the counters that this process has read, and adds its own sends immediately. Counts from other processes
 * appear when the counters are read again, every few seconds.
 */
import { HOUR, MINUTE } from '../../platform/clock.js';
import type { BucketSize, Dimension, Increment, KeyedBucket } from './fraud.js';
import { bucketStart, indexFrom } from './fraud-counters.js';
import type { ApplicationRange, FoundBucket } from './fraud-store.js';

/** All series become stale at multiples of this interval, so that one query can refresh them together. */
const FRESH_MS = 2000;
/**
 * All sends and nearly all verifications change buckets of the last hour. A busy series has more than a thousand
 * buckets, so older buckets are refreshed less often.
 */
const RECENT_MS = HOUR + 15 * MINUTE;
const COMPLETE_MS = 5 * MINUTE;
/**
 * Most prefixes and sources are used only once. When the cache has more than this many series, it removes those that
 * have been stale for `UNUSED_MS`.
 */
const MAX_UNUSED_SERIES = 5000;
const UNUSED_MS = MINUTE;

/** A local addition to a cached bucket, kept until a read from the database contains it. */
interface Addition {
  readonly increment: Increment;
  /** The number of the last read that started before the addition was stored; undefined until it is stored. */
  storedAfterRead: number | undefined;
}

/** The cached buckets of one key. A source's keys for all countries share one series. */
export interface Series {
  range: ApplicationRange;
  /** This array is never replaced, so that parallel sends see each other's counts. */
  readonly rows: KeyedBucket[];
  readonly additions: Set<Addition>;
  freshUntil: number;
  completeUntil: number;
}

type SeriesName = Pick<ApplicationRange, 'dimension' | 'key' | 'size'>;
type SeriesByKey = Map<string, Series>;

/** All series of an application, by dimension and size, and then by key. */
type ApplicationSeries = Readonly<Record<Dimension, Readonly<Record<BucketSize, SeriesByKey>>>>;

const createApplicationSeries = (): ApplicationSeries => {
  const bySize = () => ({ minute: new Map(), hour: new Map(), day: new Map() });
  return { prefix: bySize(), country: bySize(), source: bySize(), application: bySize() };
};

/** Maps a source's keys for all countries to the same series. */
const seriesKeyOf = ({ dimension, key }: SeriesName): string =>
  dimension === 'source' ? key.slice(0, key.lastIndexOf(' ') + 1) : key;

/** Adds counts to the row of this bucket, or inserts the row. Keeps the rows in ascending order of `start`. */
function add(rows: KeyedBucket[], { key, start, sent, verified, spend }: KeyedBucket, sign = 1): void {
  let i = rows.length - 1;
  while (i >= 0 && rows[i]!.start > start) i--;
  let same = i;
  while (same >= 0 && rows[same]!.start === start && rows[same]!.key !== key) same--;
  const row = rows[same];
  const isSame = row?.start === start && row.key === key;
  const { sent: s, verified: v, spend: c } = isSame ? row : { sent: 0, verified: 0, spend: 0 };
  const sum = { key, start, sent: s + sign * sent, verified: v + sign * verified, spend: c + sign * spend };
  if (isSame) rows[same] = sum;
  else if (i === rows.length - 1) rows.push(sum);
  else rows.splice(i + 1, 0, sum);
}

export interface PendingAdditions {
  /** Call this when the transaction that writes the additions has been committed. */
  stored(): void;
  /** Removes the additions, because they will not be stored. */
  undo(): void;
}

const isStored = ({ storedAfterRead }: Addition): boolean => storedAfterRead !== undefined;

export function createFraudCache() {
  const applications = new Map<number, ApplicationSeries>();
  let count = 0;
  let reads = 0;
  let forgetAt = 0;

  const allOf = (application: ApplicationSeries): SeriesByKey[] => Object.values(application).flatMap(Object.values);

  function forgetUnused(now: number): void {
    if (count <= MAX_UNUSED_SERIES || now < forgetAt) return;
    forgetAt = now + UNUSED_MS;
    for (const byKey of [...applications.values()].flatMap(allOf))
      for (const [key, { freshUntil, additions }] of byKey)
        if (freshUntil <= now - UNUSED_MS && [...additions].every(isStored)) {
          byKey.delete(key);
          count--;
        }
  }

  return {
    series(range: ApplicationRange, now: number): Series {
      const { applicationId, dimension, size } = range;
      const application = applications.get(applicationId) ?? createApplicationSeries();
      applications.set(applicationId, application);
      const byKey = application[dimension][size];
      const key = seriesKeyOf(range);
      const known = byKey.get(key);
      if (known) {
        known.range = range;
        return known;
      }
      const series: Series = { range, rows: [], additions: new Set(), freshUntil: now, completeUntil: 0 };
      byKey.set(key, series);
      count++;
      return series;
    },

    /**
     * Returns the series' buckets since `from`, and removes older buckets, which no later call needs: `from` never
     * decreases.
     */
    rowsOf({ rows }: Series, from: number): readonly KeyedBucket[] {
      if (rows.length > 0 && rows[0]!.start < from) rows.splice(0, indexFrom(rows, from));
      return rows;
    },

    /** Reloads the stale series. */
    async refresh(
      series: Iterable<Series>,
      now: number,
      read: (ranges: readonly ApplicationRange[]) => Promise<readonly FoundBucket[]>,
    ): Promise<void> {
      const stale = new Map<ApplicationRange, Series>();
      for (const one of series) {
        const { range, freshUntil, completeUntil } = one;
        if (freshUntil > now) continue;
        const from = completeUntil > now ? Math.max(range.from, bucketStart(range.size, now - RECENT_MS)) : range.from;
        stale.set({ ...range, from }, one);
      }
      if (stale.size === 0) return;
      const readNumber = ++reads;
      const found = await read([...stale.keys()]);
      for (const [{ from }, one] of stale) {
        one.rows.length = indexFrom(one.rows, from);
        if (from === one.range.from) one.completeUntil = now + COMPLETE_MS;
        one.freshUntil = (Math.floor(now / FRESH_MS) + 1) * FRESH_MS;
      }
      for (const { range, ...bucket } of found) add(stale.get(range)!.rows, bucket);
      for (const [{ from }, { rows, additions }] of stale)
        for (const addition of additions)
          if ((addition.storedAfterRead ?? Infinity) < readNumber) additions.delete(addition);
          else if (addition.increment.start >= from) add(rows, addition.increment);
      forgetUnused(now);
    },

    /**
     * Marks all series of the application as stale, including their old buckets. Needed when old buckets have changed.
     */
    expire(applicationId: number): void {
      for (const byKey of allOf(applications.get(applicationId) ?? createApplicationSeries()))
        for (const series of byKey.values()) [series.freshUntil, series.completeUntil] = [0, 0];
    },

    /** Adds the increments to cached series. Other series are read from the database before they are used. */
    add(applicationId: number, increments: readonly Increment[]): PendingAdditions {
      const added: { series: Series; addition: Addition }[] = [];
      const application = applications.get(applicationId);
      for (const increment of increments) {
        const series = application?.[increment.dimension][increment.size].get(seriesKeyOf(increment));
        if (!series) continue;
        const addition: Addition = { increment, storedAfterRead: undefined };
        add(series.rows, increment);
        series.additions.add(addition);
        added.push({ series, addition });
      }
      return {
        stored: () => added.forEach(({ addition }) => (addition.storedAfterRead = reads)),
        undo() {
          for (const { series, addition } of added)
            if (series.additions.delete(addition)) add(series.rows, addition.increment, -1);
        },
      };
    },
  };
}

export type FraudCache = ReturnType<typeof createFraudCache>;
