/**
 * A clock that follows the database time. Machines' clocks may differ by minutes, so all processes use the database
 * time for leases, expiry times, locks and rate limits.
 */
import { MINUTE, systemClock } from '../clock.js';
import { every } from '../repeat.js';
import type { Database } from './database.js';

/** Uses UTC, because local time repeats an hour when daylight saving time ends. */
const NOW_QUERY = `select timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) / 1000 as now`;

/**
 * Returns the database time at which `performance.now()` was 0. `performance.now()` is monotonic: it ignores changes to
 * the system clock.
 */
async function originOf(db: Database): Promise<number> {
  let best = { roundTrip: Infinity, origin: 0 };
  // Uses the fastest of three samples, because the first query may have to open a connection.
  for (let sample = 0; sample < 3; sample++) {
    const before = performance.now();
    const [[row]] = (await db.raw(NOW_QUERY)) as [[{ now: string }]];
    const roundTrip = performance.now() - before;
    if (roundTrip < best.roundTrip) best = { roundTrip, origin: Number(row.now) - before - roundTrip / 2 };
  }
  return best.origin;
}

/** Measures the database time every minute. While the database is down, the clock uses the last measurement. */
export async function createDatabaseClock(db: Database) {
  let origin = await originOf(db);
  // Repeats the measurement, because hardware clocks can drift by a few milliseconds per minute.
  const { stop } = every(MINUTE, systemClock, async () => {
    origin = await originOf(db).catch(() => origin);
  });
  return { now: () => Math.round(origin + performance.now()), after: systemClock.after, stop };
}
