/** Counts, by UTC day, the messages that the guard would have refused during the observation period. */
import type { Knex } from 'knex';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { writeOf, type Write } from '../../platform/db/transaction.js';
import type { Refusal, RuleName, Scope } from './fraud.js';
import { bucketStart } from './fraud-counters.js';

export type FraudObservationsStore = ReturnType<typeof createFraudObservationsStore>;

/**
 * The number of messages that would have been refused, by rule and scope. `key` is "" for end users' IP addresses,
 * which are counted together.
 */
export interface Observation {
  readonly rule: RuleName;
  readonly scope: Scope;
  readonly key: string;
  readonly messages: number;
}

type Row = Record<string, unknown>;

const KEY = ['application_id', 'day', 'rule', 'scope', 'scope_key'];

const idOf = (row: Row): string => KEY.map((column) => String(row[column])).join(' ');

/** Adds the rows of a batch, in an order that prevents deadlocks between transactions. */
async function addObservations(trx: Knex, observed: readonly Row[]): Promise<void> {
  const rows = new Map<string, Row>();
  for (const row of observed) {
    const messages = Number(rows.get(idOf(row))?.messages ?? 0) + 1;
    rows.set(idOf(row), { ...row, messages });
  }
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  const added = trx.client.dialect === 'mysql' ? 'values(messages)' : 'excluded.messages';
  await trx('fraud_observations')
    .insert(sorted)
    .onConflict(KEY)
    .merge({ messages: trx.raw(`fraud_observations.messages + ${added}`) });
}

export function createFraudObservationsStore(db: Database) {
  return {
    /** Returns a write that increments the count of messages that would have been refused. */
    row: (applicationId: number, { rule, scope, key }: Refusal, now: number): Write =>
      writeOf(addObservations, {
        application_id: applicationId,
        day: bucketStart('day', now),
        rule,
        scope,
        scope_key: scope === 'source' ? '' : key,
      }),

    /** Returns the sums since this day, with the highest sums first. */
    async since(applicationId: number, day: number, limit: number): Promise<Observation[]> {
      const rows: Row[] = await db('fraud_observations')
        .where({ application_id: applicationId })
        .where('day', '>=', day)
        .groupBy('rule', 'scope', 'scope_key')
        .select('rule', 'scope', 'scope_key')
        .sum({ total: 'messages' })
        .orderBy([{ column: 'total', order: 'desc' }, 'scope_key'])
        .limit(limit);
      return rows.map((row) => ({
        rule: row.rule as RuleName,
        scope: row.scope as Scope,
        key: row.scope_key as string,
        messages: Number(row.total),
      }));
    },

    deleteOld: (before: number): Promise<void> =>
      deleteInChunks(() => db('fraud_observations').where('day', '<', before), 'scope_key'),
  };
}
