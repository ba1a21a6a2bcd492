/** The days that usage is shown of, and as many before them. Days are in UTC, as usage is counted. */
import { DAY } from '../../clock.js';

export const PERIODS = [7, 30, 90] as const;
export type PeriodDays = (typeof PERIODS)[number];

export interface Period {
  readonly length: PeriodDays;
  /** Oldest first; the last one is today. */
  readonly days: readonly string[];
  /** First day of the period before. */
  readonly beforeFrom: string;
}

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** What is not understood is 30 days. */
export const lengthIn = (text: string | undefined): PeriodDays => PERIODS.find((days) => String(days) === text) ?? 30;

export const periodOf = (length: PeriodDays, now: number): Period => ({
  length,
  days: Array.from({ length }, (_, n) => dayText(now - (length - 1 - n) * DAY)),
  beforeFrom: dayText(now - (2 * length - 1) * DAY),
});

const SHORT_DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const WEEK_DAY = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `Jan 15`. */
export const shortDay = (day: string): string => SHORT_DAY.format(Date.parse(day));
/** `Fri, Jan 15`. */
export const longDay = (day: string): string => WEEK_DAY.format(Date.parse(day));
