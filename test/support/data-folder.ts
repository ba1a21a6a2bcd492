import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's in-memory file system, which is used if it has enough free space. */
const MEMORY_FOLDER = '/dev/shm';
const MIN_MEMORY_BYTES = 2 * 2 ** 30;

/** Returns the parent of the data folders, in memory if possible, where databases do not wait for the disk. */
function dataRoot(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    if (bavail * bsize >= MIN_MEMORY_BYTES) return MEMORY_FOLDER;
  } catch {
    // This machine has no /dev/shm.
  }
  return tmpdir();
}

/** Creates an empty folder for a database. The caller removes it. */
export const createDataFolder = (name: string): string => mkdtempSync(join(dataRoot(), `passbell-${name}-`));
