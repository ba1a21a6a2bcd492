/**
 * The database of commit b71cf65, the last version before the baseline of the migrations. That version has written the
 * files in `database-b71cf65`, with SQLite and with MySQL. `known.json` contains what the database does not: codes,
 * tokens and credentials.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { DATABASE_FILE } from '../../backend/src/platform/data-dir.js';
import type { DatabaseLocation } from '../../backend/src/platform/db/database.js';
import { Sqlite } from '../../backend/src/platform/db/sqlite-driver.js';
import { createTestDatabase } from './databases.js';
import { databaseNameOf, scaled } from './members.js';
import type { Body } from './service.js';

const read = (file: string): string => readFileSync(new URL(`database-b71cf65/${file}`, import.meta.url), 'utf8');

export const KNOWN: Body = JSON.parse(read('known.json'));

/** The key that the database was created with. */
export const SECRET_KEY = 'a key that only tests use and nobody else';

/** Creates the database of a service in `dataDir`. `gatewayUrl`: the server that sends SMS. */
export async function createEarlierDatabase(dataDir: string, gatewayUrl = KNOWN.gatewayUrl): Promise<DatabaseLocation> {
  const rows = read('rows.sql').replaceAll(KNOWN.gatewayUrl, gatewayUrl);
  if (!scaled) {
    const db = new Sqlite(join(dataDir, DATABASE_FILE));
    db.exec(read('sqlite.sql') + rows);
    db.close();
    return { url: undefined, dataDir };
  }
  const { url } = await createTestDatabase(undefined, databaseNameOf(dataDir));
  const connection = await createConnection({ uri: url, multipleStatements: true, charset: 'utf8mb4' });
  // With this mode, texts are written as in SQLite.
  await connection.query("set sql_mode = 'NO_BACKSLASH_ESCAPES'");
  await connection.query(read('mysql.sql') + rows);
  await connection.end();
  return { url, dataDir };
}
