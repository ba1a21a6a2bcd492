/** The two kinds of servers that the scaled way of running needs, and how each is started and asked. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';

const run = promisify(execFile);

/** A server that hangs must not hang the test that asks it. */
export const ASK_MS = 3000;
/** MariaDB needs half a second and MySQL ten for a new data folder. */
const PREPARE_MS = 120_000;

/** Where a local server lives. */
export interface Place {
  /** Empty at the start, and its own. */
  readonly folder: string;
  readonly port: number;
}

export interface Kind {
  readonly name: string;
  /** The setting of the environment that names a running one. */
  readonly variable: 'TEST_DATABASE_URL' | 'TEST_REDIS_URL';
  /** Its service in docker-compose.yml, whose image the tests use as well. */
  readonly service: string;
  readonly container: {
    readonly port: number;
    readonly env: readonly string[];
    readonly command: readonly string[];
    url(port: number): string;
  };
  /** Names of its program, best first. */
  readonly programs: readonly string[];
  readonly packages: { readonly apt: string; readonly brew: string };
  /** Makes what the program needs before its first start. `find` answers the path of a program. */
  prepare(program: string, place: Place, find: (name: string) => string | undefined): Promise<void>;
  commandLine(place: Place): readonly string[];
  url(port: number): string;
  /** Its name and version; rejects while it does not serve. */
  ask(url: string): Promise<string>;
}

/** mysqld refuses to run as root unless it is told to. */
const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];
/** A user who may do everything, also over TCP, which the root of a fresh installation may not. */
const MYSQL_USER = `CREATE USER IF NOT EXISTS 'passbell'@'%' IDENTIFIED BY 'passbell';
GRANT ALL ON *.* TO 'passbell'@'%' WITH GRANT OPTION;
`;
/** Survives the death of the process, which tests bring about, but not of the machine; starts ten times as fast. */
const WITHOUT_SYNC = ['--innodb-flush-method=nosync', '--loose-debug-no-sync'];

async function prepareMysql(program: string, { folder }: Place, find: (name: string) => string | undefined) {
  writeFileSync(join(folder, 'init.sql'), MYSQL_USER);
  const data = `--datadir=${join(folder, 'data')}`;
  const install = find('mariadb-install-db');
  const { stdout } = await run(program, ['--version']);
  const [command, args] =
    install && /mariadb/i.test(stdout)
      ? [install, [...asRoot, '--skip-test-db', '--auth-root-authentication-method=normal']]
      : [program, [...asRoot, '--initialize-insecure']];
  await run(command, ['--no-defaults', data, ...args, ...WITHOUT_SYNC], { timeout: PREPARE_MS });
}

/** One connection, one statement, one answer. */
async function askMysql(url: string): Promise<string> {
  const connection = await createConnection({ uri: url, connectTimeout: ASK_MS });
  // Without a listener an error on an idle connection would end the process.
  connection.on('error', () => {});
  try {
    const [rows] = await connection.query({ sql: 'select version() as version', timeout: ASK_MS });
    const { version } = (rows as { version: string }[])[0]!;
    return /mariadb/i.test(version) ? version : `MySQL ${version}`;
  } finally {
    connection.destroy();
  }
}

export const MYSQL: Kind = {
  name: 'MySQL',
  variable: 'TEST_DATABASE_URL',
  service: 'mysql',
  container: {
    port: 3306,
    env: ['MYSQL_ROOT_PASSWORD=passbell'],
    command: ['--max-connections=500', '--innodb-flush-method=nosync', '--skip-log-bin'],
    url: (port) => `mysql://root:passbell@127.0.0.1:${port}`,
  },
  programs: ['mariadbd', 'mysqld'],
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
    // Its second protocol would listen on a port of its own.
    '--loose-mysqlx=OFF',
    ...WITHOUT_SYNC,
  ],
  url: (port) => `mysql://passbell:passbell@127.0.0.1:${port}`,
  ask: askMysql,
};

async function askRedis(url: string): Promise<string> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: ASK_MS,
    commandTimeout: ASK_MS,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    // It runs out in full where nothing listens, and keeps the process.
    disconnectTimeout: 50,
  });
  let problem: Error | undefined;
  redis.on('error', (error) => (problem = error));
  try {
    await redis.connect();
    await redis.ping();
    const info = await redis.info('server');
    return `Redis ${/^redis_version:(.*?)\r?$/m.exec(info)?.[1]}`;
  } catch (error) {
    // "Connection is closed." says less than what closed it.
    throw problem ?? error;
  } finally {
    redis.disconnect();
  }
}

const redisAt = (port: number): string => `redis://127.0.0.1:${port}`;

/** What is written is kept over a restart, as in docker-compose.yml; a test that wants Redis empty says FLUSHALL. */
const REDIS_OPTIONS = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec', '--databases', '256'];

export const REDIS: Kind = {
  name: 'Redis',
  variable: 'TEST_REDIS_URL',
  service: 'redis',
  container: { port: 6379, env: [], command: ['redis-server', ...REDIS_OPTIONS], url: redisAt },
  programs: ['redis-server'],
  packages: { apt: 'redis-server', brew: 'redis' },
  prepare: async () => {},
  commandLine: ({ folder, port }) => ['--bind', '127.0.0.1', '--port', `${port}`, '--dir', folder, ...REDIS_OPTIONS],
  url: redisAt,
  ask: askRedis,
};
