/** Creates databases of earlier versions, to test upgrades. */
import { readdirSync } from 'node:fs';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { createTestDatabase } from './databases.js';
import { databaseNameOf, scaled } from './members.js';

const FOLDER = new URL('../../backend/src/platform/db/migrations/', import.meta.url);
const MIGRATIONS = readdirSync(FOLDER)
  .map((file) => file.replace(/\.ts$/, ''))
  .sort();

/**
 * Creates the database of the earlier version whose last migration was `last`, for a service in `dataDir`. The test
 * must destroy the returned connection pool.
 */
export async function createEarlierDatabase(dataDir: string, last: string): Promise<Database> {
  const database = scaled ? await createTestDatabase(undefined, databaseNameOf(dataDir)) : undefined;
  const db = openDatabase({ url: database?.url, dataDir });
  const known = MIGRATIONS.slice(0, MIGRATIONS.indexOf(last) + 1);
  await db.migrate.latest({
    migrationSource: {
      getMigrations: async () => known,
      getMigrationName: (name: string) => name,
      getMigration: (name: string) => import(`../../backend/src/platform/db/migrations/${name}.js`),
    },
  });
  return db;
}
