import type { Database } from '../../backend/src/platform/db/database.js';

/** Returns the names of all tables. */
export async function tableNames(db: Database): Promise<string[]> {
  const tables =
    db.client.dialect === 'mysql'
      ? // MySQL returns the name of the column in upper case, and MariaDB in lower case.
        db('information_schema.tables').whereRaw('table_schema = database()').select({ name: 'table_name' })
      : db('sqlite_master').where({ type: 'table' }).select('name');
  return (await tables).map(({ name }: { name: string }) => name);
}

/** Returns the rows of every table as JSON, by table name. */
export async function allRows(db: Database): Promise<Record<string, string>> {
  const tables = await tableNames(db);
  const rows = await Promise.all(tables.map(async (table) => [table, JSON.stringify(await db(table))] as const));
  return Object.fromEntries(rows);
}

/** Returns the names of the tables that contain this text, ignoring case. */
export async function tablesWith(db: Database, text: string): Promise<string[]> {
  const all = Object.entries(await allRows(db));
  return all.filter(([, rows]) => rows.toLowerCase().includes(text.toLowerCase())).map(([table]) => table);
}
