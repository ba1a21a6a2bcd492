/** The key in `DATA_DIR`, made on the first start when `SECRET_KEY` is not set. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { random } from './crypto.js';
import { DATA_FILES, DataDirError } from './data-dir.js';

/**
 * Reads or makes the key; only this user can read the file. It appears whole or not at all, so a start that is killed
 * leaves none, and two that come at one time get the same one.
 */
export function secretKeyIn(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, DATA_FILES.key);
  if (!existsSync(file)) {
    if (existsSync(join(dataDir, DATA_FILES.database)))
      throw new DataDirError(`${dataDir} has a database but no secret.key: set SECRET_KEY to the key it was made with`);
    make(file);
  }
  const key = readFileSync(file, 'utf8').trim();
  if (key.length < 32) throw new DataDirError(`${file} is damaged: it must hold a key of at least 32 characters`);
  return key;
}

function make(file: string): void {
  const temporary = `${file}.${random.hex(4)}`;
  const descriptor = openSync(temporary, 'wx', 0o600);
  writeSync(descriptor, random.base64url(32));
  fsyncSync(descriptor);
  closeSync(descriptor);
  try {
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary);
  }
}
