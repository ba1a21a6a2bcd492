/** The period that the usage page shows, and the previous period of the same length. Days are calendar days. */
import { DAY, HOUR, isoTime, MINUTE, utcDay } from '../../platform/clock.js';
import { dayBefore, startOfLocalDay } from '../../platform/local-day.js';
import { localText } from '../../platform/local-time.js';

export const PERIODS = [7, 30, 90] as const;
const DEFAULT_DAYS = 7;
/** Bounds the number of bars. */
const MAX_DAYS = 366;

export interface Bar {
  readonly first: string;
  readonly last: string;
  readonly name: string;
  /** False for a bar with fewer days than the others, or with a part of today. */
  readonly isWhole: boolean;
  /** Whether the bar shows today beside full days. Totals do not include it. */
  readonly isUnfinished?: boolean;
}

export interface Period {
  /** Number of days. */
  readonly length: number;
  readonly from: string;
  readonly to: string;
  /**
   * One bar per day, or per week in long periods, or per hour of a single day, oldest first. Names: `Fri, Jan 15`, `Jan 9
   * to Jan 15` or `14:00 to 15:00`.
   */
  readonly bars: readonly Bar[];
  readonly unit: 'hour' | 'day' | 'week';
  readonly beforeFrom: string;
}

/** The error of a period whose days are in the wrong order. */
export const LAST_BEFORE_FIRST = 'The last day is before the first day.';

/** Returns undefined for a text that is no day, such as 2026-02-30. */
export function parseDay(text: string | undefined): string | undefined {
  const start = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(start) && utcDay(start) === text ? text : undefined;
}

/** The days that a person entered, if the last is before the first. */
export function reversedDays({ from, to }: Readonly<Record<string, string>>): { from: string; to: string } | undefined {
  const first = parseDay(from);
  const last = parseDay(to);
  return first !== undefined && last !== undefined && first > last ? { from: first, to: last } : undefined;
}

/**
 * Reads the period from a URL: the last 7, 30 or 90 days up to `lastDay`, or the days `from` and `to`. Anything else is 7
 * days.
 */
export function parsePeriod(
  { days, from, to }: Readonly<Record<string, string>>,
  lastDay: string,
  today: string,
): Period {
  const first = parseDay(from);
  const last = parseDay(to);
  if (first === undefined || last === undefined || first > last)
    return periodOf(PERIODS.find((length) => String(length) === days) ?? DEFAULT_DAYS, lastDay, today);
  return periodOf(Math.min(MAX_DAYS, (Date.parse(last) - Date.parse(first)) / DAY + 1), last, today);
}

const SHORT_DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const LONG_DAY = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });

export const shortDay = (day: string): string => SHORT_DAY.format(Date.parse(day));
/** `Jan 3–9`, `Dec 28–Jan 3` or `Jan 9`. */
export function daysText(from: string, to: string): string {
  if (from === to) return shortDay(from);
  return `${shortDay(from)}–${from.slice(0, 7) === to.slice(0, 7) ? Number(to.slice(8)) : shortDay(to)}`;
}
const longDay = (day: string): string => LONG_DAY.format(Date.parse(day));

/** Adds a bar for today to a period of several days that ends yesterday. */
export function withToday(period: Period, today: string): Period {
  if (period.unit !== 'day' || period.length === 1 || period.to !== dayBefore(today, 1)) return period;
  const bar = { first: today, last: today, name: 'Today so far', isWhole: false, isUnfinished: true };
  return { ...period, bars: [...period.bars, bar] };
}

/** Returns when a period starts and ends. */
export const timesOf = ({ from, to }: Period, zone: string) => ({
  from: startOfLocalDay(from, zone),
  to: startOfLocalDay(dayBefore(to, -1), zone),
});

/** Replaces the bar of a single day by a bar for each hour, whose first and last times are ISO times. */
export function withHours(period: Period, zone: string): Period {
  const { from, to } = timesOf(period, zone);
  const timeOfDay = (ms: number) => localText(ms, zone).slice(11);
  const bars = Array.from({ length: Math.ceil((to - from) / HOUR) }, (_, n) => {
    const start = from + n * HOUR;
    const name = `${timeOfDay(start)} to ${timeOfDay(start + HOUR)}`;
    return { first: isoTime(start), last: isoTime(start + HOUR - MINUTE), name, isWhole: false };
  });
  return { ...period, unit: 'hour', bars };
}

/** Returns the period of this many days that ends with the day `to`. */
export function periodOf(length: number, to: string, today: string): Period {
  const size = length > 30 ? 7 : 1;
  // The first bar may cover fewer days than the other bars.
  const bars = Array.from({ length: Math.ceil(length / size) }, (_, n) => {
    const last = dayBefore(to, n * size);
    const ago = n * size + size;
    const first = dayBefore(to, Math.min(length, ago) - 1);
    const name = size === 1 ? longDay(first) : `${shortDay(first)} to ${shortDay(last)}`;
    return { first, last, name, isWhole: ago <= length && last < today };
  }).reverse();
  return {
    length,
    from: bars[0]!.first,
    to,
    bars,
    unit: size === 1 ? 'day' : 'week',
    beforeFrom: dayBefore(to, 2 * length - 1),
  };
}
