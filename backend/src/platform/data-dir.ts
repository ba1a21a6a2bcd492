import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { operatorCommand } from './config/operator-command.js';
import { random } from './crypto.js';
import { Sqlite } from './db/sqlite-driver.js';
import { ExpectedError } from './expected-error.js';

export const DATABASE_FILE = 'passbell.sqlite';
export const SECRET_KEY_FILE = 'secret.key';

/** `DATA_DIR` or its database cannot be used, so the server cannot start. The message tells the operator what to do. */
export class DataDirError extends ExpectedError {}

/** There is no database yet, and the caller must not create one. The message tells the operator what to do. */
export class MissingDatabaseError extends ExpectedError {}

/** Returns how to create a database, for the message of a {@link MissingDatabaseError}. */
export const howToCreate = (): string => `To create a new one, start the server or run: ${operatorCommand()} init`;

/** Throws a {@link MissingDatabaseError} unless the data folder contains a database. */
export function requireDatabaseFile(dataDir: string): void {
  const folder = resolve(dataDir);
  try {
    statSync(join(folder, DATABASE_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES')
      throw new MissingDatabaseError(
        `you cannot read ${folder}, which belongs to another user. Run the command as the user that runs the server.`,
      );
    throw new MissingDatabaseError(
      `there is no Passbell database in ${folder}. If the server uses another one, set the same DATA_DIR or DATABASE_URL as for the server. ${howToCreate()}`,
    );
  }
}

/**
 * Locks the data folder for a single server until the lock is closed. Two servers would deliver each other's messages
 * and apply separate rate limits. The operating system releases the lock when the process ends or is killed.
 */
export function lockDataDir(dataDir: string): { close(): unknown } {
  const lock = new Sqlite(join(dataDir, 'server.lock'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
    throw new DataDirError(`another Passbell server is using ${dataDir}: stop it, or set another DATA_DIR`);
  }
}

/** Reads the key for installations without `SECRET_KEY`. Creates the key on the first start. */
export function readOrCreateSecretKey(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, SECRET_KEY_FILE);
  if (!existsSync(file)) {
    if (existsSync(join(dataDir, DATABASE_FILE)))
      throw new DataDirError(
        `${dataDir} has a database but no secret.key: set SECRET_KEY to the key that encrypted its data`,
      );
    createKey(file);
  }
  const key = readFileSync(file, 'utf8').trim();
  if (key.length < 32) throw new DataDirError(`${file} is damaged: it must contain a key of at least 32 characters`);
  return key;
}

/**
 * Creates the key file atomically: a killed process leaves no partial key, and two processes that start together read
 * the same key.
 */
function createKey(file: string): void {
  const temporary = `${file}.${random.hex(4)}`;
  writeFileSync(temporary, random.base64url(32), { flag: 'wx', mode: 0o600, flush: true });
  try {
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary);
  }
}
