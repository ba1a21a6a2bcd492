/** Tables that a move copies, and the rows in them. Works on SQLite and MySQL. */
import type { Knex } from 'knex';
import type { Database } from '../db/database.js';

export interface MovedTable {
  readonly name: string;
  /** Columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** All columns except generated ones. */
  readonly columns: readonly string[];
}

export type Row = Readonly<Record<string, string | number | null>>;
export type Key = readonly (string | number)[];

/** SQLite's own tables, those of migrations and moves, and the rate limits, which are in Redis with MySQL. */
const NOT_MOVED = /^(sqlite_.*|knex_migrations.*|passbell_migrations.*|move_.*|rate_limits)$/;
/** SQLite limits the number of values in a statement, and MySQL the size of a statement. */
const ROWS_PER_STATEMENT = 200;

interface TableColumn {
  readonly name: string;
  /** Position in the primary key, from 1; 0 for other columns. */
  readonly pk: number;
  /** Not 0 for generated columns. */
  readonly hidden: number;
}

export const isMysql = (db: Knex): boolean => db.client.dialect === 'mysql';

/** Reads the tables from whichever of the two databases is SQLite. */
export async function readTables(sqlite: Database): Promise<MovedTable[]> {
  const names: string[] = await sqlite('sqlite_master').where({ type: 'table' }).orderBy('name').pluck('name');
  const tables: MovedTable[] = [];
  for (const name of names.filter((each) => !NOT_MOVED.test(each))) {
    const all: TableColumn[] = await sqlite.raw('select name, pk, hidden from pragma_table_xinfo(?)', [name]);
    const key = all.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const columns = all.filter(({ hidden }) => hidden === 0);
    tables.push({ name, key: key.map((column) => column.name), columns: columns.map((column) => column.name) });
  }
  return tables;
}

export const keyOf = ({ key }: MovedTable, row: Row): Key => key.map((column) => row[column]!);

const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

/** Returns the condition for rows after a key. MySQL uses no index to compare tuples, so that they are spelled out. */
function isAfter({ key }: MovedTable, after: Key, mysql: boolean): { sql: string; values: Key } {
  if (!mysql || key.length === 1) return { sql: `(${key.join(', ')}) > (${marks(key)})`, values: after };
  const steps = key.map((column, n) => [...key.slice(0, n).map((same) => `${same} = ?`), `${column} > ?`]);
  return {
    sql: steps.map((step) => `(${step.join(' and ')})`).join(' or '),
    values: steps.flatMap((step) => after.slice(0, step.length)),
  };
}

/** Returns the next rows in the order of their keys, from the first row if `after` is undefined. */
export function rowsAfter(db: Knex, table: MovedTable, after: Key | undefined, limit: number): Promise<Row[]> {
  const rows = db(table.name).select(table.columns).limit(limit);
  for (const column of table.key) rows.orderBy(column);
  if (after === undefined) return rows;
  const { sql, values } = isAfter(table, after, isMysql(db));
  return rows.whereRaw(`(${sql})`, values as Knex.Value[]);
}

function inParts<T>(all: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let n = 0; n < all.length; n += ROWS_PER_STATEMENT) parts.push(all.slice(n, n + ROWS_PER_STATEMENT));
  return parts;
}

function withKeys(db: Knex, { name, key }: MovedTable, keys: readonly Key[]): Knex.QueryBuilder {
  const values = !isMysql(db) && key.length > 1 ? 'values ' : '';
  const list = keys.map((each) => (key.length > 1 ? `(${marks(each)})` : '?')).join(', ');
  return db(name).whereRaw(`(${key.join(', ')}) in (${values}${list})`, keys.flat() as Knex.Value[]);
}

export async function rowsWithKeys(db: Knex, table: MovedTable, keys: readonly Key[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const part of inParts(keys)) rows.push(...((await withKeys(db, table, part).select(table.columns)) as Row[]));
  return rows;
}

export async function deleteKeys(trx: Knex, table: MovedTable, keys: readonly Key[]): Promise<void> {
  for (const part of inParts(keys)) await withKeys(trx, table, part).delete();
}

/** Stores rows. Replaces rows with the same key, and those whose unique values a stored row has now. */
export async function replaceRows(trx: Knex, { name, columns }: MovedTable, rows: readonly Row[]): Promise<void> {
  const mark = `(${marks(columns)})`;
  for (const part of inParts(rows)) {
    const values = part.flatMap((row) => columns.map((column) => row[column]!));
    await trx.raw(`replace into ${name} (${columns.join(', ')}) values ${part.map(() => mark).join(', ')}`, values);
  }
}

export async function countRows(db: Knex, { name }: MovedTable): Promise<number> {
  const row = await db(name).count({ count: '*' }).first();
  return Number(row!.count);
}

/** Returns the last id that each table has given to a row, even if the row was deleted. */
async function readLastIds(db: Database, tables: readonly MovedTable[]): Promise<Map<string, number>> {
  if (!isMysql(db)) {
    const rows: { name: string; seq: number }[] = await db('sqlite_sequence').select('name', 'seq');
    return new Map(rows.map(({ name, seq }) => [name, seq]));
  }
  const ids = new Map<string, number>();
  for (const { name } of tables) {
    const [[created]] = await db.raw('show create table ??', [name]);
    const next = /AUTO_INCREMENT=(\d+)/.exec((created as Row)['Create Table'] as string);
    if (next) ids.set(name, Number(next[1]) - 1);
  }
  return ids;
}

/** Copies the last ids, so that the target never gives the id of a deleted row to a new one. */
export async function copyLastIds(source: Database, target: Database, tables: readonly MovedTable[]): Promise<void> {
  const before = await readLastIds(target, tables);
  const ids = await readLastIds(source, tables);
  for (const { name } of tables) {
    const id = ids.get(name);
    if (id === undefined || id <= (before.get(name) ?? 0)) continue;
    if (isMysql(target)) await target.raw('alter table ?? auto_increment = ?', [name, id + 1]);
    else if (before.has(name)) await target('sqlite_sequence').where({ name }).update({ seq: id });
    else await target('sqlite_sequence').insert({ name, seq: id });
  }
}
