/**
 * Time as the database has it. What is stored by one process is judged by others: leases, expiries, locks, limits. Their
 * own clocks may be minutes apart; so they all go by one.
 */
import { systemClock, type Clock } from '../clock.js';
import { CLOCK_CHECK_MS, CLOCK_SAMPLES } from '../limits.js';
import { every } from '../repeat.js';
import type { Database } from './database.js';

export interface DatabaseClock extends Clock {
  /** Ends the comparisons; it goes on by itself. */
  stop(): Promise<void>;
}

/** Without any time zone, which could have an hour twice. */
const NOW = `select timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) / 1000 as now`;

/** When this process's own count of milliseconds, which no one can set, began by the clock of the database. */
async function originOf(db: Database): Promise<number> {
  let best = { roundTrip: Infinity, origin: 0 };
  for (let sample = 0; sample < CLOCK_SAMPLES; sample++) {
    const before = performance.now();
    const [[row]] = (await db.raw(NOW)) as [[{ now: string }]];
    const roundTrip = performance.now() - before;
    if (roundTrip < best.roundTrip) best = { roundTrip, origin: Number(row.now) - before - roundTrip / 2 };
  }
  return best.origin;
}

/** Follows the clock of the database; while that is away, it goes on by what it knows. */
export async function createDatabaseClock(db: Database): Promise<DatabaseClock> {
  let origin = await originOf(db);
  const comparisons = every(CLOCK_CHECK_MS, systemClock, async () => {
    origin = await originOf(db).catch(() => origin);
  });
  return {
    now: () => Math.round(origin + performance.now()),
    after: (ms, task) => systemClock.after(ms, task),
    stop: () => comparisons.stop(),
  };
}
