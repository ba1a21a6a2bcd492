/** The key in `DATA_DIR`, made on the first start when `SECRET_KEY` is not set. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { random } from './crypto.js';

/** Reads or makes the key; only this user can read the file. Two processes that start at one time get the same key. */
export function secretKeyIn(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'secret.key');
  try {
    writeFileSync(file, random.base64url(32), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = readFileSync(file, 'utf8').trim();
  if (key.length < 32) throw new Error(`${file} is damaged: it must hold a key of at least 32 characters`);
  return key;
}
