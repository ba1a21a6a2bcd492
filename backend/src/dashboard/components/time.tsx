import { DAY, isoTime, utcMinute } from '../../platform/clock.js';
import { dayBefore, localDay } from '../../platform/local-day.js';
import { localText } from '../../platform/local-time.js';
import { useNow } from './context.js';

const DAY_AND_TIME = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' } as const;
const formatter = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...DAY_AND_TIME, ...options });
const YEAR = { year: 'numeric' } as const;
const SECOND = { second: '2-digit' } as const;
/** Without and with the year. */
const MINUTES = [formatter({}), formatter(YEAR)] as const;
const SECONDS = [formatter(SECOND), formatter({ ...YEAR, ...SECOND })] as const;

/**
 * A time in UTC, without the year if it is the current one: `31 Jan, 09:30 UTC`. A script on the page converts it to the
 * reader's time zone. `ms` is in epoch milliseconds. `seconds`: whether to show seconds.
 */
export function Time({ ms, seconds = false }: { readonly ms: number; readonly seconds?: boolean }) {
  const isThisYear = new Date(ms).getUTCFullYear() === new Date(useNow()).getUTCFullYear();
  return (
    <time dateTime={new Date(ms).toISOString()} title={utcMinute(ms)} data-seconds={seconds ? '' : undefined}>
      {(seconds ? SECONDS : MINUTES)[isThisYear ? 0 : 1].format(ms)} UTC
    </time>
  );
}

/** `14 Jan 2027, 02:10` */
export const dateText = (ms: number, zone: string): string => MINUTES[1].format(Date.parse(`${localText(ms, zone)}Z`));

const DAY_NAMES = [
  ['', 0],
  ['yesterday at ', 1],
  ['tomorrow at ', -1],
] as const;

/** A time in the time zone that the page names: `02:10` for today, `yesterday at 02:10`, `tomorrow at 02:10`, or {@link dateText}. */
export function momentText(ms: number, now: number, zone: string): string {
  const local = localText(ms, zone);
  const today = localDay(now, zone);
  const name = DAY_NAMES.find(([, ago]) => local.startsWith(dayBefore(today, ago)));
  return name ? `${name[0]}${local.slice(11)}` : dateText(ms, zone);
}

/** Shows {@link momentText}. The page's script does not convert it to the browser's time zone. */
export const LocalTime = ({ ms, zone }: { readonly ms: number; readonly zone: string }) => (
  <time dateTime={isoTime(ms)} title={`${localText(ms, zone).replace('T', ' ')} ${zone}`} data-zone={zone}>
    {momentText(ms, useNow(), zone)}
  </time>
);

/** Shown instead of the time of the latest entry in a log that is empty, and that shows entries for some days. */
export const NoEntry = ({ since, now, days }: { since: number; now: number; days: number }) => (
  <span class="quiet">{since > now - days * DAY ? 'Never' : `None in the last ${days} days`}</span>
);
