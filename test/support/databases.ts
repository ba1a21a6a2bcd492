/** Separate databases for each test on the shared MySQL and Redis servers. */
import { randomBytes } from 'node:crypto';
import { Cluster } from 'ioredis';
import { createConnection } from 'mysql2/promise';
import { parseRedisUrl } from '../../backend/src/platform/redis-address.js';
import { openRedis, type RedisClient } from '../../backend/src/platform/redis-client.js';

export { startMysql, startPrivateRedis, startRedis, startRedisGroup } from './servers/servers.js';
export type { PrivateServer, RedisGroup, RedisGroupKind } from './servers/servers.js';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

function shared(variable: string): string {
  const url = process.env[variable];
  if (!url) throw new Error(`${variable} is not set: this test belongs to the project "scaled" of jest.config.mjs`);
  return url;
}

/** Creates an empty database on the shared server, or on `server`. */
export async function createTestDatabase(
  server = shared('PASSBELL_TEST_MYSQL_URL'),
  name = `passbell_test_${randomBytes(8).toString('hex')}`,
): Promise<TestDatabase> {
  const run = async (sql: string) => {
    const connection = await createConnection(server);
    await connection.query(sql).finally(() => connection.end());
  };
  await run(`create database if not exists \`${name}\``);
  return { url: new URL(`/${name}`, server).href, drop: () => run(`drop database if exists \`${name}\``) };
}

/** Default number of databases of a Redis server. */
const REDIS_DATABASES = 16;

/**
 * Returns a URL of the shared Redis. Up to 15 test files that run in parallel use different databases; database 0 is never
 * used. A Cluster has only one database, in which the names of the keys differ.
 */
export function redisUrl(): string {
  const url = shared('PASSBELL_TEST_REDIS_URL');
  const worker = Number(process.env.JEST_WORKER_ID ?? 1);
  const database = 1 + ((worker - 1) % (REDIS_DATABASES - 1));
  switch (parseRedisUrl(url).kind) {
    case 'single':
      return new URL(`/${database}`, url).href;
    case 'sentinel':
      return `${url}?db=${database}`;
    case 'cluster':
      return url;
  }
}

/** Deletes the keys of the installation with this MySQL database, as if Redis had lost them. */
export async function emptyRedis(databaseUrl: string): Promise<void> {
  const redis = openRedis(redisUrl());
  const prefix = new URL(databaseUrl).pathname.slice(1);
  for (const key of await keysOf(redis, `*${prefix}:*`)) await redis.del(key);
  redis.disconnect();
}

/** Returns the matching keys, in a Cluster those of all nodes. */
export async function keysOf(redis: RedisClient, pattern: string): Promise<string[]> {
  await redis.ping();
  const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
  return (await Promise.all(nodes.map((node) => node.keys(pattern)))).flat();
}
