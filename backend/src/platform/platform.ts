import type { Base } from './base.js';
import { createLocalBus, createRedisBus } from './bus.js';
import { SECOND, systemClock, type Clock } from './clock.js';
import { ConfigError, type Config } from './config/config.js';
import { lockDataDir } from './data-dir.js';
import { createDatabaseClock } from './db/database-clock.js';
import { locationOf, openDatabase, type Database } from './db/database.js';
import { parseDatabaseUrl } from './db/database-url.js';
import { migrate } from './db/migrate.js';
import { createWriteCheck } from './db/write-check.js';
import type { Log } from './log.js';
import { requireNotMoving, requireOpen } from './move/move.js';
import { createEmbeddedQueue } from './queue/embedded-queue.js';
import { createLimiter } from './rate-limit/limiter.js';
import { createRateLimitStore } from './rate-limit/rate-limit-store.js';
import { createRedisLimiter } from './rate-limit/redis-limiter.js';
import type { ServerFindings } from './redis-server.js';
import { every } from './repeat.js';

interface Platform extends Pick<Base, 'bus' | 'clock' | 'db' | 'limiter' | 'queue'> {
  /** Health checks by service name. A check rejects while its service is unavailable. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  /** Returns what is wrong with the Redis server, even if it replies. */
  inspectRedis(): Promise<ServerFindings>;
  /**
   * Claims the data folder for this server process. Throws if another server uses the folder. Returns true if this is
   * the only server process, which can then resume all unfinished work.
   */
  claim(): boolean;
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface PlatformOptions {
  readonly clock?: Clock | undefined;
  /**
   * False for the operator command: it does not use the Redis queue, because a running server's sweeper enqueues its
   * messages.
   */
  readonly jobs?: boolean | undefined;
  /** If false, throws a `MissingDatabaseError` instead of creating a database. */
  readonly create?: boolean | undefined;
}

/** Migrates the database and connects to it. */
export async function openPlatform(
  config: Config,
  log: Log,
  { clock: ownClock, jobs = true, create = true }: PlatformOptions,
): Promise<Platform> {
  const location = locationOf(config);
  await migrate(location, { create });
  const db = openDatabase(location);
  try {
    await requireNotMoving(db);
    if (config.REDIS_URL === undefined) return openEmbedded(db, config, ownClock);
    return await openScaled(db, config, log, jobs, ownClock);
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

const paceOf = (config: Config) => ({ concurrency: config.CHANNEL_CONCURRENCY, perSecond: config.CHANNEL_PER_SECOND });

/** Returns a function that checks that the database accepts writes, and that its data is not being moved away. */
function createDatabaseCheck(db: Database, clock: Clock): () => Promise<unknown> {
  const write = createWriteCheck(db, clock.now);
  return async () => {
    await requireOpen(db);
    return write();
  };
}

/** Opens the platform for a single process: SQLite, with the queue and the rate limits in memory. */
function openEmbedded(db: Database, config: Config, clock = systemClock): Platform {
  let lock: ReturnType<typeof lockDataDir> | undefined;
  return {
    clock,
    db,
    queue: createEmbeddedQueue(paceOf(config)),
    limiter: createLimiter(clock, createRateLimitStore(db)),
    bus: createLocalBus(),
    checks: { database: createDatabaseCheck(db, clock) },
    inspectRedis: async () => ({}),
    claim() {
      lock = lockDataDir(config.DATA_DIR);
      return true;
    },
    async ready() {},
    async close() {
      lock?.close();
      await db.destroy();
    },
  };
}

/** Opens the platform for several processes, which share MySQL and Redis. */
async function openScaled(db: Database, config: Config, log: Log, jobs: boolean, ownClock?: Clock): Promise<Platform> {
  const databaseClock = ownClock ? undefined : await createDatabaseClock(db);
  const clock = ownClock ?? databaseClock!;
  const { name } = parseDatabaseUrl(config.DATABASE_URL!);
  // Imported dynamically, because a single process needs neither ioredis nor Bull.
  const { connectRedis } = await import('./redis.js');
  const tls = { ca: config.REDIS_CA_FILE, cert: config.REDIS_CERT_FILE, key: config.REDIS_KEY_FILE };
  const redis = connectRedis(config.REDIS_URL!, name, log, tls);
  const limiter = createRedisLimiter(redis, clock);
  // Imported dynamically, because the operator command does not need Bull.
  const bull = jobs ? await import('./queue/bull-queue.js') : undefined;
  // Not the check of `/health/ready`, which must start after the request for it.
  const write = createWriteCheck(db, clock.now);
  // Notices within a second that the primary has changed, before this process reads outdated rows for longer.
  const writes = jobs ? every(SECOND, systemClock, () => write().catch(() => undefined)) : undefined;
  let probeQueue: (() => Promise<void>) | undefined;

  /** Does what a send does, because a Redis that replies to PING may still reject scripts or writes. */
  async function checkRedis(): Promise<void> {
    await limiter.probe();
    probeQueue ??= (await import('./queue/bull-queue.js')).createQueueProbe(redis);
    await probeQueue();
  }

  async function inspectRedis(): Promise<ServerFindings> {
    await redis.ready();
    return redis.inspect();
  }

  return {
    clock,
    db,
    queue: bull ? bull.createBullQueue(redis, paceOf(config)) : createEmbeddedQueue(paceOf(config)),
    limiter,
    bus: createRedisBus(redis),
    checks: { database: createDatabaseCheck(db, clock), redis: checkRedis },
    inspectRedis,
    claim: () => false,
    async ready() {
      const { problem } = await inspectRedis();
      if (problem !== undefined) throw new ConfigError([problem]);
    },
    async close() {
      await Promise.all([databaseClock?.stop(), writes?.stop()]);
      redis.close();
      await db.destroy();
    },
  };
}
