/** Gives all tests of a file one SQLite database that has all tables. */
import { rmSync } from 'node:fs';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { createDataFolder } from './data-folder.js';
import { fillSqlite } from './new-database.js';

/** Returns a function that returns the database. Call it in a test. */
export function setUpSqlite(): () => Database {
  const dataDir = createDataFolder('test');
  let db: Database;
  beforeAll(async () => {
    await fillSqlite(dataDir);
    db = openDatabase({ url: undefined, dataDir });
  });
  afterAll(async () => {
    await db.destroy();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return () => db;
}
