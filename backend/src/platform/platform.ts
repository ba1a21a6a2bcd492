/** What the service stands on: one process with SQLite, or MySQL and Redis shared by any number of processes. */
import { systemClock, type Clock } from './clock.js';
import type { Config } from './config/config.js';
import { lockDataDir } from './db/data-dir-lock.js';
import { createDatabaseClock } from './db/database-clock.js';
import { migrate, openDatabase, type Database } from './db/database.js';
import type { Log } from './log.js';
import {
  createApplicationChanges,
  createRedisApplicationChanges,
  type ApplicationChanges,
} from '../modules/applications/application-changes.js';
import { createOutcomes, createRedisOutcomes, type Outcomes } from '../modules/messages/outcomes.js';
import { createBullQueue } from './queue/bull-queue.js';
import { createEmbeddedQueue } from './queue/embedded-queue.js';
import type { Pace, Queue } from './queue/queue.js';
import { createLimiter, type Limiter } from './rate-limit/limiter.js';
import { createRateLimitStore } from './rate-limit/rate-limit-store.js';
import { createRedisLimiter } from './rate-limit/redis-limiter.js';
import { connectRedis } from './redis.js';
import { DataDirError } from './data-dir.js';

export interface Backing {
  /** What time it is for the service: on several processes the same for all. */
  readonly clock: Clock;
  readonly db: Database;
  readonly queue: Queue;
  readonly limiter: Limiter;
  readonly outcomes: Outcomes;
  readonly changes: ApplicationChanges;
  /** What must answer for the service to be ready. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  /**
   * Makes this process the only server where it has to be; throws when there is one already. True when it is the only
   * one, so that what the last one had in hand can be taken over.
   */
  claim(): boolean;
  /** Waits, for a while, until requests can be served. */
  ready(): Promise<void>;
  /** Ends the connections; the queue is stopped before. */
  close(): Promise<void>;
}

interface BackingParts {
  /** In place of the clock that the service would go by. */
  readonly clock?: Clock | undefined;
  readonly log: Log;
}

/** Connects, and brings the tables up to date. */
export async function openBacking(config: Config, parts: BackingParts): Promise<Backing> {
  const place = { url: config.DATABASE_URL, dataDir: config.DATA_DIR };
  await migrate(place);
  const db = openDatabase(place);
  try {
    return config.REDIS_URL === undefined ? embedded(db, config, parts) : await scaled(db, config, parts);
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

const paceOf = (config: Config): Pace => ({
  concurrency: config.CHANNEL_CONCURRENCY,
  perSecond: config.CHANNEL_PER_SECOND,
});

function embedded(db: Database, config: Config, { clock = systemClock }: BackingParts): Backing {
  const { DATA_DIR } = config;
  let lock: { release(): void } | undefined;
  return {
    clock,
    db,
    queue: createEmbeddedQueue(paceOf(config)),
    limiter: createLimiter({ clock, store: createRateLimitStore(db) }),
    outcomes: createOutcomes(clock),
    changes: createApplicationChanges(),
    checks: { database: async () => db.raw('select 1') },
    claim() {
      lock = lockDataDir(DATA_DIR);
      if (!lock) throw new DataDirError(`another Passbell is running on ${DATA_DIR}: stop it, or set another DATA_DIR`);
      return true;
    },
    async ready() {},
    async close() {
      lock?.release();
      await db.destroy();
    },
  };
}

async function scaled(db: Database, config: Config, { clock: given, log }: BackingParts): Promise<Backing> {
  const shared = given ? undefined : await createDatabaseClock(db);
  const clock = given ?? shared!;
  const name = new URL(config.DATABASE_URL!).pathname.slice(1);
  const redis = connectRedis(config.REDIS_URL!, name, log);
  return {
    clock,
    db,
    queue: createBullQueue({ redis, log, pace: paceOf(config) }),
    limiter: createRedisLimiter({ redis, clock }),
    outcomes: createRedisOutcomes(clock, redis),
    changes: createRedisApplicationChanges(redis),
    checks: { database: async () => db.raw('select 1'), redis: () => redis.commands.ping() },
    claim: () => false,
    ready: redis.ready,
    async close() {
      await shared?.stop();
      redis.close();
      await db.destroy();
    },
  };
}
