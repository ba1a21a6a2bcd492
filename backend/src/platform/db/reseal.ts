import type { Keyring } from '../crypto.js';
import { CLEANUP_BATCH, type Database } from './database.js';

type Row = Readonly<Record<string, unknown>>;

/** A column with sealed secrets. Rows have an `id`. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Returns the encryption context of a row's secret. */
  readonly contextOf: (row: Row) => string;
  /** Number of rows to read at a time; fewer for large secrets. */
  readonly batch?: number;
}

/**
 * Reseals all secrets in a column with the newest key. Skips secrets that cannot be opened, and secrets that change in
 * the meantime. Returns the number of resealed secrets.
 */
export async function resealColumn(
  db: Database,
  keyring: Pick<Keyring, 'reseal'>,
  { table, column, contextOf, batch = CLEANUP_BATCH }: SealedColumn,
): Promise<number> {
  const nextRows = () => db(table).whereNotNull(column).orderBy('id').limit(batch);
  let count = 0;
  let rows: Row[] = await nextRows();
  while (rows.length > 0) {
    for (const row of rows) {
      const sealed = row[column] as string;
      const resealed = keyring.reseal(contextOf(row), sealed);
      if (resealed === undefined) continue;
      await db(table)
        .where({ id: row.id, [column]: sealed })
        .update({ [column]: resealed });
      count++;
    }
    rows = await nextRows().where('id', '>', rows.at(-1)!.id as string | number);
  }
  return count;
}
