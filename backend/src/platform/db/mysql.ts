/** Connections to MySQL: their session, and the switch to another server when the primary has changed. */
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import knex, { type Knex } from 'knex';
import { MINUTE } from '../clock.js';
import { isReadOnly, isServerLost } from './database-errors.js';
import { parseDatabaseUrl, tlsModeOf, type DatabaseCertificates, type DatabaseUrl } from './database-url.js';

const require = createRequire(import.meta.url);

const DATABASE_CONNECTIONS = 10;
/** How long a request waits for the database before it fails with `SERVICE_UNAVAILABLE`. */
const DATABASE_TIMEOUT_MS = 5000;
/** How long commands without time limits wait for a connection, which a busy server opens slowly. */
const PATIENT_CONNECT_MS = MINUTE;
/**
 * How long a statement waits for a locked row. Less than {@link DATABASE_TIMEOUT_MS}, so that MySQL gives up before
 * this process.
 */
const DATABASE_LOCK_SECONDS = 3;
/**
 * Idle time after which MySQL closes a connection and releases its locks. The pool closes its idle connections much
 * earlier.
 */
const DATABASE_ABANDONED_SECONDS = 15;
/**
 * How long the pool keeps an idle connection. Less than {@link DATABASE_TIMEOUT_MS}, after which silent connections are
 * closed.
 */
const DATABASE_IDLE_MS = 3000;

/** With this isolation level, MySQL does not lock the gaps between rows, so other transactions can insert there. */
const READ_COMMITTED = 'set session transaction isolation level read committed';

/**
 * Without these timeouts, a statement would keep waiting for a lock after the client has timed out, and its transaction
 * would keep its own locks. A client that has disappeared would never release its locks.
 */
const LOCK_TIMEOUTS = `set session innodb_lock_wait_timeout = ${DATABASE_LOCK_SECONDS}, wait_timeout = ${DATABASE_ABANDONED_SECONDS}`;

/** `innodb_read_only` is on at Aurora's readers. `wsrep_on` exists only if the server can be part of a Galera cluster. */
const SERVER_STATE = `show variables where variable_name in ('read_only', 'innodb_read_only', 'wsrep_on')`;

/**
 * A Galera node first applies the changes of other nodes that were committed earlier: before reads (1), and before
 * updates and deletes (2). Otherwise, a code that was sent through another node may not be found.
 */
const WAIT_FOR_OTHER_NODES = 'set session wsrep_sync_wait = 3';

/** How knex ends a transaction. */
const COMMIT = 'COMMIT;';

interface Mysql {
  removeAllListeners(): unknown;
  destroy(): void;
  readonly stream: Socket;
  query(sql: string, done: (error: Error | null, rows: { Variable_name: string; Value: string }[]) => void): void;
}

interface Statement {
  readonly sql: string;
}

/** The parts of knex's client that {@link mysqlClient} replaces. Knex has no types for them. */
interface MysqlClient {
  transacting?: boolean;
  connectionSettings: object;
  acquireRawConnection(): Promise<Mysql>;
  validateConnection(connection: Mysql): boolean;
  _query(connection: Mysql, statement: Statement): Promise<unknown>;
}

/** Closes the connection when the server stops responding, because a crashed machine does not close its connections. */
function closeWhenUnresponsive({ stream }: { stream: Socket }): void {
  const timeout = Object.assign(new Error('the database did not reply in time'), { code: 'ETIMEDOUT' });
  stream.setTimeout(DATABASE_TIMEOUT_MS, () => {
    const { bytesRead } = stream;
    // If this process was blocked, a reply may already have arrived. setImmediate runs after the reply has been read.
    setImmediate(() => {
      if (stream.bytesRead === bytesRead) stream.destroy(timeout);
    });
  });
}

/**
 * knex removes all listeners soon after it has closed a connection. If the closing hangs, the connection then emits an
 * error without a listener, which would end the process.
 */
function keepErrorListener(connection: Mysql): void {
  connection.removeAllListeners = () => connection;
}

/** Sets up a new connection. Throws if the server accepts no writes, because it is a replica or no longer the primary. */
async function startSession(connection: Mysql, noTimeouts: boolean): Promise<void> {
  const query = promisify(connection.query.bind(connection));
  keepErrorListener(connection);
  if (!noTimeouts) closeWhenUnresponsive(connection);
  const state = new Map((await query(SERVER_STATE)).map((row) => [row.Variable_name.toLowerCase(), row.Value]));
  if (state.get('read_only') === 'ON' || state.get('innodb_read_only') === 'ON')
    throw Object.assign(new Error('the database is read-only'), { code: 'ER_OPTION_PREVENTS_STATEMENT' });
  await query(READ_COMMITTED);
  if (!noTimeouts) await query(LOCK_TIMEOUTS);
  if (state.get('wsrep_on') === 'ON') await query(WAIT_FOR_OTHER_NODES);
}

