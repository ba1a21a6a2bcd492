import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import knex, { type Knex } from 'knex';
import type { Config } from '../config/config.js';
import { DATABASE_FILE } from '../data-dir.js';
import { parseDatabaseUrl, type DatabaseCertificates } from './database-url.js';
import { openMysql } from './mysql.js';
import { keepPreparedStatements } from './prepared-statements.js';
import { sqliteClient } from './sqlite-driver.js';

/** Maximum number of recent rows that a look-up without an index scans. */
export const RECENT_SCAN_LIMIT = 5000;
/** Maximum number of rows that a clean-up statement deletes, so that it never blocks other statements for long. */
export const CLEANUP_BATCH = 500;
export type Database = Knex;

/**
 * Disables knex log messages on standard output, which is reserved for the operator command's output. Knex also throws
 * the errors that it would log.
 */
const SILENT_LOG = { warn() {}, error() {}, deprecate() {}, debug() {} };

interface SqliteConnection {
  pragma(text: string): unknown;
  prepare(sql: string): object;
}

export interface DatabaseLocation {
  /** MySQL or MariaDB; undefined for the SQLite file in `dataDir`. */
  readonly url: string | undefined;
  readonly dataDir: string;
  readonly certificates?: DatabaseCertificates | undefined;
  readonly noTimeouts?: boolean;
}

export function locationOf(config: Config): DatabaseLocation {
  const certificates = { ca: config.DATABASE_CA_FILE, cert: config.DATABASE_CERT_FILE, key: config.DATABASE_KEY_FILE };
  return { url: config.DATABASE_URL, dataDir: config.DATA_DIR, certificates };
}

/** Returns the database's file, or the servers and name, without credentials. */
export function describeDatabase({ url, dataDir }: DatabaseLocation): string {
  if (url === undefined) return join(resolve(dataDir), DATABASE_FILE);
  const { hosts, name } = parseDatabaseUrl(url);
  return `${hosts.map((host) => new URL(host).host).join(',')}/${name}`;
}

export function openDatabase({ url, dataDir, certificates, noTimeouts = false }: DatabaseLocation): Database {
  return url === undefined ? openSqlite(dataDir) : openMysql({ url, certificates, noTimeouts }, SILENT_LOG);
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

/** Deletes all except the newest `limit` rows of each owner. `owner`: the column with the owner's id. */
export async function keepNewest(query: () => Knex.QueryBuilder, owner: string, limit: number): Promise<void> {
  const owners: number[] = await query().groupBy(owner).havingRaw('count(*) > ?', [limit]).pluck(owner);
  for (const id of owners) {
    const own = () => query().where({ [owner]: id });
    const [surplus] = await own().orderBy('id', 'desc').offset(limit).limit(1).pluck('id');
    if (surplus !== undefined) await deleteInChunks(() => own().where('id', '<=', surplus), 'id');
  }
}
