/**
 * Clock of the database. All processes use it to store and compare the times of leases, expiries, locks and limits,
 * because the clocks of their machines may differ by minutes.
 */
import { MINUTE, systemClock } from '../clock.js';
import { every } from '../repeat.js';
import type { Database } from './database.js';

/** In UTC, because local time repeats an hour when daylight saving time ends. */
const NOW = `select timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) / 1000 as now`;

/** Returns the database time at which `performance.now()` was 0. That timer is monotonic: it ignores changes to the system clock. */
async function originOf(db: Database): Promise<number> {
  let best = { roundTrip: Infinity, origin: 0 };
  // Uses the fastest of three samples: the first may have to connect.
  for (let sample = 0; sample < 3; sample++) {
    const before = performance.now();
    const [[row]] = (await db.raw(NOW)) as [[{ now: string }]];
    const roundTrip = performance.now() - before;
    if (roundTrip < best.roundTrip) best = { roundTrip, origin: Number(row.now) - before - roundTrip / 2 };
  }
  return best.origin;
}

/** While the database is down, the clock continues from the last measurement. `stop` ends the measurements. */
export async function createDatabaseClock(db: Database) {
  let origin = await originOf(db);
  // Cheap hardware clocks drift by a few milliseconds per minute.
  const { stop } = every(MINUTE, systemClock, async () => {
    origin = await originOf(db).catch(() => origin);
  });
  return { now: () => Math.round(origin + performance.now()), after: systemClock.after, stop };
}