/** Returns the driver's settings for each host, in the order in which they are tried. */
function settingsByHost(url: DatabaseUrl, certificates: DatabaseCertificates): object[] {
  const mode = tlsModeOf(url, certificates);
  const ssl = {
    ...certificates,
    rejectUnauthorized: mode.startsWith('VERIFY'),
    verifyIdentity: mode === 'VERIFY_IDENTITY',
  };
  return url.hosts.flatMap((uri) => {
    // All hosts are tried within the time that a request waits.
    const connectTimeout = DATABASE_TIMEOUT_MS / url.hosts.length;
    const plain = { uri, charset: 'utf8mb4', timezone: 'Z', connectTimeout };
    if (mode === 'DISABLED') return [plain];
    return mode === 'PREFERRED' ? [{ ...plain, ssl }, plain] : [{ ...plain, ssl }];
  });
}

const isRead = ({ sql }: Statement): boolean => /^\s*select\b/i.test(sql);

/**
 * knex's client for MySQL, which uses the first host that accepts writes. When a server becomes read-only, shuts down or
 * is lost, all connections are replaced, and statements that were certainly not executed are retried once. An error has
 * `notExecuted` if the whole transaction can be retried. After a lost connection during a COMMIT, nobody knows whether the
 * transaction was committed, so it is not retried.
 */
function mysqlClient(hosts: readonly object[], noTimeouts: boolean): typeof Knex.Client {
  const Client: new () => MysqlClient = require('knex/lib/dialects/mysql2/index.js');
  /**
   * Index of the host that was used last. Other hosts are tried after it, so that a former primary is not used again
   * while the new one works.
   */
  let current = 0;
  const openedAt = new WeakMap<Mysql, number>();
  /** Connections that were opened earlier are not used again. */
  let replacedAt = -Infinity;

  class FailoverClient extends Client {
    async connectTo(index: number): Promise<Mysql> {
      const start = performance.now();
      // knex reads the settings before it waits.
      this.connectionSettings = hosts[index]!;
      const connection = await super.acquireRawConnection();
      try {
        await startSession(connection, noTimeouts);
      } catch (error) {
        connection.destroy();
        throw error;
      }
      openedAt.set(connection, start);
      current = index;
      return connection;
    }

    override async acquireRawConnection(): Promise<Mysql> {
      const order = hosts.map((_host, n) => (current + n) % hosts.length);
      const failures: unknown[] = [];
      for (const index of order) {
        try {
          return await this.connectTo(index);
        } catch (error) {
          failures.push(error);
        }
      }
      throw failures[0];
    }

    override validateConnection(connection: Mysql): boolean {
      return openedAt.get(connection)! > replacedAt && super.validateConnection(connection);
    }

    override async _query(connection: Mysql, statement: Statement): Promise<unknown> {
      try {
        return await super._query(connection, statement);
      } catch (error) {
        const readOnly = isReadOnly(error);
        if (!readOnly && !isServerLost(error)) throw error;
        // An error on a connection that has been replaced says nothing about the newer ones.
        if (openedAt.get(connection)! > replacedAt) replacedAt = performance.now();
        if (this.transacting)
          throw Object.assign(error as Error, { notExecuted: readOnly || statement.sql !== COMMIT });
        if (!readOnly && !isRead(statement)) throw error;
        return this.retryOnce(statement);
      }
    }

    /** Runs a statement on a connection outside the pool, in which all connections may be waiting for the same. */
    async retryOnce(statement: Statement): Promise<unknown> {
      const connection = await this.acquireRawConnection();
      try {
        return await super._query(connection, statement);
      } finally {
        connection.destroy();
      }
    }
  }
  return FailoverClient as unknown as typeof Knex.Client;
}

export interface MysqlLocation {
  readonly url: string;
  readonly certificates?: DatabaseCertificates | undefined;
  readonly noTimeouts: boolean;
}

export function openMysql({ url, certificates = {}, noTimeouts }: MysqlLocation, log: Knex.Logger): Knex {
  const hosts = settingsByHost(parseDatabaseUrl(url), certificates);
  return knex({
    client: mysqlClient(hosts, noTimeouts),
    log,
    connection: hosts[0]!,
    // Short, because a query fails on a connection that the server has already closed.
    pool: { min: 0, max: DATABASE_CONNECTIONS, idleTimeoutMillis: DATABASE_IDLE_MS },
    acquireConnectionTimeout: noTimeouts ? PATIENT_CONNECT_MS : DATABASE_TIMEOUT_MS,
  });
}
