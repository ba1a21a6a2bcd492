import { TIME_ZONES } from '../../modules/applications/account-profile.js';
import { DAY, utcMinute } from '../../platform/clock.js';
import { useNow } from './context.js';
import type { Choice } from './form.js';

export const TIME_ZONE_CHOICES: readonly Choice[] = TIME_ZONES.map((zone) => ({
  value: zone,
  label: zone.replaceAll('_', ' '),
}));

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

/** Shown instead of the time of the latest entry in a log that is empty, and that shows entries for some days. */
export const NoEntry = ({ since, now, days }: { since: number; now: number; days: number }) => (
  <span class="quiet">{since > now - days * DAY ? 'Never' : `None in the last ${days} days`}</span>
);
