/** The period that the usage page shows, and the previous period of the same length. Days are UTC days. */
import { DAY, utcDay } from '../../platform/clock.js';

export const PERIODS = [7, 30, 90] as const;
type PeriodDays = (typeof PERIODS)[number];

export interface Period {
  readonly length: PeriodDays;
  readonly from: string;
  readonly to: string;
  /** One bar per day, or per week in long periods, oldest first. Names: `Fri, Jan 15` or `Jan 9 to Jan 15`. */
  readonly bars: readonly { readonly first: string; readonly name: string }[];
  readonly unit: 'day' | 'week';
  readonly beforeFrom: string;
}

/** Parses the number of days. Returns 30 for an unsupported number. */
export const parseDays = (text: string | undefined): PeriodDays => PERIODS.find((days) => String(days) === text) ?? 30;

const SHORT_DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const LONG_DAY = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });

export const shortDay = (day: string): string => SHORT_DAY.format(Date.parse(day));
const longDay = (day: string): string => LONG_DAY.format(Date.parse(day));

export function periodOf(length: PeriodDays, now: number): Period {
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
