/** The days that usage is shown of, and as many before them. Days are in UTC, as usage is counted. */
import { DAY } from '../../platform/clock.js';

export const PERIODS = [7, 30, 90] as const;
export type PeriodDays = (typeof PERIODS)[number];

/** What a chart has one bar of: a day, or a week where days would be too narrow to tell apart. */
export interface Bar {
  readonly first: string;
  /** `Fri, Jan 15`, `Jan 9 to Jan 15`. */
  readonly name: string;
}

export interface Period {
  readonly length: PeriodDays;
  readonly from: string;
  /** Today. */
  readonly to: string;
  /** Oldest first. */
  readonly bars: readonly Bar[];
  /** What a bar is of, such as `day`. */
  readonly unit: string;
  /** First day of the period before. */
  readonly beforeFrom: string;
}

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** What is not understood is 30 days. */
export const lengthIn = (text: string | undefined): PeriodDays => PERIODS.find((days) => String(days) === text) ?? 30;

const SHORT_DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const WEEK_DAY = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `Jan 15`. */
export const shortDay = (day: string): string => SHORT_DAY.format(Date.parse(day));
const longDay = (day: string): string => WEEK_DAY.format(Date.parse(day));

/** Days of one bar. */
const BAR_DAYS: Readonly<Record<PeriodDays, number>> = { 7: 1, 30: 1, 90: 7 };

export function periodOf(length: PeriodDays, now: number): Period {
  const size = BAR_DAYS[length];
  const dayBefore = (days: number) => dayText(now - days * DAY);
  // Whole ones at the end; the first one may be shorter.
  const bars = Array.from({ length: Math.ceil(length / size) }, (_, n): Bar => {
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
