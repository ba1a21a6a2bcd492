import type { Database } from '../../backend/src/platform/db/database.js';

/** Everything that the database contains, as text by table. */
export async function allRows(db: Database): Promise<Record<string, string>> {
  const tables: string[] =
    db.client.dialect === 'mysql'
      ? await db('information_schema.tables').whereRaw('table_schema = database()').pluck('table_name')
      : await db('sqlite_master').where({ type: 'table' }).pluck('name');
  const rows = await Promise.all(tables.map(async (table) => [table, JSON.stringify(await db(table))] as const));
  return Object.fromEntries(rows);
}

/** Tables that contain this text in any spelling. */
export async function tablesWith(db: Database, text: string): Promise<string[]> {
  const all = Object.entries(await allRows(db));
  return all.filter(([, rows]) => rows.toLowerCase().includes(text.toLowerCase())).map(([table]) => table);
}
