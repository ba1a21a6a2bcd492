/** Describes the tables of a database, to compare databases. */
import type { Database } from '../../backend/src/platform/db/database.js';

const SQLITE = {
  column: `select m.name as "table", c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden
    from sqlite_master m join pragma_table_xinfo(m.name) c where m.type = 'table'`,
  index: `select m.name as "table", i.name, i."unique", i.origin, c.seqno, c.name as "column"
    from sqlite_master m join pragma_index_list(m.name) i join pragma_index_info(i.name) c where m.type = 'table'`,
  'foreign key': `select m.name as "table", f."from", f."table" as parent, f."to", f.on_update, f.on_delete
    from sqlite_master m join pragma_foreign_key_list(m.name) f where m.type = 'table'`,
};

const MYSQL = {
  table: `select table_name, engine, table_collation
    from information_schema.tables where table_schema = database()`,
  column: `select table_name, column_name, column_type, is_nullable, column_default, extra, collation_name
    from information_schema.columns where table_schema = database()`,
  index: `select table_name, index_name, non_unique, seq_in_index, column_name, sub_part
    from information_schema.statistics where table_schema = database()`,
  'foreign key': `select table_name, constraint_name, column_name, referenced_table_name, referenced_column_name
    from information_schema.key_column_usage where table_schema = database() and referenced_table_name is not null`,
};

/** Returns a line for each table, column, index column and foreign key, regardless of their order. */
export async function schemaOf(db: Database): Promise<string[]> {
  const isMysql = db.client.dialect === 'mysql';
  const lines: string[] = [];
  for (const [kind, query] of Object.entries(isMysql ? MYSQL : SQLITE)) {
    const result = await db.raw(query);
    const rows: object[] = isMysql ? result[0] : result;
    lines.push(...rows.map((row) => [kind, ...Object.values(row)].join(' | ')));
  }
  return lines.sort();
}
