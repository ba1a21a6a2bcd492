/** Calendar days, such as `2026-01-31`, in a time zone. */
import { DAY, HOUR, utcDay } from './clock.js';
import { localText, timestampOf } from './local-time.js';

export const UTC = 'UTC';

export const localDay = (ms: number, zone: string): string => localText(ms, zone).slice(0, 10);

/** Returns when a day starts in a time zone: at midnight, or an hour later if daylight saving time skips midnight. */
export function startOfLocalDay(day: string, zone: string): number {
  const midnight = timestampOf(`${day}T00:00`, zone)!;
  return localDay(midnight, zone) === day ? midnight : midnight + HOUR;
}

/** Returns the day that many days before another: `2026-03-01` and 1 → `2026-02-28`. */
export const dayBefore = (day: string, days: number): string => utcDay(Date.parse(day) - days * DAY);
