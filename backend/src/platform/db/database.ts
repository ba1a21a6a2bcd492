import { mkdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join, resolve } from 'node:path';
import knex, { type Knex } from 'knex';
import { DATABASE_FILE } from '../data-dir.js';
import { keepPreparedStatements } from './prepared-statements.js';
import { sqliteClient } from './sqlite-driver.js';

/** Maximum number of recent rows that a look-up without an index scans. */
export const RECENT_SCAN_LIMIT = 5000;
/** Maximum number of rows that a clean-up statement deletes, so that it never blocks other statements for long. */
export const CLEANUP_BATCH = 500;
const DATABASE_CONNECTIONS = 10;
/** How long a request waits for the database before it fails with `SERVICE_UNAVAILABLE`. */
const DATABASE_TIMEOUT_MS = 5000;
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

export type Database = Knex;

/**
 * Disables knex log messages on standard output, which is reserved for the operator command's output. Knex also throws
 * the errors that it would log.
 */
const SILENT_LOG = { warn() {}, error() {}, deprecate() {}, debug() {} };

/** With this isolation level, MySQL does not lock the gaps between rows, so other transactions can insert there. */
const READ_COMMITTED = 'set session transaction isolation level read committed';

/**
 * Without these timeouts, a statement would keep waiting for a lock after the client has timed out, and its transaction
 * would keep its own locks. A client that has disappeared would never release its locks.
 */
const LOCK_TIMEOUTS = `set session innodb_lock_wait_timeout = ${DATABASE_LOCK_SECONDS}, wait_timeout = ${DATABASE_ABANDONED_SECONDS}`;

interface Mysql {
  removeAllListeners(): unknown;
  readonly stream: Socket;
  query(sql: string, done: (error: Error | null) => void): void;
}

interface SqliteConnection {
  pragma(text: string): unknown;
  prepare(sql: string): object;
}

export interface DatabaseLocation {
  /** MySQL or MariaDB; undefined for the SQLite file in `dataDir`. */
  readonly url: string | undefined;
  readonly dataDir: string;
  readonly noTimeouts?: boolean;
}

/** Returns the database's file, or the server and name, without credentials. */
export function describeDatabase({ url, dataDir }: DatabaseLocation): string {
  if (url === undefined) return join(resolve(dataDir), DATABASE_FILE);
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

export function openDatabase({ url, dataDir, noTimeouts = false }: DatabaseLocation): Database {
  return url === undefined ? openSqlite(dataDir) : openMysql(url, noTimeouts);
}

function openSqlite(dataDir: string): Database {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return knex({
    client: sqliteClient(),
    log: SILENT_LOG,
    connection: { filename: join(dataDir, DATABASE_FILE) },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1,
      afterCreate: (connection: SqliteConnection, done: (error: Error | null) => void) => {
        // With FULL, acknowledged writes survive a power cut. busy_timeout is for writes by the operator command.
        for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'busy_timeout = 1000'])
          connection.pragma(pragma);
        keepPreparedStatements(connection);
        done(null);
      },
    },
  });
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

function openMysql(url: string, noTimeouts: boolean): Database {
  return knex({
    client: 'mysql2',
    log: SILENT_LOG,
    connection: { uri: url, charset: 'utf8mb4', timezone: 'Z', connectTimeout: DATABASE_TIMEOUT_MS },
    pool: {
      min: 0,
      max: DATABASE_CONNECTIONS,
      // Short, because a query fails on a connection that the server has already closed.
      idleTimeoutMillis: DATABASE_IDLE_MS,
      afterCreate(connection: Mysql, done: (error: Error | null) => void) {
        keepErrorListener(connection);
        if (noTimeouts) return connection.query(READ_COMMITTED, done);
        closeWhenUnresponsive(connection);
        connection.query(READ_COMMITTED, (error) => (error ? done(error) : connection.query(LOCK_TIMEOUTS, done)));
      },
    },
    acquireConnectionTimeout: DATABASE_TIMEOUT_MS,
  });
}

/** Runs `work` on the query's rows in chunks, so that no statement locks rows for long. `key` is the primary key. */
export async function inChunks(
  query: () => Knex.QueryBuilder,
  key: string,
  work: (rows: Knex.QueryBuilder) => PromiseLike<unknown>,
): Promise<void> {
  for (;;) {
    const rows: Record<string, unknown>[] = await query().select(key).limit(CLEANUP_BATCH);
    const keys = rows.map((row) => row[key] as string | number);
    if (keys.length > 0) await work(query().whereIn(key, keys));
    if (keys.length < CLEANUP_BATCH) return;
  }
}

export function deleteInChunks(query: () => Knex.QueryBuilder, key: string): Promise<void> {
  return inChunks(query, key, (rows) => rows.delete());
}
