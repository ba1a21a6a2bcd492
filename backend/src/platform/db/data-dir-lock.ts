/** One server a data folder: two would deliver each other's messages and count limits apart. */
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { DATA_FILES } from '../data-dir.js';

/**
 * Takes the folder until `release`, or until the process ends in whatever way: the lock is the system's. Undefined when
 * another process has it.
 */
export function lockDataDir(dataDir: string): { release(): void } | undefined {
  const file = new Sqlite(join(dataDir, DATA_FILES.lock), { timeout: 0 });
  try {
    file.exec('begin exclusive');
  } catch (error) {
    file.close();
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
  return { release: () => void file.close() };
}
