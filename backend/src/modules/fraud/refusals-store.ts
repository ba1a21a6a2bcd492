/** Stores how many messages the guard refused, by rule, country and UTC day. */
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { transact } from '../../platform/db/transaction.js';
import { createSums } from '../../platform/db/upsert.js';
import type { CountedRefusal, RuleName } from './fraud.js';
import type { Reported } from './fraud-notices.js';

export interface RefusalsOfDay extends CountedRefusal {
  readonly applicationId: number;
  /** Start of the day, in epoch milliseconds. */
  readonly day: number;
}

type Row = Record<string, unknown>;

const addRows = createSums({
  table: 'fraud_refusals',
  key: ['application_id', 'day', 'rule', 'country'],
  sums: ['messages', 'people'],
  replaced: ['served'],
});

const toRefusal = (row: Row): CountedRefusal => ({
  rule: row.rule as RuleName,
  country: row.country as string,
  messages: Number(row.messages),
  people: Number(row.people),
  isServed: Boolean(row.served),
});

export type RefusalsStore = ReturnType<typeof createRefusalsStore>;

export function createRefusalsStore(db: Database) {
  return {
    add: (refusals: readonly RefusalsOfDay[]): Promise<void> =>
      transact(db, (trx) =>
        addRows(
          trx,
          refusals.map(({ applicationId, day, rule, country, messages, people, isServed }) => {
            return { application_id: applicationId, day, rule, country, messages, people, served: isServed };
          }),
        ),
      ),

    /** Returns the sums of the days from `from` and before `before`, by rule and country, most messages first. */
    async sums(applicationId: number, from: number, before = Infinity): Promise<CountedRefusal[]> {
      const query = db('fraud_refusals').where({ application_id: applicationId }).where('day', '>=', from);
      if (before !== Infinity) query.where('day', '<', before);
      const rows: Row[] = await query
        .groupBy('rule', 'country')
        .select('rule', 'country')
        .sum({ messages: 'messages', people: 'people' })
        .max({ served: 'served' })
        .orderByRaw('sum(messages) desc, rule, country');
      return rows.map(toRefusal);
    },

    /** Returns the applications with refusals on the day. */
    applicationsOf: (day: number): Promise<Reported[]> =>
      db('applications')
        .whereIn('id', db('fraud_refusals').where({ day }).select('application_id'))
        .select('id', 'name', { appKey: 'app_key' }),

    deleteOld: (before: number): Promise<void> =>
      deleteInChunks(() => db('fraud_refusals').where('day', '<', before), 'day'),
  };
}
