/** The private servers for the fault tests behave as expected when they are stopped, killed and frozen. */
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';
import { createTestDatabase, redisUrl, startMysql, startRedis, type PrivateServer } from '../support/databases.js';
import { MYSQL, REDIS } from '../support/servers/kinds.js';
import { LIBRARY_TIMEOUT_MS } from '../support/wait.js';

const servers: PrivateServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** A server that does not reply within this time counts as frozen. */
const FROZEN_MS = 500;

async function query(url: string, sql: string, timeout = LIBRARY_TIMEOUT_MS): Promise<unknown> {
  const connection = await createConnection({ uri: url, connectTimeout: timeout });
  connection.on('error', () => {});
  const [rows] = await connection.query({ sql, timeout }).finally(() => connection.destroy());
  return rows;
}

async function redis<T>(
  url: string,
  work: (client: Redis) => Promise<T>,
  commandTimeout = LIBRARY_TIMEOUT_MS,
): Promise<T> {
  const client = new Redis(url, {
    commandTimeout,
    disconnectTimeout: 50,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  client.on('error', () => {});
  return work(client).finally(() => client.disconnect());
}

it('each call creates a separate MySQL database, and each test file has a separate Redis database', async () => {
  const one = await createTestDatabase();
  const other = await createTestDatabase();
  await query(one.url, 'create table t (n int)');
  expect(await query(other.url, 'show tables')).toEqual([]);
  await one.drop();
  await expect(query(one.url, 'select 1')).rejects.toThrow('Unknown database');
  await other.drop();
  expect(redisUrl()).toMatch(/^redis:\/\/.*\/[1-9]\d*$|^redis\+sentinel:.*db=[1-9]\d*$|^redis\+cluster:/);
  expect(await REDIS.queryVersion(redisUrl())).toMatch(/^(Redis|Valkey) \d/);
});

it('MySQL can be stopped, killed, frozen and restarted, and keeps its data and port', async () => {
  const server = await startMysql();
  servers.push(server);
  const { url } = await createTestDatabase(server.url);
  await query(url, 'create table t (n int)');
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await query(url, 'insert into t values (1)');
    await server.stop(signal);
    await expect(query(url, 'select 1')).rejects.toThrow('ECONNREFUSED');
    await server.start();
  }
  expect(await query(url, 'select count(*) as rows_kept from t')).toEqual([{ rows_kept: 2 }]);

  await server.pause();
  await expect(query(url, 'select 1', FROZEN_MS)).rejects.toThrow(/timed?.?out/i);
  await server.resume();
  expect(await query(url, 'select 1 as alive')).toEqual([{ alive: 1 }]);

  await server.close();
  await expect(MYSQL.queryVersion(url)).rejects.toThrow('ECONNREFUSED');
});

it('Redis can be stopped, frozen and restarted, and keeps its data and port', async () => {
  const server = await startRedis();
  servers.push(server);
  await redis(server.url, (client) => client.set('k', 'v'));
  await server.stop();
  await expect(REDIS.queryVersion(server.url)).rejects.toThrow('ECONNREFUSED');
  await server.start();
  expect(await redis(server.url, (client) => client.get('k'))).toBe('v');

  await server.pause();
  await expect(redis(server.url, (client) => client.get('k'), FROZEN_MS)).rejects.toThrow('timed out');
  // A frozen server can be killed.
  await server.stop('SIGKILL');
  await server.start();
  expect(await redis(server.url, (client) => client.get('k'))).toBe('v');
});
