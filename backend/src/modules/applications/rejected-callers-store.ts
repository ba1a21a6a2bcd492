import type { Knex } from 'knex';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { fromRow } from '../../platform/db/row.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import { createUpsert } from '../../platform/db/upsert.js';
import { excessCallers, OTHER_CALLERS, type RejectedCaller, type RejectedVia } from './rejected-caller.js';

export type RejectedCallersStore = ReturnType<typeof createRejectedCallersStore>;

const KEY = ['application_id', 'via', 'caller'];

const upsert = createUpsert({
  table: 'refused_callers',
  key: KEY,
  columns: [...KEY, 'address', 'times', 'first_at', 'last_at'],
  update: (inserted) => ({
    times: `refused_callers.times + ${inserted('times')}`,
    address: inserted('address'),
    last_at: inserted('last_at'),
  }),
});

/** Adds calls to the stored counts. Sorts the rows, because locking them in different orders can cause a deadlock. */
async function addCalls(trx: Knex, applicationId: number, callers: readonly RejectedCaller[]): Promise<void> {
  const sorted = [...callers].sort((a, b) => (a.caller < b.caller ? -1 : 1));
  await upsert(
    trx,
    sorted.map(({ via, caller, address, times, firstAt, lastAt }) => {
      return [applicationId, via, caller, address, times, firstAt, lastAt];
    }),
  );
}

export function createRejectedCallersStore(db: Database, inTransaction: InTransaction) {
  const namedCallers = (trx: Knex, applicationId: number, via: RejectedVia) =>
    trx('refused_callers').where({ application_id: applicationId, via }).whereNot({ caller: OTHER_CALLERS });

  /**
   * Adds calls, and moves the counts of excess callers to {@link OTHER_CALLERS}. `callers` must include OTHER_CALLERS:
   * its row is locked first, which prevents two processes from moving the same count twice.
   */
  const add = (applicationId: number, via: RejectedVia, callers: readonly RejectedCaller[]): Promise<void> =>
    inTransaction(async (trx) => {
      await addCalls(trx, applicationId, callers);
      const stored = await namedCallers(trx, applicationId, via);
      const excess = excessCallers(stored.map(fromRow<RejectedCaller & { id: number }>));
      if (excess.length === 0) return;
      const ids = excess.map(({ id }) => id);
      await namedCallers(trx, applicationId, via).whereIn('id', ids).delete();
      const times = excess.reduce((sum, caller) => sum + caller.times, 0);
      const others = { application_id: applicationId, via, caller: OTHER_CALLERS };
      await trx('refused_callers').where(others).increment('times', times);
    });

  async function list(applicationId: number): Promise<RejectedCaller[]> {
    const rows = await db('refused_callers')
      .where({ application_id: applicationId })
      .where('times', '>', 0)
      .orderBy([{ column: 'last_at', order: 'desc' }, 'caller']);
    return rows.map(fromRow<RejectedCaller>);
  }

  const cleanUp = (before: number): Promise<void> =>
    deleteInChunks(() => db('refused_callers').where('last_at', '<', before), 'id');

  return { add, list, cleanUp };
}
