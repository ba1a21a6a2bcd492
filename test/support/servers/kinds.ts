/** Start and query functions for MySQL and Redis, the servers of a scaled deployment. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { openRedis, type RedisTls } from '../../../backend/src/platform/redis-client.js';
import { waiting } from '../wait.js';

const run = promisify(execFile);

/** Time limit of a query. A server that is starting may accept a connection but never reply. */
const QUERY_TIMEOUT_MS = 60_000;

/** Data folder and port of a local server. */
export interface ServerLocation {
  /** A folder that was empty before the first start, and that only this server uses. */
  readonly folder: string;
  readonly port: number;
}

export interface ServerKind {
  readonly name: string;
  /** Environment variable with the URL of a running server. */
  readonly variable: 'TEST_DATABASE_URL' | 'TEST_REDIS_URL';
  /** Service in docker-compose.yml, whose image the tests use. */
  readonly service: string;
  readonly container: {
    readonly port: number;
    readonly env: readonly string[];
    readonly command: readonly string[];
    url(port: number): string;
  };
  /** Program names, in order of preference; or the path of the only program to use. */
  readonly programs: readonly string[];
  readonly packages: { readonly apt: string; readonly brew: string };
  /** Prepares the data folder before the first start. `find` returns the path of a program. */
  prepare(program: string, place: ServerLocation, find: (name: string) => string | undefined): Promise<void>;
  commandLine(place: ServerLocation): readonly string[];
  url(port: number): string;
  /** Returns the name and version of the server. Rejects while the server is not ready. */
  queryVersion(url: string): Promise<string>;
}

/** mysqld refuses to run as root without this option. */
const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];
/**
 * Creates a user with all privileges over TCP. The root user of a new installation can connect only through the socket.
 */
const MYSQL_USER = `CREATE USER IF NOT EXISTS 'passbell'@'%' IDENTIFIED BY 'passbell';
GRANT ALL ON *.* TO 'passbell'@'%' WITH GRANT OPTION;
`;
/**
 * Turns off fsync, so that MySQL starts ten times as fast. Data still survives a killed process, but not a machine
 * crash.
 */
const WITHOUT_SYNC = ['--innodb-flush-method=nosync', '--loose-debug-no-sync'];

async function prepareMysql(program: string, { folder }: ServerLocation, find: (name: string) => string | undefined) {
  writeFileSync(join(folder, 'init.sql'), MYSQL_USER);
  const data = `--datadir=${join(folder, 'data')}`;
  const install = find('mariadb-install-db');
  const { stdout } = await run(program, ['--version']);
  const [command, args] =
    install && /mariadb/i.test(stdout)
      ? [install, [...asRoot, '--skip-test-db', '--auth-root-authentication-method=normal']]
      : [program, [...asRoot, '--initialize-insecure']];
  await waiting('a new data folder of MySQL', run(command, ['--no-defaults', data, ...args, ...WITHOUT_SYNC]));
}

async function queryMysqlVersion(url: string): Promise<string> {
  const connection = await createConnection({ uri: url, connectTimeout: QUERY_TIMEOUT_MS });
  // Without a listener, an error on an idle connection would end the process.
  connection.on('error', () => {});
  try {
    const [rows] = await connection.query({ sql: 'select version() as version', timeout: QUERY_TIMEOUT_MS });
    const { version } = (rows as { version: string }[])[0]!;
    return /mariadb/i.test(version) ? version : `MySQL ${version}`;
  } finally {
    connection.destroy();
  }
}

export const MYSQL: ServerKind = {
  name: 'MySQL',
  variable: 'TEST_DATABASE_URL',
  service: 'mysql',
  container: {
    port: 3306,
    env: ['MYSQL_ROOT_PASSWORD=passbell'],
    command: ['--max-connections=500', '--innodb-flush-method=nosync', '--skip-log-bin'],
    url: (port) => `mysql://root:passbell@127.0.0.1:${port}`,
  },
  programs: process.env.TEST_MYSQLD ? [process.env.TEST_MYSQLD] : ['mariadbd', 'mysqld'],
  packages: { apt: 'mariadb-server', brew: 'mariadb' },
  prepare: prepareMysql,
  commandLine: ({ folder, port }) => [
    '--no-defaults',
    ...asRoot,
    `--datadir=${join(folder, 'data')}`,
    `--tmpdir=${folder}`,
    `--socket=${join(folder, 's')}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--init-file=${join(folder, 'init.sql')}`,
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    '--skip-networking=0',
    '--skip-name-resolve',
    '--skip-log-bin',
    '--max-connections=500',
    '--performance-schema=OFF',
    '--innodb-buffer-pool-size=64M',
    // The X protocol would listen on another port.
    '--loose-mysqlx=OFF',
    ...WITHOUT_SYNC,
  ],
  url: (port) => `mysql://passbell:passbell@127.0.0.1:${port}`,
  queryVersion: queryMysqlVersion,
};

export async function queryRedisVersion(url: string, tls: RedisTls = {}): Promise<string> {
  const redis = openRedis(url, tls, {
    connectTimeout: QUERY_TIMEOUT_MS,
    commandTimeout: QUERY_TIMEOUT_MS,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    // With the default timeout, a failed connection would keep the process alive.
    disconnectTimeout: 50,
  });
  let problem: Error | undefined;
  redis.on('error', (error: Error) => (problem = error));
  try {
    await redis.ping();
    const info = await redis.info();
    const [, valkey] = /^valkey_version:(.*?)\r?$/m.exec(info) ?? [];
    return valkey === undefined ? `Redis ${/^redis_version:(.*?)\r?$/m.exec(info)?.[1]}` : `Valkey ${valkey}`;
  } catch (error) {
    // The error event contains the cause. The rejection contains only "Connection is closed."
    throw problem ?? error;
  } finally {
    redis.disconnect();
  }
}

const redisAt = (port: number): string => `redis://127.0.0.1:${port}`;

/** Options that make data survive a restart, as in docker-compose.yml. Tests that need an empty Redis call FLUSHALL. */
const REDIS_OPTIONS = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec', '--databases', '256'];

export const REDIS: ServerKind = {
  name: 'Redis',
  variable: 'TEST_REDIS_URL',
  service: 'redis',
  container: { port: 6379, env: [], command: ['valkey-server', ...REDIS_OPTIONS], url: redisAt },
  programs: process.env.TEST_REDIS_SERVER ? [process.env.TEST_REDIS_SERVER] : ['redis-server', 'valkey-server'],
  packages: { apt: 'redis-server', brew: 'redis' },
  prepare: async () => {},
  commandLine: ({ folder, port }) => ['--bind', '127.0.0.1', '--port', `${port}`, '--dir', folder, ...REDIS_OPTIONS],
  url: redisAt,
  queryVersion: (url) => queryRedisVersion(url),
};
