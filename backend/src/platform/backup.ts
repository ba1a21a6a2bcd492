/** Backs up and restores the data folder of an installation on SQLite. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE, DataDirError, SECRET_KEY_FILE } from './data-dir.js';
import { Sqlite } from './db/sqlite-driver.js';

/** The files of the data folder that a backup contains. */
const FILES = [SECRET_KEY_FILE, DATABASE_FILE];

/** Changed at the end of each backup. Other backup programs can change it with `touch`. */
const LAST_BACKUP_FILE = 'last-backup';

/** Returns the end of the folder's last backup, in epoch milliseconds; undefined without any. */
export const lastBackupAt = (dataDir: string): number | undefined =>
  statSync(join(dataDir, LAST_BACKUP_FILE), { throwIfNoEntry: false })?.mtimeMs;

/** Records the time of a backup for the dashboard. Returns false if the folder is read-only. */
export function recordBackup(dataDir: string): boolean {
  try {
    writeFileSync(join(dataDir, LAST_BACKUP_FILE), `${new Date().toISOString()}\n`);
    return true;
  } catch {
    return false;
  }
}

const isEmpty = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0;

function checkDatabase(file: string): void {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    const result = db.pragma('quick_check', { simple: true });
    if (result !== 'ok') throw new DataDirError(`${file} is damaged: ${String(result)}`);
  } finally {
    db.close();
  }
}

/**
 * Copies a data folder's database and key to a new folder, and checks the copy. The copy is consistent, even if a
 * server writes to the database at the same time. Returns the names of the copied files.
 */
export function backUp(dataDir: string, to: string): string[] {
  const source = join(dataDir, DATABASE_FILE);
  if (!existsSync(source))
    throw new DataDirError(`${dataDir} contains no database: set DATA_DIR to the server's folder`);
  if (!isEmpty(to)) throw new DataDirError(`${to} is not empty: choose a new folder for each backup`);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const copy = join(to, DATABASE_FILE);
  const db = new Sqlite(source, { readonly: true });
  try {
    db.prepare('vacuum into ?').run(copy);
  } finally {
    db.close();
  }
  checkDatabase(copy);
  const key = join(dataDir, SECRET_KEY_FILE);
  if (existsSync(key)) copyFileSync(key, join(to, SECRET_KEY_FILE));
  return FILES.filter((name) => existsSync(join(to, name)));
}

/** Copies a backup to a data folder that has no database yet. Returns the names of the copied files. */
export function restore(from: string, dataDir: string): string[] {
  const names = FILES.filter((name) => existsSync(join(from, name)));
  if (!names.includes(DATABASE_FILE))
    throw new DataDirError(`${from} is not a backup: it contains no ${DATABASE_FILE}`);
  checkDatabase(join(from, DATABASE_FILE));
  const existing = FILES.find((name) => existsSync(join(dataDir, name)));
  if (existing)
    throw new DataDirError(`${dataDir} already contains ${existing}: move it away, or set another DATA_DIR`);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // The key is copied before the database, because a server refuses to start with a database but no key.
  for (const name of names) copyCompletely(join(from, name), join(dataDir, name));
  return names;
}

/** Copies a file so that a killed process leaves no partial copy under its final name. */
function copyCompletely(from: string, to: string): void {
  const temporary = `${to}.restoring`;
  rmSync(temporary, { force: true });
  copyFileSync(from, temporary);
  renameSync(temporary, to);
}
