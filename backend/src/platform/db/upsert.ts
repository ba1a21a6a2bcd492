/** Inserts rows or updates existing rows. Used for statements that run for each message and must be fast. */
import type { Knex } from 'knex';

/** SQLite limits the number of values in a statement. */
const ROWS_PER_STATEMENT = 1000;

type Value = string | number | boolean | null;

export interface Upsert {
  readonly table: string;
  /** Columns of the primary key. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  /**
   * Returns the new values of an existing row, as SQL by column. `inserted(column)` is the SQL for the value to insert.
   */
  readonly update: (inserted: (column: string) => string) => Readonly<Record<string, string>>;
}

function clausesOf({ table, key, columns, update }: Upsert, isMysql: boolean) {
  const updated = Object.entries(update((column) => (isMysql ? `values(${column})` : `excluded.${column}`)));
  const conflict = isMysql ? 'duplicate key update' : `conflict (${key.join(', ')}) do update set`;
  return {
    insert: `insert into ${table} (${columns.join(', ')}) values `,
    row: `(${columns.map(() => '?').join(', ')})`,
    update: ` on ${conflict} ${updated.map(([column, value]) => `${column} = ${value}`).join(', ')}`,
  };
}

/**
 * Returns a function that upserts rows. Each row is an array of values in the order of the columns. The SQL is built
 * only once, because knex's query builder takes longer than the statement itself.
 */
export function createUpsert(upsert: Upsert) {
  const mysql = clausesOf(upsert, true);
  const sqlite = clausesOf(upsert, false);
  return async function insertOrUpdate(trx: Knex, rows: readonly (readonly Value[])[]): Promise<void> {
    const { insert, row, update } = trx.client.dialect === 'mysql' ? mysql : sqlite;
    for (let n = 0; n < rows.length; n += ROWS_PER_STATEMENT) {
      const some = rows.slice(n, n + ROWS_PER_STATEMENT);
      await trx.raw(insert + some.map(() => row).join(', ') + update, some.flat());
    }
  };
}

type SumRow = Readonly<Record<string, Value | undefined>>;

/**
 * Returns a function that adds the rows' `sums` to existing rows. Rows with the same key are added up first, and sorted,
 * which prevents deadlocks between transactions. A missing sum is 0. `replaced` columns get the newest value.
 */
export function createSums({
  table,
  key,
  sums,
  replaced = [],
}: {
  readonly table: string;
  readonly key: readonly string[];
  readonly sums: readonly string[];
  readonly replaced?: readonly string[];
}) {
  const columns = [...key, ...sums, ...replaced];
  const upsert = createUpsert({
    table,
    key,
    columns,
    update: (inserted) =>
      Object.fromEntries([
        ...sums.map((column) => [column, `${table}.${column} + ${inserted(column)}`]),
        ...replaced.map((column) => [column, inserted(column)]),
      ]),
  });
  return function addSums(trx: Knex, rows: readonly SumRow[]): Promise<void> {
    const byKey = new Map<string, SumRow>();
    for (const row of rows) {
      const id = key.map((column) => row[column]).join(' ');
      const before = byKey.get(id);
      const added = sums.map((column) => [column, Number(before?.[column] ?? 0) + Number(row[column] ?? 0)]);
      byKey.set(id, { ...row, ...Object.fromEntries(added) });
    }
    const sorted = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    return upsert(
      trx,
      sorted.map((row) => columns.map((column) => row[column]!)),
    );
  };
}
