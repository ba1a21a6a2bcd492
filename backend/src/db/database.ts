/** The database: SQLite in the data folder. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import knex, { type Knex } from 'knex';
import { CLEANUP_BATCH } from '../limits.js';
import * as first from './migrations/0001-first.js';

export type Database = Knex;

/** In order; a landed one is never edited. */
const MIGRATIONS: Record<string, Knex.Migration> = { '0001-first': first };

const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(MIGRATIONS),
  getMigrationName: (name) => name,
  getMigration: async (name) => MIGRATIONS[name]!,
};

interface Pragmas {
  pragma(text: string): unknown;
}

/** Opens the SQLite file; `:memory:` is not supported since commands open the same file. */
export function openDatabase(dataDir: string): Database {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return knex({
    client: 'better-sqlite3',
    connection: { filename: join(dataDir, 'passbell.sqlite') },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1,
      afterCreate: (connection: Pragmas, done: (error: Error | null) => void) => {
        // FULL: what was acknowledged survives a power cut too. The time-out covers the operator command's writes.
        for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'busy_timeout = 5000'])
          connection.pragma(pragma);
        done(null);
      },
    },
  });
}

export async function migrate(db: Database): Promise<void> {
  await db.migrate.latest({ migrationSource });
}

/** Whether an insert failed because its key is already there. */
export function isDuplicate(error: unknown): boolean {
  return /^SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE)$/.test(String((error as { code?: unknown }).code));
}

/** Whether an error comes from the database rather than from our own code. */
export function isDatabaseError(error: unknown): boolean {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return /^SQLITE_/.test(String(code)) || name === 'KnexTimeoutError';
}

/** Deletes what a query finds, a few rows a statement, so that nothing waits for long. `key` is the primary key. */
export async function deleteInChunks(query: () => Knex.QueryBuilder, key: string): Promise<void> {
  for (;;) {
    const rows: Record<string, unknown>[] = await query().select(key).limit(CLEANUP_BATCH);
    const keys = rows.map((row) => row[key] as string | number);
    if (keys.length > 0) await query().whereIn(key, keys).delete();
    if (keys.length < CLEANUP_BATCH) return;
  }
}
