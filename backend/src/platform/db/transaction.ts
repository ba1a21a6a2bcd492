/** Transactions, and writes that share one. */
import type { Knex } from 'knex';
import { createGroup } from '../batch.js';
import { CONFLICT_ATTEMPTS } from '../limits.js';
import { isConflict, isDuplicate } from './database-errors.js';
import type { Database } from './database.js';

/** Does a statement, or a transaction, again when another one was in its way. */
export async function untilThrough<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      // A duplicate means that another one has just made the same row: now it can be found.
      if (!(isConflict(error) || isDuplicate(error)) || attempt === CONFLICT_ATTEMPTS) throw error;
    }
  }
}

type Insert<Row> = (trx: Knex, rows: readonly Row[]) => Promise<unknown>;

/** Runs `work` in one transaction, and again when another one was in its way. */
export const transact = <T>(db: Database, work: (trx: Knex) => Promise<T>): Promise<T> =>
  untilThrough(() => db.transaction(work));

/** A row, and the function of its store that writes many of its kind. */
export interface Write {
  readonly insert: Insert<unknown>;
  readonly row: unknown;
}

export const writeOf = <Row>(insert: Insert<Row>, row: Row): Write => ({ insert: insert as Insert<unknown>, row });

/** Stores rows of any kinds, all of them or none. */
export type Writer = (writes: readonly Write[]) => Promise<void>;

/** Does writes in the caller's transaction, those of one kind in one statement. */
export async function writeAll(trx: Knex, writes: readonly Write[]): Promise<void> {
  const kinds = new Map<Insert<unknown>, unknown[]>();
  for (const { insert, row } of writes) kinds.set(insert, [...(kinds.get(insert) ?? []), row]);
  for (const [insert, rows] of kinds) await insert(trx, rows);
}

/** Writes that come at one time share a transaction, and those of one kind a statement. */
export function createWriter(db: Database): Writer {
  return createGroup(
    async (items: readonly (readonly Write[])[]) => {
      await transact(db, (trx) => writeAll(trx, items.flat()));
      return items.map(() => undefined);
    },
    { alone: isDuplicate },
  );
}
