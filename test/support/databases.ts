/** Room of a test's own on the servers that all tests share. */
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

/** An empty database, on the shared server or on that of `server`. */
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

/** A Redis server has this many numbered databases unless it is told otherwise. */
const REDIS_DATABASES = 16;

/** The shared Redis; files that run at one time use different databases of it, and none uses the first. */
export function redisUrl(): string {
  const url = shared('PASSBELL_TEST_REDIS_URL');
  const worker = Number(process.env.JEST_WORKER_ID ?? 1);
  url.pathname = `/${1 + ((worker - 1) % (REDIS_DATABASES - 1))}`;
  return url.href;
}
