/** Refused callers in the database: a bounded number for each application, whoever calls. */
import type { Knex } from 'knex';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { transact } from '../../platform/db/transaction.js';
import { OTHERS, tooMany, type RefusedCaller, type RefusedVia } from './rejected-caller.js';

export type RefusalsStore = ReturnType<typeof createRefusalsStore>;

const KEY = ['application_id', 'via', 'caller'];

const toCaller = (row: Record<string, unknown>): RefusedCaller => ({
  via: row.via as RefusedVia,
  caller: row.caller as string,
  address: row.address as string,
  times: Number(row.times),
  firstAt: Number(row.first_at),
  lastAt: Number(row.last_at),
});

/** In one order everywhere, so that two processes do not wait for each other's rows; {@link OTHERS} sorts first. */
async function count(trx: Knex, applicationId: number, callers: readonly RefusedCaller[]): Promise<void> {
  const given = (name: string) => (trx.client.dialect === 'mysql' ? `values(${name})` : `excluded.${name}`);
  const rows = [...callers]
    .sort((a, b) => (a.caller < b.caller ? -1 : 1))
    .map(({ firstAt, lastAt, ...caller }) => ({
      application_id: applicationId,
      ...caller,
      first_at: firstAt,
      last_at: lastAt,
    }));
  await trx('refused_callers')
    .insert(rows)
    .onConflict(KEY)
    .merge({
      times: trx.raw(`refused_callers.times + ${given('times')}`),
      address: trx.raw(given('address')),
      last_at: trx.raw(given('last_at')),
    });
}

export function createRefusalsStore(db: Database) {
  const kept = (trx: Knex, applicationId: number, via: RefusedVia) =>
    trx('refused_callers').where({ application_id: applicationId, via }).whereNot({ caller: OTHERS });

  return {
    /**
     * Adds what one way in has refused, and forgets what is too many. `callers` holds {@link OTHERS}, whose row is the
     * lock that keeps two processes from forgetting the same caller twice.
     */
    async add(applicationId: number, via: RefusedVia, callers: readonly RefusedCaller[]): Promise<void> {
      await transact(db, async (trx) => {
        await count(trx, applicationId, callers);
        const rows: Record<string, unknown>[] = await kept(trx, applicationId, via);
        const forgotten = tooMany(rows.map((row) => ({ ...toCaller(row), id: row.id as number })));
        if (forgotten.length === 0) return;
        const ids = forgotten.map(({ id }) => id);
        await kept(trx, applicationId, via).whereIn('id', ids).delete();
        await trx('refused_callers')
          .where({ application_id: applicationId, via, caller: OTHERS })
          .increment(
            'times',
            forgotten.reduce((sum, { times }) => sum + times, 0),
          );
      });
    },

    /** The last one first; those that were not kept are in {@link OTHERS}. */
    async list(applicationId: number): Promise<RefusedCaller[]> {
      const rows = await db('refused_callers')
        .where({ application_id: applicationId })
        .where('times', '>', 0)
        .orderBy([{ column: 'last_at', order: 'desc' }, 'caller']);
      return rows.map(toCaller);
    },

    cleanUp: (before: number): Promise<void> =>
      deleteInChunks(() => db('refused_callers').where('last_at', '<', before), 'id'),
  };
}
