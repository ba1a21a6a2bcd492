import type { Database } from '../../backend/src/platform/db/database.js';

/** Returns the rows of every table as JSON, by table name. */
export async function allRows(db: Database): Promise<Record<string, string>> {
  const tables: string[] =
    db.client.dialect === 'mysql'
      ? await db('information_schema.tables').whereRaw('table_schema = database()').pluck('table_name')
      : await db('sqlite_master').where({ type: 'table' }).pluck('name');
  const rows = await Promise.all(tables.map(async (table) => [table, JSON.stringify(await db(table))] as const));
  return Object.fromEntries(rows);
}

/** Returns the names of the tables that contain this text, ignoring case. */
export async function tablesWith(db: Database, text: string): Promise<string[]> {
  const all = Object.entries(await allRows(db));
  return all.filter(([, rows]) => rows.toLowerCase().includes(text.toLowerCase())).map(([table]) => table);
}
