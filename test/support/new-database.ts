/**
 * Creates databases that have all tables. Running the migrations takes most of the CPU time of a start, so each
 * worker runs them once, and copies the result for each later service.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { DATABASE_FILE, readOrCreateSecretKey } from '../../backend/src/platform/data-dir.js';
import { migrate } from '../../backend/src/platform/db/migrate.js';
import { createDataFolder } from './data-folder.js';
import { createTestDatabase } from './databases.js';

async function migratedFile(): Promise<Buffer> {
  const dataDir = createDataFolder('migrated');
  try {
    await migrate({ url: undefined, dataDir });
    return readFileSync(join(dataDir, DATABASE_FILE));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
let file: Promise<Buffer> | undefined;

/** Creates the SQLite database of a data folder, unless it already has one. */
export async function fillSqlite(dataDir: string): Promise<void> {
  const path = join(dataDir, DATABASE_FILE);
  if (existsSync(path)) return;
  const content = await (file ??= migratedFile());
  // The service rejects a database without a key.
  readOrCreateSecretKey(dataDir);
  writeFileSync(path, content);
}

/** Returns the SQL that creates the connection's tables with their rows. */
async function dump(connection: Connection): Promise<string> {
  const query = async (sql: string, values: unknown[] = []) =>
    (await connection.query<RowDataPacket[]>(sql, values))[0];
  const statements = ['set foreign_key_checks = 0'];
  for (const table of (await query('show tables')).map((row) => Object.values(row)[0] as string)) {
    const [created] = await query('show create table ??', [table]);
    statements.push(created!['Create Table'] as string);
    const rows = (await query('select * from ??', [table])).map((row) => Object.values(row));
    if (rows.length > 0) statements.push(connection.format('insert into ?? values ?', [table, rows]));
  }
  return statements.join(';\n');
}

async function migratedSql(): Promise<string> {
  const database = await createTestDatabase();
  try {
    await migrate({ url: database.url, dataDir: '' });
    const connection = await createConnection(database.url);
    return await dump(connection).finally(() => connection.end());
  } finally {
    await database.drop();
  }
}
let sql: Promise<string> | undefined;

/** Creates the tables of the MySQL database, unless it already has tables. */
export async function fillMysql(url: string): Promise<void> {
  const connection = await createConnection({ uri: url, multipleStatements: true });
  try {
    const [tables] = await connection.query<RowDataPacket[]>('show tables');
    if (tables.length === 0) await connection.query(await (sql ??= migratedSql()));
  } finally {
    await connection.end();
  }
}
