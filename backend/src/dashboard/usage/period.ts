/** The period that the usage page shows, and the previous period of the same length. Days are UTC days. */
import { DAY, utcDay } from '../../platform/clock.js';

export const PERIODS = [7, 30, 90] as const;
const DEFAULT_DAYS = 30;
/** Bounds the number of bars. */
const MAX_DAYS = 366;

export interface Period {
  /** Number of days. */
  readonly length: number;
  readonly from: string;
  readonly to: string;
  /** One bar per day, or per week in long periods, oldest first. Names: `Fri, Jan 15` or `Jan 9 to Jan 15`. */
  readonly bars: readonly { readonly first: string; readonly name: string }[];
  readonly unit: 'day' | 'week';
  readonly beforeFrom: string;
}

/** Returns the start of a day; undefined for a text that is no day, such as 2026-02-30. */
function startOf(day: string | undefined): number | undefined {
  const start = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(start) && utcDay(start) === day ? start : undefined;
}

/** Reads the period from a URL: the last 7, 30 or 90 days, or the days `from` and `to`. Anything else is 30 days. */
export function parsePeriod({ days, from, to }: Readonly<Record<string, string>>, now: number): Period {
  const first = startOf(from);
  const last = startOf(to);
  if (first === undefined || last === undefined || first > last)
    return periodOf(PERIODS.find((length) => String(length) === days) ?? DEFAULT_DAYS, now);
  return periodOf(Math.min(MAX_DAYS, Math.round((last - first) / DAY) + 1), last);
}

const SHORT_DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const LONG_DAY = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });

export const shortDay = (day: string): string => SHORT_DAY.format(Date.parse(day));
const longDay = (day: string): string => LONG_DAY.format(Date.parse(day));

/** Returns the period of this many days that ends with the day of `now`. */
export function periodOf(length: number, now: number): Period {
  const size = length > 30 ? 7 : 1;
  const dayBefore = (days: number) => utcDay(now - days * DAY);
  // The first bar may cover fewer days than the other bars.
  const bars = Array.from({ length: Math.ceil(length / size) }, (_, n) => {
    const last = n * size;
    const first = dayBefore(Math.min(length, last + size) - 1);
    return { first, name: size === 1 ? longDay(first) : `${shortDay(first)} to ${shortDay(dayBefore(last))}` };
  }).reverse();
  return {
    length,
    from: bars[0]!.first,
    to: dayBefore(0),
    bars,
    unit: size === 1 ? 'day' : 'week',
    beforeFrom: dayBefore(2 * length - 1),
  };
}
