import type { Database } from './database.js';

/**
 * Analyzes tables (0x2), also those that no query has read so far (0x10000), and reads only a part of each index (0x10). If it
 * read all of them, SQLite would also store samples of their values, such as phone numbers, which an erasure would not delete.
 */
const OPTIMIZE = 'pragma optimize = 0x10012';

/**
 * Updates the statistics from which SQLite chooses an index, for tables that are new or have grown a lot. Without them,
 * SQLite reads all sent messages to find a few by their ids. Needs the write lock for a moment, even if there is nothing to do. MySQL
 * updates its statistics itself.
 */
export async function updateStatistics(db: Database): Promise<void> {
  if (db.client.dialect !== 'mysql') await db.raw(OPTIMIZE);
}
