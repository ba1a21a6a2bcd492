import type { Knex } from 'knex';
import { createBatcher } from '../batch.js';
import { isConflict, isDuplicate, wasNotExecuted } from './database-errors.js';
import type { Database } from './database.js';

/** A few attempts are enough, because at least one of the conflicting transactions succeeds each time. */
const CONFLICT_ATTEMPTS = 5;

/**
 * Runs a statement or a transaction. Retries it after a conflict with another transaction, and once if the server was
 * replaced before it was executed.
 */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  let wasReplaced = false;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isReplaced: boolean = !wasReplaced && wasNotExecuted(error);
      wasReplaced ||= isReplaced;
      // After a duplicate-key error, the retry finds the row that another transaction has created.
      if (!(isReplaced || isConflict(error) || isDuplicate(error)) || attempt === CONFLICT_ATTEMPTS) throw error;
    }
  }
}

export const transact = <T>(db: Database, work: (trx: Knex) => Promise<T>): Promise<T> =>
  retryConflicts(() => db.transaction(work));

export type InTransaction = <T>(work: (trx: Knex) => Promise<T>) => Promise<T>;

export function createInTransaction(db: Database): InTransaction {
  return (work) => transact(db, work);
}

type Insert<Row> = (trx: Knex, rows: readonly Row[]) => Promise<unknown>;

interface WriteOptions {
  /**
   * The place of the insert in the transaction; 0 by default. Inserts of rows that other transactions change, such as counts,
   * have a place of their own, so that all transactions lock them in the same order.
   */
  readonly place?: number;
  readonly committed?: () => void;
}

/** A row to insert, and the function that inserts rows into its table. */
export interface Write extends WriteOptions {
  readonly insert: Insert<unknown>;
  readonly row: unknown;
}

export const writeOf = <Row>(insert: Insert<Row>, row: Row, options: WriteOptions = {}): Write => ({
  insert: insert as Insert<unknown>,
  row,
  ...options,
});

export type Writer = (writes: readonly Write[]) => Promise<void>;

/** Inserts the rows with one statement for each table. */
export async function writeAll(trx: Knex, writes: readonly Write[]): Promise<void> {
  const rowsByInsert = new Map<Insert<unknown>, unknown[]>();
  const inPlace = [...writes].sort((a, b) => (a.place ?? 0) - (b.place ?? 0));
  for (const { insert, row } of inPlace) rowsByInsert.set(insert, [...(rowsByInsert.get(insert) ?? []), row]);
  for (const [insert, rows] of rowsByInsert) await insert(trx, rows);
}

export function reportCommit(writes: readonly Write[]): void {
  for (const { committed } of writes) committed?.();
}

/** Batches writes from concurrent calls into one transaction. */
export function createWriter(db: Database): Writer {
  return createBatcher(
    async (items: readonly (readonly Write[])[]) => {
      const writes = items.flat();
      await transact(db, (trx) => writeAll(trx, writes));
      reportCommit(writes);
      return items.map(() => undefined);
    },
    { isItemError: isDuplicate },
  );
}
