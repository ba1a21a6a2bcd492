import { DAY, isoTime, MINUTE, utcMinute } from '../../platform/clock.js';
import { dayBefore, localDay, UTC } from '../../platform/local-day.js';
import { localText } from '../../platform/local-time.js';
import { useNow, useTimeZone } from './context.js';

const DAY_AND_TIME = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
} as const;
const formatter = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...DAY_AND_TIME, ...options });
const YEAR = { year: 'numeric' } as const;
const SECOND = { second: '2-digit' } as const;
/** Without and with the year. */
const MINUTES = [formatter({}), formatter(YEAR)] as const;
const SECONDS = [formatter(SECOND), formatter({ ...YEAR, ...SECOND })] as const;

/** `Jan 14, 2027, 02:10` */
export const dateText = (ms: number, zone: string): string => MINUTES[1].format(Date.parse(`${localText(ms, zone)}Z`));

interface TimeProps {
  readonly ms: number;
  readonly seconds?: boolean;
  readonly clock?: boolean;
  readonly zone?: string | undefined;
  readonly isZoneNamed?: boolean;
}

/**
 * A time in the account's time zone, without the year if it is the current one: `Jan 31, 09:30`, or `Jan 31, 09:30 UTC`.
 * `ms` is in epoch milliseconds. `seconds`: whether to show seconds. `clock`: only `09:30` or, with seconds, `09:30:05`. `zone`: another time zone, which the page names.
 * `isZoneNamed`: whether the page names the time zone, so that `UTC` is left out.
 */
export function Time({ ms, seconds = false, clock = false, isZoneNamed = clock, zone = useTimeZone() }: TimeProps) {
  const local = Date.parse(`${localText(ms, zone)}Z`) + (ms % MINUTE);
  const year = localText(useNow(), zone).slice(0, 4);
  const format = (seconds ? SECONDS : MINUTES)[localText(ms, zone).startsWith(year) ? 0 : 1];
  return (
    <time dateTime={isoTime(ms)} title={utcMinute(ms)}>
      {clock ? isoTime(local).slice(11, seconds ? 19 : 16) : format.format(local)}
      {zone === UTC && !isZoneNamed && ' UTC'}
    </time>
  );
}

const DAY_NAME = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
const DAY_THIS_YEAR = new Intl.DateTimeFormat('en-US', DAY_NAME);
const DAY_OTHER_YEAR = new Intl.DateTimeFormat('en-US', { ...DAY_NAME, year: 'numeric' });

/** `Today`, `Yesterday`, or `Friday, January 15` */
export function dayName(day: string, today: string): string {
  if (day === today) return 'Today';
  if (day === dayBefore(today, 1)) return 'Yesterday';
  return (day.slice(0, 4) === today.slice(0, 4) ? DAY_THIS_YEAR : DAY_OTHER_YEAR).format(Date.parse(day));
}

const DAY_NAMES = [
  ['', 0],
  [' yesterday', 1],
  [' tomorrow', -1],
] as const;

/** Within this time, a date needs no year. */
const YEAR_MS = 365 * DAY;

/** A time in the time zone that the page names: `02:10` for today, `02:10 yesterday`, `02:10 tomorrow`, `Jan 14, 02:10`, or with the year. */
export function momentText(ms: number, now: number, zone: string): string {
  const local = localText(ms, zone);
  const today = localDay(now, zone);
  const name = DAY_NAMES.find(([, ago]) => local.startsWith(dayBefore(today, ago)));
  if (name) return `${local.slice(11)}${name[0]}`;
  return MINUTES[Math.abs(ms - now) < YEAR_MS ? 0 : 1].format(Date.parse(`${local}Z`));
}

/** Like {@link momentText}, with the day: `02:10 today`. */
export function dayAndTime(ms: number, now: number, zone: string): string {
  const text = momentText(ms, now, zone);
  return text.includes(' ') ? text : `${text} today`;
}

/** The times of a period within a day: `02:10–02:29`, `23:50–00:10`, `02:10–02:29 yesterday`; `02:10` within one minute. */
export function spanText(first: number, last: number, now: number, zone: string): string {
  const [start, end] = [first, last].map((ms) => localText(ms, zone).slice(11));
  return `${start === end ? '' : `${start}–`}${momentText(last, now, zone)}`;
}

/** `As of 07:10. Times are in Europe/Berlin.` */
export const asOfText = (now: number, zone: string): string =>
  `As of ${momentText(now, now, zone)}. Times are in ${zone}.`;

/**
 * Shows {@link momentText}; with `day`, {@link dayAndTime}. `until`: the end of a period that starts at `ms`. If both are
 * on the same day, only the end names it.
 */
export function LocalTime({
  ms,
  zone = useTimeZone(),
  until,
  day = false,
}: {
  readonly ms: number;
  readonly zone?: string;
  readonly until?: number | undefined;
  readonly day?: boolean;
}) {
  const text = (day ? dayAndTime : momentText)(ms, useNow(), zone);
  const isSameDay = until !== undefined && localDay(ms, zone) === localDay(until, zone);
  return (
    <time dateTime={isoTime(ms)} title={`${localText(ms, zone).replace('T', ' ')} ${zone}`}>
      {isSameDay ? text.replace(' yesterday', '') : text}
    </time>
  );
}

const prepositionOf = (moment: string): string => (/^\d/.test(moment) ? 'at' : 'on');

/** `at 02:10`, `at 02:10 yesterday`, `on Jan 14, 02:10`. `day`: whether to name today. */
export const AtTime = ({ ms, zone = useTimeZone(), day = false }: Omit<Parameters<typeof LocalTime>[0], 'until'>) => (
  <>
    {prepositionOf(momentText(ms, useNow(), zone))} <LocalTime ms={ms} zone={zone} day={day} />
  </>
);

/** Shown instead of the time of the latest entry in a log that is empty, and that shows entries for some days. */
export const NoEntry = ({ since, now, days }: { since: number; now: number; days: number }) => (
  <span class="quiet">{since > now - days * DAY ? 'Never' : `None in the last ${days} days`}</span>
);
