/** Separate databases for each test on the shared MySQL and Redis servers. */
import { randomBytes } from 'node:crypto';
import { createConnection } from 'mysql2/promise';

export { startMysql, startRedis, type PrivateServer } from './servers/servers.js';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

function shared(variable: string): URL {
  const url = process.env[variable];
  if (!url) throw new Error(`${variable} is not set: this test belongs to the project "scaled" of jest.config.mjs`);
  return new URL(url);
}

/** Creates an empty database on the shared server, or on `server`. */
export async function createTestDatabase(
  server = shared('PASSBELL_TEST_MYSQL_URL').href,
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
 * used.
 */
export function redisUrl(): string {
  const url = shared('PASSBELL_TEST_REDIS_URL');
  const worker = Number(process.env.JEST_WORKER_ID ?? 1);
  url.pathname = `/${1 + ((worker - 1) % (REDIS_DATABASES - 1))}`;
  return url.href;
}
