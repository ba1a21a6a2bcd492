/** Restores a backup to a temporary place, and reports whether it is complete and can be read. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restore } from './backup.js';
import type { Config } from './config/config.js';
import { createKeyring, random } from './crypto.js';
import { readOrCreateSecretKey } from './data-dir.js';
import { withDatabaseName } from './db/database-url.js';
import { locationOf, openDatabase, type Database, type DatabaseLocation } from './db/database.js';
import { migrate } from './db/migrate.js';
import { countRows, readTables, type MovedTable } from './move/moved-table.js';
import { importMysql } from './mysql-dump.js';

export interface Rehearsal {
  readonly tables: number;
  readonly rows: number;
  /** When the newest message was accepted; null without messages. */
  readonly newestMessageAt: number | null;
  /** Number of encrypted values, and of those that were encrypted with another key than `SECRET_KEY`. */
  readonly sealed: number;
  readonly unreadable: number;
}

type CanOpen = (sealed: string) => boolean;

const SEALED = /_sealed$/;
const BATCH = 1000;

/** Counts the encrypted values in a column, and those of unknown keys. */
async function countSealed(db: Database, table: string, column: string, canOpen: CanOpen) {
  let sealed = 0;
  let unreadable = 0;
  for (let offset = 0; ; offset += BATCH) {
    const values: string[] = await db(table)
      .whereNotNull(column)
      .orderBy(column)
      .offset(offset)
      .limit(BATCH)
      .pluck(column);
    sealed += values.length;
    unreadable += values.filter((value) => value !== '' && !canOpen(value)).length;
    if (values.length < BATCH) return { sealed, unreadable };
  }
}

async function examine(db: Database, tables: readonly MovedTable[], canOpen: CanOpen): Promise<Rehearsal> {
  let rows = 0;
  let sealed = 0;
  let unreadable = 0;
  for (const table of tables) {
    rows += await countRows(db, table);
    for (const column of table.columns.filter((name) => SEALED.test(name))) {
      const counts = await countSealed(db, table.name, column, canOpen);
      sealed += counts.sealed;
      unreadable += counts.unreadable;
    }
  }
  const newest = await db('messages').max({ at: 'created_at' }).first();
  const at = (newest?.at ?? null) as number | null;
  const newestMessageAt = at === null ? null : Number(at);
  return { tables: tables.length, rows, newestMessageAt, sealed, unreadable };
}

/** Migrates the restored database with this version, as a server would, and examines it. */
async function examineAt(location: DatabaseLocation, scratch: string, canOpen: CanOpen): Promise<Rehearsal> {
  await migrate(location, { create: false });
  // An empty SQLite database of this version describes the tables.
  await migrate({ url: undefined, dataDir: join(scratch, 'tables') });
  const described = openDatabase({ url: undefined, dataDir: join(scratch, 'tables') });
  const db = openDatabase({ ...location, noTimeouts: true });
  try {
    return await examine(db, await readTables(described), canOpen);
  } finally {
    await Promise.all([db.destroy(), described.destroy()]);
  }
}

/** Passes the URL of a new MySQL database on the same server to `work`, and drops it afterwards. */
async function onScratchDatabase<T>(
  url: string,
  certificates: DatabaseLocation['certificates'],
  work: (scratchUrl: string) => Promise<T>,
): Promise<T> {
  const name = `passbell_rehearsal_${random.hex(8)}`;
  const db = openDatabase({ url, dataDir: '', certificates });
  try {
    await db.raw('create database ?? character set utf8mb4', [name]);
    return await work(withDatabaseName(url, name)).finally(() => db.raw('drop database ??', [name]));
  } finally {
    await db.destroy();
  }
}

export async function rehearse(folder: string, config: Config): Promise<Rehearsal> {
  const { SECRET_KEY } = config;
  const { url, certificates } = locationOf(config);
  const scratch = mkdtempSync(join(tmpdir(), 'passbell-rehearsal-'));
  try {
    if (url !== undefined) {
      const { canOpen } = createKeyring(SECRET_KEY!);
      return await onScratchDatabase(url, certificates, async (scratchUrl) => {
        await importMysql(folder, { url: scratchUrl, certificates });
        return examineAt({ url: scratchUrl, dataDir: '', certificates }, scratch, canOpen);
      });
    }
    const dataDir = join(scratch, 'data');
    restore(folder, dataDir);
    const { canOpen } = createKeyring(SECRET_KEY ?? [readOrCreateSecretKey(dataDir)]);
    return await examineAt({ url: undefined, dataDir }, scratch, canOpen);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
