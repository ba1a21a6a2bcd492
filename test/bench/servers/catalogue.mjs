/** The servers to measure. Each server runs on separate databases. */
import { fillRows } from '../rows.mjs';
import { startBetterAuth } from './better-auth.mjs';
import { startHttpFloor, startSqlFloor } from './floors.mjs';
import { createTables, startPassbell } from './passbell.mjs';

/**
 * Starts Passbell on MySQL and Redis: an API process and a worker, or one process with both roles. `count` returns the
 * URLs of counting proxies for the API and the worker.
 */
async function scaled({ name, databases, count, waitMs, prepare, profileTo, worker = true, processes }) {
  const direct = await databases.fresh(name);
  const [databaseUrl, workerDatabaseUrl] = (await count?.(direct)) ?? [direct, direct];
  const redisUrl = await databases.freshRedis();
  return startPassbell({
    name,
    databaseUrl,
    redisUrl,
    processes,
    waitMs,
    profileTo,
    workerDatabaseUrl: worker ? workerDatabaseUrl : undefined,
    prepare: () => prepare?.(direct),
  });
}

async function betterAuth({ name, databases, count, options, redis = false, token = 'endpoint' }) {
  const direct = await databases.fresh(name);
  const [databaseUrl] = (await count?.(direct)) ?? [direct];
  const redisUrl = redis ? await databases.freshRedis() : undefined;
  return startBetterAuth({ name, databaseUrl, redisUrl, by: options.betterAuthBy, token });
}

/** Starts the SQL baseline, on tables that Passbell created. */
async function sqlFloor({ name, databases }) {
  const databaseUrl = await databases.fresh(name);
  await createTables(databaseUrl, await databases.freshRedis());
  return startSqlFloor(name, databaseUrl);
}

export const CATALOGUE = {
  passbell: {
    about: 'Passbell, api and worker process, MariaDB and Redis; a send answers once the provider has taken it',
    start: (context) => scaled(context),
    counted: true,
  },
  'passbell-all': {
    about: 'Passbell, one process with both roles, MariaDB and Redis; it delivers the messages that it accepts',
    start: (context) => scaled({ ...context, worker: false }),
    counted: true,
  },
  'passbell-all-2': {
    about: 'two such processes',
    start: (context) => scaled({ ...context, worker: false, processes: 2 }),
  },
  'passbell-all-4': {
    about: 'four such processes',
    start: (context) => scaled({ ...context, worker: false, processes: 4 }),
  },
  'passbell-nowait': {
    about: 'Passbell, api and worker process, SEND_WAIT_MS=0: replies once a send is stored and queued',
    start: (context) => scaled({ ...context, waitMs: 0 }),
    counted: true,
  },
  'passbell-rows': {
    about: 'Passbell with the tables filled before (--rows)',
    start: (context) => scaled({ ...context, prepare: (url) => fillRows(url, context.options.rows, context.progress) }),
    onlyWithRows: true,
  },
  'passbell-embedded': {
    about: 'Passbell, one process on SQLite (every acknowledged send synced to disk)',
    start: ({ name }) => startPassbell({ name }),
  },
  'better-auth': {
    about: 'better-auth on MariaDB, its JWT by a request of its own',
    start: (context) => betterAuth(context),
    counted: true,
  },
  'better-auth-cookie': {
    about: 'the same with the JWT as its session cookie, which spares that request',
    start: (context) => betterAuth({ ...context, token: 'cookie' }),
    counted: true,
  },
  'better-auth-redis': {
    about: 'better-auth on MariaDB with Redis as its secondary storage, its JWT by a request of its own',
    start: (context) => betterAuth({ ...context, redis: true }),
    counted: true,
  },
  'better-auth-redis-cookie': {
    about: 'the same with the JWT as its session cookie',
    start: (context) => betterAuth({ ...context, redis: true, token: 'cookie' }),
    counted: true,
  },
  express: {
    about: 'floor: the same requests on bare Express',
    start: ({ name }) => startHttpFloor(name, 'floor-express.mjs'),
  },
  http: {
    about: 'floor: the same requests on bare node:http',
    start: ({ name }) => startHttpFloor(name, 'floor-http.mjs'),
  },
  sql: {
    about: 'floor: 2 statements a send and 3 a verify, prepared, no HTTP',
    start: (context) => sqlFloor(context),
  },
};
