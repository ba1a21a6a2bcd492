import { mkdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import knex, { type Knex } from 'knex';
import { DATABASE_FILE } from '../data-dir.js';
import { isMigrationRace } from './database-errors.js';
import * as first from './migrations/0001-first.js';
import * as twoFactor from './migrations/0002-two-factor.js';
import * as templateOverrides from './migrations/0003-template-overrides.js';
import * as deliveryReports from './migrations/0004-delivery-reports.js';
import * as webhooks from './migrations/0005-webhooks.js';
import * as dashboard from './migrations/0006-dashboard.js';
import * as messageLookup from './migrations/0007-message-lookup.js';
import * as refusedCallers from './migrations/0008-refused-callers.js';
import * as twoFactorCallers from './migrations/0009-two-factor-callers.js';
import * as ceilings from './migrations/0011-ceilings.js';
import * as passkeys from './migrations/0012-passkeys.js';
import * as retention from './migrations/0013-retention.js';
import * as signInLinkAccount from './migrations/0014-sign-in-link-account.js';
import * as fraud from './migrations/0015-fraud.js';
import * as fraudNotices from './migrations/0016-fraud-notices.js';
import * as fraudObservations from './migrations/0018-fraud-observations.js';
import * as providers from './migrations/0019-providers.js';
import * as prices from './migrations/0020-prices.js';
import * as webhookAttempts from './migrations/0025-webhook-attempts.js';
import * as repeatedVerification from './migrations/0026-repeated-verification.js';
import * as automations from './migrations/0027-automations.js';
import * as applicationDeletion from './migrations/0028-application-deletion.js';
import * as usersAndBranding from './migrations/0029-users-and-branding.js';
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
/**
 * Number of attempts to migrate while another process is migrating. Including the pauses, all attempts take half a
 * minute.
 */
const MIGRATION_ATTEMPTS = 60;
const MIGRATION_PAUSE_MS = 500;

export type Database = Knex;

/** Migrations in the order in which they run. A released migration is never edited. */
const MIGRATIONS: Record<string, Knex.Migration> = {
  '0001-first': first,
  '0002-two-factor': twoFactor,
  '0003-template-overrides': templateOverrides,
  '0004-delivery-reports': deliveryReports,
  '0005-webhooks': webhooks,
  '0006-dashboard': dashboard,
  '0007-message-lookup': messageLookup,
  '0008-refused-callers': refusedCallers,
  '0009-two-factor-callers': twoFactorCallers,
  '0011-ceilings': ceilings,
  '0012-passkeys': passkeys,
  '0013-retention': retention,
  '0014-sign-in-link-account': signInLinkAccount,
  '0015-fraud': fraud,
  '0016-fraud-notices': fraudNotices,
  '0018-fraud-observations': fraudObservations,
  '0019-providers': providers,
  '0020-prices': prices,
  '0025-webhook-attempts': webhookAttempts,
  '0026-repeated-verification': repeatedVerification,
  '0027-automations': automations,
  '0028-application-deletion': applicationDeletion,
  '0029-users-and-branding': usersAndBranding,
};

/**
 * The table that records the migrations. Versions that record them in knex's default table refuse to start if it
 * contains a migration that they do not know, so they could not run again after an upgrade.
 */
const MIGRATIONS_TABLE = 'passbell_migrations';
const EARLIER_MIGRATIONS_TABLE = 'knex_migrations';
const MIGRATIONS_LOCK = `${MIGRATIONS_TABLE}_lock`;

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

interface DatabaseLocation {
  /** MySQL or MariaDB; undefined for the SQLite file in `dataDir`. */
  readonly url: string | undefined;
  readonly dataDir: string;
  readonly noTimeouts?: boolean;
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

/** Runs the migrations. Uses connections without timeouts, because rebuilding a large table takes a long time. */
export async function migrate(location: DatabaseLocation): Promise<void> {
  const db = openDatabase({ ...location, noTimeouts: true });
  await migrateOn(db).finally(() => db.destroy());
}

async function earlierMigrations(db: Knex): Promise<string[]> {
  return (await db.schema.hasTable(EARLIER_MIGRATIONS_TABLE)) ? db(EARLIER_MIGRATIONS_TABLE).pluck('name') : [];
}

/** Returns the migrations that upgrades ran. A new database runs its first batch of migrations without an upgrade. */
export async function migrationsOfUpgrades(db: Knex): Promise<string[]> {
  const afterFirstBatch = (table: string): Promise<string[]> =>
    db(table).where('batch', '>', db(table).min('batch')).pluck('name');
  if ((await earlierMigrations(db)).length === 0) return afterFirstBatch(MIGRATIONS_TABLE);
  return [...(await afterFirstBatch(EARLIER_MIGRATIONS_TABLE)), ...(await db(MIGRATIONS_TABLE).pluck('name'))];
}

/**
 * Creates the only row of the lock. If knex created it, processes that start together would each add a row, and knex
 * would then report forever that the database is locked.
 */
async function createLock(db: Database): Promise<void> {
  if (!(await db.schema.hasTable(MIGRATIONS_LOCK)))
    await db.schema.createTable(MIGRATIONS_LOCK, (t) => {
      t.increments('index').primary();
      t.integer('is_locked');
    });
  await db(MIGRATIONS_LOCK).insert({ index: 1, is_locked: 0 }).onConflict('index').ignore();
}

/**
 * If several processes start together, one of them migrates the database, and the others wait until it has finished.
 */
async function migrateOn(db: Database): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await createLock(db);
      const earlier = await earlierMigrations(db);
      await db.migrate.latest({
        tableName: MIGRATIONS_TABLE,
        disableMigrationsListValidation: true,
        migrationSource: {
          getMigrations: async () => Object.keys(MIGRATIONS).filter((name) => !earlier.includes(name)),
          getMigrationName: (name: string) => name,
          getMigration: async (name: string) => MIGRATIONS[name]!,
        },
      });
      return;
    } catch (error) {
      if (!isMigrationRace(error) || attempt === MIGRATION_ATTEMPTS) throw error;
      await sleep(MIGRATION_PAUSE_MS);
    }
  }
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
