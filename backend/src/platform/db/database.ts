/** The database: SQLite in the data folder, or MySQL. */
import { mkdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import knex, { type Knex } from 'knex';
import { DATA_FILES } from '../data-dir.js';
import {
  CLEANUP_BATCH,
  DATABASE_ABANDONED_SECONDS,
  DATABASE_CONNECTIONS,
  DATABASE_IDLE_MS,
  DATABASE_LOCK_SECONDS,
  DATABASE_TIMEOUT_MS,
  MIGRATION_ATTEMPTS,
  MIGRATION_PAUSE_MS,
} from '../limits.js';
import { isMigrationRace } from './database-errors.js';
import * as first from './migrations/0001-first.js';
import * as twoFactor from './migrations/0002-two-factor.js';
import * as templateOverrides from './migrations/0003-template-overrides.js';
import * as deliveryReports from './migrations/0004-delivery-reports.js';
import * as webhooks from './migrations/0005-webhooks.js';
import * as dashboard from './migrations/0006-dashboard.js';
import * as messageLookup from './migrations/0007-message-lookup.js';
import * as refusedCallers from './migrations/0008-refused-callers.js';

export type Database = Knex;

/** In order; a landed one is never edited. */
const MIGRATIONS: Record<string, Knex.Migration> = {
  '0001-first': first,
  '0002-two-factor': twoFactor,
  '0003-template-overrides': templateOverrides,
  '0004-delivery-reports': deliveryReports,
  '0005-webhooks': webhooks,
  '0006-dashboard': dashboard,
  '0007-message-lookup': messageLookup,
  '0008-refused-callers': refusedCallers,
};

const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(MIGRATIONS),
  getMigrationName: (name) => name,
  getMigration: async (name) => MIGRATIONS[name]!,
};

/** knex prints to standard output, which belongs to the operator command; what fails reaches us as an error anyway. */
const silent = { warn() {}, error() {}, deprecate() {}, debug() {} };

interface Pragmas {
  pragma(text: string): unknown;
}

/** Only rows that are written are locked, not the gaps between them, in which others insert. */
const READ_COMMITTED = 'set session transaction isolation level read committed';

/**
 * Who waits for a row that another one keeps gives up before its client does: it would go on, and keep the rows that it
 * has. A client that is gone without a word loses what it holds.
 */
const NO_HOARDING = `set session innodb_lock_wait_timeout = ${DATABASE_LOCK_SECONDS}, wait_timeout = ${DATABASE_ABANDONED_SECONDS}`;

interface Mysql {
  readonly stream: Socket;
  query(sql: string, done: (error: Error | null) => void): void;
}

export interface DatabasePlace {
  /** MySQL or MariaDB; undefined: the SQLite file of the data folder. */
  readonly url: string | undefined;
  readonly dataDir: string;
  /** A statement may take as long as it needs. */
  readonly patient?: boolean;
}

export function openDatabase({ url, dataDir, patient = false }: DatabasePlace): Database {
  return url === undefined ? openSqlite(dataDir) : openMysql(url, patient);
}

function openSqlite(dataDir: string): Database {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return knex({
    client: 'better-sqlite3',
    log: silent,
    connection: { filename: join(dataDir, DATA_FILES.database) },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1,
      afterCreate: (connection: Pragmas, done: (error: Error | null) => void) => {
        // FULL: what was acknowledged survives a power cut too. The time-out covers the operator command's writes.
        for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'busy_timeout = 1000'])
          connection.pragma(pragma);
        done(null);
      },
    },
  });
}

/** A server that is frozen or gone without a word keeps its connections: who waits for it is told after a while. */
function giveUpSilent({ stream }: { stream: Socket }): void {
  const late = Object.assign(new Error('the database is silent'), { code: 'ETIMEDOUT' });
  stream.setTimeout(DATABASE_TIMEOUT_MS, () => {
    const { bytesRead } = stream;
    // A process that was itself held up first reads what has come meanwhile.
    setImmediate(() => {
      if (stream.bytesRead === bytesRead) stream.destroy(late);
    });
  });
}

function openMysql(url: string, patient: boolean): Database {
  return knex({
    client: 'mysql2',
    log: silent,
    connection: { uri: url, charset: 'utf8mb4', timezone: 'Z', connectTimeout: DATABASE_TIMEOUT_MS },
    pool: {
      min: 0,
      max: DATABASE_CONNECTIONS,
      // A connection that the server has closed is noticed by its next user, so none is kept for longer than needed.
      idleTimeoutMillis: DATABASE_IDLE_MS,
      afterCreate(connection: Mysql, done: (error: Error | null) => void) {
        if (patient) return connection.query(READ_COMMITTED, done);
        giveUpSilent(connection);
        connection.query(READ_COMMITTED, (error) => (error ? done(error) : connection.query(NO_HOARDING, done)));
      },
    },
    acquireConnectionTimeout: DATABASE_TIMEOUT_MS,
  });
}

/** Brings the tables up to date, on connections of its own: what rebuilds a long table is silent for long. */
export async function migrate(place: DatabasePlace): Promise<void> {
  const db = openDatabase({ ...place, patient: true });
  await migrateOn(db).finally(() => db.destroy());
}

/** Of several processes that start at one time, one does it and the others wait. */
async function migrateOn(db: Database): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await db.migrate.latest({ migrationSource });
      return;
    } catch (error) {
      if (!isMigrationRace(error) || attempt === MIGRATION_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, MIGRATION_PAUSE_MS));
    }
  }
}

/** Does `work` on what a query finds, a few rows a statement, so that nothing waits for long. `key` is the primary key. */
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

/** Deletes what a query finds, in chunks. */
export function deleteInChunks(query: () => Knex.QueryBuilder, key: string): Promise<void> {
  return inChunks(query, key, (rows) => rows.delete());
}
