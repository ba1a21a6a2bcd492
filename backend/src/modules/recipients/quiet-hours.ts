/** Quiet hours, in which an application sends no notifications. */
import { DAY, MINUTE } from '../../platform/clock.js';
import { localText, timestampOf } from '../../platform/local-time.js';
import { timeZonesOf } from './time-zones.js';

/** Quiet hours of up to 12 hours end in all zones of a country within a day. Days that a country skips make it longer. */
const SEARCH_MS = 4 * DAY;

/** Returns when the quiet hours in a zone end; undefined if `ms` is not in quiet hours. */
function quietUntil(ms: number, zone: string, from: string, to: string): number | undefined {
  const [day, time] = localText(ms, zone).split('T') as [string, string];
  const isQuiet = from < to ? time >= from && time < to : time >= from || time < to;
  if (!isQuiet) return undefined;
  const endDay = time < to ? day : localText(Date.parse(`${day}T00:00Z`) + DAY).slice(0, 10);
  const end = timestampOf(`${endDay}T${to}`, zone) ?? ms;
  // When a country moves across the date line, the day of the end may not exist.
  return end > ms ? end : ms + MINUTE;
}

/**
 * Returns the earliest time from `ms` that is outside the quiet hours in all time zones of a country. `quietHours`: local times,
 * such as `22:00-08:00`; "" for none. Email addresses have no country, so no quiet hours apply to them.
 */
export function outsideQuietHours(ms: number, country: string, quietHours: string): number {
  if (quietHours === '') return ms;
  const [from, to] = quietHours.split('-') as [string, string];
  const zones = timeZonesOf(country);
  let at = ms;
  while (at < ms + SEARCH_MS) {
    const ends = zones.flatMap((zone) => quietUntil(at, zone, from, to) ?? []);
    if (ends.length === 0) return at;
    // No earlier time suits the zone whose quiet hours end last.
    at = Math.max(...ends);
  }
  return at;
}
