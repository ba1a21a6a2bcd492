import { TIME_ZONES } from '../../modules/applications/account-profile.js';
import { DAY, utcMinute } from '../../platform/clock.js';
import { useNow } from './context.js';
import type { Choice } from './form.js';

export const TIME_ZONE_CHOICES: readonly Choice[] = TIME_ZONES.map((zone) => ({
  value: zone,
  label: zone.replaceAll('_', ' '),
}));

const DAY_AND_TIME = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' } as const;
const THIS_YEAR = new Intl.DateTimeFormat('en-GB', DAY_AND_TIME);
const OTHER_YEAR = new Intl.DateTimeFormat('en-GB', { ...DAY_AND_TIME, year: 'numeric' });

/**
 * A time in UTC, without the year if it is the current one: `31 Jan, 09:30 UTC`. A script on the page converts it to the
 * reader's time zone. `ms` is in epoch milliseconds.
 */
export function Time({ ms }: { readonly ms: number }) {
  const isThisYear = new Date(ms).getUTCFullYear() === new Date(useNow()).getUTCFullYear();
  return (
    <time dateTime={new Date(ms).toISOString()} title={utcMinute(ms)}>
      {(isThisYear ? THIS_YEAR : OTHER_YEAR).format(ms)} UTC
    </time>
  );
}

/** Shown instead of the time of the latest entry in a log that is empty, and that shows entries for some days. */
export const NoEntry = ({ since, now, days }: { since: number; now: number; days: number }) => (
  <span class="quiet">{since > now - days * DAY ? 'Never' : `None in the last ${days} days`}</span>
);
