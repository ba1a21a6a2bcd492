/**
 * Counters that this process has read, with its own additions. Reads of the database are repeated every few seconds only, so
 * the counts of other processes arrive with this delay. A process never misses its own sends.
 */
import type { Increment, KeyedBucket } from './fraud.js';
import type { ApplicationRead } from './fraud-store.js';

const FRESH_MS = 2000;
/** Most prefixes and sources are read once. Stale ones are forgotten when there are so many series. */
const MANY_SERIES = 20_000;

/** An addition that a read of the database may not contain yet. */
interface Addition {
  readonly increment: Increment;
  /** The number of the last read that started before the addition was stored; undefined while it is not stored. */
  storedAfterRead: number | undefined;
}

interface Series {
  rows: KeyedBucket[];
  freshUntil: number;
  readonly additions: Set<Addition>;
}

type SeriesName = Pick<ApplicationRead, 'applicationId' | 'dimension' | 'key' | 'size'>;

/** All countries of a source are one series. */
function nameOf({ applicationId, dimension, key, size }: SeriesName): string {
  const shared = dimension === 'source' ? key.slice(0, key.lastIndexOf(' ') + 1) : key;
  return `${applicationId} ${dimension} ${shared} ${size}`;
}

/** Keeps the order of `start`. */
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
  else rows.splice(i + 1, 0, sum);
}

export interface PendingAdditions {
  /** The additions are in the transaction that stores them. */
  stored(): void;
  /** They will not be stored. */
  undo(): void;
}

export function createFraudCache() {
  const all = new Map<string, Series>();
  let reads = 0;

  function seriesOf(name: SeriesName): Series {
    const id = nameOf(name);
    const series = all.get(id) ?? { rows: [], freshUntil: 0, additions: new Set() };
    all.set(id, series);
    return series;
  }

  function forgetStale(now: number): void {
    if (all.size <= MANY_SERIES) return;
    for (const [id, { freshUntil, additions }] of all)
      if (freshUntil <= now && ![...additions].some(({ storedAfterRead }) => storedAfterRead === undefined))
        all.delete(id);
  }

  return {
    isFresh: (read: ApplicationRead, now: number): boolean => (all.get(nameOf(read))?.freshUntil ?? 0) > now,

    rowsOf: (read: ApplicationRead): readonly KeyedBucket[] =>
      (all.get(nameOf(read))?.rows ?? []).filter(({ start }) => start >= read.from),

    /** Call it before a read of the database; pass the number to {@link replace}. */
    startRead: (): number => ++reads,

    /** Replaces the series of these reads by what the database returned, and adds what it cannot contain yet. */
    replace(
      readNumber: number,
      wanted: readonly ApplicationRead[],
      found: readonly (KeyedBucket & ApplicationRead)[],
      now: number,
    ): void {
      for (const read of wanted) {
        const series = seriesOf(read);
        series.rows = [];
        series.freshUntil = now + FRESH_MS;
      }
      for (const row of found) add(seriesOf(row).rows, row);
      for (const read of wanted) {
        const { rows, additions } = seriesOf(read);
        for (const addition of additions)
          if ((addition.storedAfterRead ?? Infinity) < readNumber) additions.delete(addition);
          else add(rows, addition.increment);
      }
      forgetStale(now);
    },

    /** Adds to series that are known. Others are read before they are used. */
    add(applicationId: number, increments: readonly Increment[]): PendingAdditions {
      const added = increments.flatMap((increment) => {
        const series = all.get(nameOf({ applicationId, ...increment }));
        if (!series) return [];
        const addition: Addition = { increment, storedAfterRead: undefined };
        add(series.rows, increment);
        series.additions.add(addition);
        return [{ series, addition }];
      });
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
