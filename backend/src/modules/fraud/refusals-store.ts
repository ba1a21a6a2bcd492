/** Stores how many messages the guard refused, and how many people it challenged, by rule, country and quarter of an hour. */
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import type { Row } from '../../platform/db/row.js';
import { transact } from '../../platform/db/transaction.js';
import { createSums } from '../../platform/db/upsert.js';
import type { Challenged, CountedRefusal, RuleName } from './fraud.js';
import type { Reported } from './fraud-notices.js';

export interface TimedRefusals extends CountedRefusal {
  readonly applicationId: number;
  /** Start of the quarter of an hour, in epoch milliseconds. */
  readonly start: number;
  readonly challenged: number;
}

const addRows = createSums({
  table: 'fraud_refusals',
  key: ['application_id', 'day', 'rule', 'country'],
  sums: ['messages', 'people', 'challenged'],
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
  function between(from: number, before: number) {
    const query = db('fraud_refusals').where('day', '>=', from);
    return before === Infinity ? query : query.where('day', '<', before);
  }

  return {
    add: (refusals: readonly TimedRefusals[]): Promise<void> =>
      transact(db, (trx) =>
        addRows(
          trx,
          refusals.map(({ applicationId, start, isServed, ...counts }) => {
            return { application_id: applicationId, day: start, served: isServed, ...counts };
          }),
        ),
      ),

    /** Returns the sums from `from` and before `before`, by rule and country, most messages first. */
    async sums(applicationId: number, from: number, before = Infinity): Promise<CountedRefusal[]> {
      const rows: Row[] = await between(from, before)
        .where({ application_id: applicationId })
        .where('messages', '>', 0)
        .groupBy('rule', 'country')
        .select('rule', 'country')
        .sum({ messages: 'messages', people: 'people' })
        .max({ served: 'served' })
        .orderByRaw('sum(messages) desc, rule, country');
      return rows.map(toRefusal);
    },

    /** Returns the number of refused messages in each quarter of an hour since `from` that has any. `start`: in epoch milliseconds. */
    async byPeriod(
      applicationId: number,
      from: number,
    ): Promise<{ readonly start: number; readonly messages: number }[]> {
      const rows: Row[] = await between(from, Infinity)
        .where({ application_id: applicationId })
        .where('messages', '>', 0)
        .groupBy('day')
        .select({ start: 'day' })
        .sum({ messages: 'messages' });
      return rows.map(({ start, messages }) => ({ start: Number(start), messages: Number(messages) }));
    },

    /** Returns the start of the last period since `from` in which the guard refused messages to each country. */
    async lastPeriods(applicationId: number, from: number): Promise<ReadonlyMap<string, number>> {
      const rows: Row[] = await between(from, Infinity)
        .where({ application_id: applicationId })
        .where('messages', '>', 0)
        .whereNot({ rule: 'person' })
        .groupBy('country')
        .select('country')
        .max({ start: 'day' });
      return new Map(rows.map(({ country, start }) => [country as string, Number(start)]));
    },

    /** Returns the people who had to solve a challenge, by country, most people first. */
    async challenged(applicationId: number, from: number, before: number): Promise<Challenged[]> {
      const rows: Row[] = await between(from, before)
        .where({ application_id: applicationId })
        .where('challenged', '>', 0)
        .groupBy('country')
        .select('country')
        .sum({ people: 'challenged' })
        .orderByRaw('sum(challenged) desc, country');
      return rows.map(({ country, people }) => ({ country: country as string, people: Number(people) }));
    },

    applicationsOf: (from: number, before: number): Promise<Reported[]> =>
      db('applications')
        .whereIn('id', between(from, before).where('messages', '>', 0).select('application_id'))
        .select('id', 'name', { appKey: 'app_key' }),

    deleteOld: (before: number): Promise<void> =>
      deleteInChunks(() => db('fraud_refusals').where('day', '<', before), 'day'),
  };
}
