/** The test servers: all tests share one MySQL and one Redis, and tests that disrupt a server start a private one. */
import { findServer, environmentSource, startableSources, type ServerSource } from './find.js';
import { startGaleraWriters } from './galera.js';
import { MYSQL, REDIS, type ServerKind } from './kinds.js';
import type { PrivateServer } from './private-server.js';
import { REDIS_GROUPS, startRedisGroup, type RedisGroup } from './redis-groups.js';
import { endHang } from '../wait.js';

export type { PrivateServer } from './private-server.js';
export { startRedisGroup, type RedisGroup, type RedisGroupKind } from './redis-groups.js';

const log = (line: string): void => void process.stderr.write(`${line}\n`);
const quiet = (): void => {};

/** A server that all tests share. */
interface Shared {
  readonly url: string;
  readonly version: string;
  close?(): Promise<void>;
}

/** Returns a source that starts the group of Redis servers that `TEST_REDIS` names. */
function groupSource(name: string | undefined): ServerSource<Shared> {
  const kind = REDIS_GROUPS.find((each) => each === name);
  return {
    name: 'TEST_REDIS',
    required: true,
    async open() {
      if (name && !kind) throw new Error(`it must be ${REDIS_GROUPS.join(' or ')}`);
      return kind ? { server: await startRedisGroup(kind), how: `started as a ${kind} group` } : undefined;
    },
  };
}

/** Returns a source that starts the database servers that `TEST_DATABASE` names. */
const galeraSource = (name: string | undefined): ServerSource<Shared> => ({
  name: 'TEST_DATABASE',
  required: true,
  async open() {
    if (name && name !== 'galera') throw new Error('it must be galera');
    return name ? { server: await startGaleraWriters(), how: 'started as a cluster' } : undefined;
  },
});

async function share(kind: ServerKind, variable: string): Promise<Shared> {
  const group = kind === REDIS ? groupSource(process.env.TEST_REDIS) : galeraSource(process.env.TEST_DATABASE);
  const started = [group, ...startableSources(kind, log)];
  const sources: ServerSource<Shared>[] = [environmentSource(kind, process.env), ...started];
  const { server, how } = await findServer(kind, sources);
  log(`tests: ${server.version} at ${server.url.replace(/\/\/[^/]*@/, '//')}, ${how}`);
  process.env[variable] = server.url;
  return server;
}

/**
 * Finds or starts both servers, logs their sources, and puts their URLs into the environment, which test files inherit.
 * Returns a function that stops the started servers.
 */
export async function shareServers(): Promise<() => Promise<void>> {
  // The hang guard of jest's workers does not cover the setup.
  const results = await Promise.allSettled([
    endHang(() => share(MYSQL, 'PASSBELL_TEST_MYSQL_URL')),
    endHang(() => share(REDIS, 'PASSBELL_TEST_REDIS_URL')),
  ]);
  const close = async () => {
    await Promise.all(results.map((result) => result.status === 'fulfilled' && result.value.close?.()));
  };
  const problems = results.flatMap((result) =>
    result.status === 'rejected' ? [(result.reason as Error).message] : [],
  );
  if (problems.length === 0) return close;
  await close();
  throw new Error(problems.join('\n'));
}

/** Starts a private server of this kind. */
export const startPrivate = async (kind: ServerKind): Promise<PrivateServer> =>
  (await findServer(kind, startableSources(kind, quiet))).server;

/** Starts a private MySQL. Its user may create databases. */
export const startMysql = (): Promise<PrivateServer> => startPrivate(MYSQL);
/** Starts a private Redis, whose data survives a restart. */
export const startRedis = (): Promise<PrivateServer> => startPrivate(REDIS);
/** Starts a private Redis, or a private group if `TEST_REDIS` names one. */
export async function startPrivateRedis(): Promise<PrivateServer | RedisGroup> {
  const kind = REDIS_GROUPS.find((each) => each === process.env.TEST_REDIS);
  return kind ? startRedisGroup(kind) : startRedis();
}
