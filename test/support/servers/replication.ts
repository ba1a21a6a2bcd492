/** A primary and a replica that can change places, for tests of a failover. */
import { createConnection, type Connection } from 'mysql2/promise';
import { MYSQL, type ServerKind } from './kinds.js';
import type { PrivateServer } from './private-server.js';
import { startPrivate } from './servers.js';

/** Without the privilege to write to a read-only server, unlike the tests' usual user. */
export const APP_USER = 'app';

const BINARY_LOG = ['--log-bin=binlog', '--binlog-format=ROW', '--sync-binlog=0'];
/** MySQL records positions only with these options, which MariaDB does not have. */
const POSITIONS = ['--loose-gtid-mode=ON', '--loose-enforce-gtid-consistency=ON'];

/** `--skip-log-bin` would have priority over `--log-bin`. */
const withBinaryLog = (options: readonly string[], serverId: number) => [
  ...options.filter((option) => option !== '--skip-log-bin'),
  ...BINARY_LOG,
  ...POSITIONS,
  `--server-id=${serverId}`,
];

function replicating(serverId: number): ServerKind {
  const command = withBinaryLog(MYSQL.container.command, serverId);
  const commandLine: ServerKind['commandLine'] = (place) => withBinaryLog(MYSQL.commandLine(place), serverId);
  const container = { ...MYSQL.container, command };
  return { ...MYSQL, container, commandLine };
}

interface Dialect {
  readonly forgetHistory: string;
  readonly follow: (host: string, port: string, user: string, password: string) => readonly string[];
  readonly position: string;
  readonly reach: string;
  readonly stopFollowing: readonly string[];
}

const MARIADB: Dialect = {
  forgetHistory: 'reset master',
  follow: (host, port, user, password) => [
    `change master to master_host='${host}', master_port=${port}, master_user='${user}', master_password='${password}', master_use_gtid=current_pos`,
    'start slave',
  ],
  position: 'select @@global.gtid_binlog_pos as position',
  reach: 'select master_gtid_wait(?, 60) as result',
  stopFollowing: ['stop slave', 'reset slave all'],
};

const MYSQL_8: Dialect = {
  forgetHistory: 'reset binary logs and gtids',
  follow: (host, port, user, password) => [
    `change replication source to source_host='${host}', source_port=${port}, source_user='${user}', source_password='${password}', source_auto_position=1, get_source_public_key=1`,
    'start replica',
  ],
  position: 'select @@global.gtid_executed as position',
  reach: 'select wait_for_executed_gtid_set(?, 60) as result',
  stopFollowing: ['stop replica', 'reset replica all'],
};

export interface MysqlPair {
  readonly servers: readonly [PrivateServer, PrivateServer];
  /** Makes the primary read-only, waits until the other server has all of its data, and makes that one the primary. */
  promote(index: 0 | 1): Promise<void>;
  close(): Promise<void>;
}

async function run(connection: Connection, ...statements: readonly string[]): Promise<void> {
  for (const statement of statements) await connection.query(statement);
}

async function valueOf(connection: Connection, sql: string, values: unknown[] = []): Promise<unknown> {
  const [rows] = await connection.query(sql, values);
  return Object.values((rows as object[])[0]!)[0];
}

/** Starts both servers. The first one is the primary. */
export async function startMysqlPair(): Promise<MysqlPair> {
  const [first, second] = await Promise.all([1, 2].map((id) => startPrivate(replicating(id))));
  const servers = [first!, second!] as const;
  const dialect = /mariadb/i.test(first!.version) ? MARIADB : MYSQL_8;
  const admins = await Promise.all(servers.map(({ url }) => createConnection(url)));
  const follow = async (index: 0 | 1) => {
    const { hostname, port, username, password } = new URL(servers[1 - index]!.url);
    await run(admins[index]!, 'set global read_only = 1', ...dialect.follow(hostname, port, username, password));
  };
  for (const admin of admins) await run(admin, dialect.forgetHistory);
  await follow(1);
  await run(
    admins[0]!,
    `create user '${APP_USER}'@'%' identified by '${APP_USER}'`,
    `grant select, insert, update, delete, create, alter, drop, index, references on *.* to '${APP_USER}'@'%'`,
  );
  return {
    servers,
    async promote(index) {
      const old = admins[1 - index]!;
      const next = admins[index]!;
      await run(old, 'set global read_only = 1');
      await valueOf(next, dialect.reach, [await valueOf(old, dialect.position)]);
      await run(next, ...dialect.stopFollowing, 'set global read_only = 0');
      await follow((1 - index) as 0 | 1);
    },
    async close() {
      admins.forEach((admin) => admin.destroy());
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
