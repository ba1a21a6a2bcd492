/** Inserts rows or updates existing ones, in statements that run for each message. */
import type { Knex } from 'knex';

/** SQLite limits the number of values. */
const ROWS_PER_STATEMENT = 1000;

type Value = string | number | boolean | null;

export interface Upsert {
  readonly table: string;
  /** The primary key. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  /** What existing rows get, by column. `given(column)` is the value of the row that would have been inserted. */
  readonly update: (given: (column: string) => string) => Readonly<Record<string, string>>;
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
 * Returns a function that upserts rows, given as values in the order of the columns. The SQL is written once, because knex's
 * query builder takes longer than the statement.
 */
export function createUpsert(upsert: Upsert) {
  const [mysql, sqlite] = [clausesOf(upsert, true), clausesOf(upsert, false)];
  return async function insertOrUpdate(trx: Knex, rows: readonly (readonly Value[])[]): Promise<void> {
    const { insert, row, update } = trx.client.dialect === 'mysql' ? mysql : sqlite;
    for (let n = 0; n < rows.length; n += ROWS_PER_STATEMENT) {
      const some = rows.slice(n, n + ROWS_PER_STATEMENT);
      await trx.raw(insert + some.map(() => row).join(', ') + update, some.flat());
    }
  };
}
