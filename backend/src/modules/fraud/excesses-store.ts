/** Stores the excess of each scope, and the recipients of each day. IP addresses are stored as keyed hashes. */
import type { Knex } from 'knex';
import { HOUR, startOfDay } from '../../platform/clock.js';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { fromRow, type Row } from '../../platform/db/row.js';
import { transact, writeOf, type Write } from '../../platform/db/transaction.js';
import { createSums, createUpsert } from '../../platform/db/upsert.js';
import type { Charge, DayCount, Excess, ScopeRef } from './fraud.js';

export interface ApplicationScope extends ScopeRef {
  readonly applicationId: number;
}

/** The changes that a message, a verification or a delivery report causes. */
export interface Counted {
  readonly applicationId: number;
  readonly charges: readonly Charge[];
  /** Undefined if the recipient does not count for the conversion. */
  readonly day?: DayCount | undefined;
}

/** Returns the rows of a raw query. MySQL's result also describes the columns. */
const rowsOf = (result: unknown): Row[] =>
  Array.isArray((result as unknown[])[0]) ? (result as Row[][])[0]! : (result as Row[]);

export const scopeName = ({ scope, key }: ScopeRef): string => `${scope} ${key}`;

const COLUMNS = ['application_id', 'name', 'excess', 'sent', 'verified', 'since', 'changed_at', 'per_hour'];

const addExcesses = createUpsert({
  table: 'fraud_excesses',
  key: ['application_id', 'name'],
  columns: COLUMNS,
  update(inserted) {
    const own = (column: string) => `fraud_excesses.${column}`;
    const elapsed = `(${inserted('changed_at')} - ${own('changed_at')})`;
    const left = `(${own('excess')} - case when ${elapsed} > 0 then ${elapsed} else 0 end * ${inserted('per_hour')} / ${HOUR}.0)`;
    const ifLeft = (column: string, otherwise: string) =>
      `case when ${left} > 0 then ${own(column)} else ${otherwise} end`;
    const sum = `(case when ${left} > 0 then ${left} else 0 end + ${inserted('excess')})`;
    // MySQL assigns from left to right, so the columns that the others use come last.
    return {
      sent: `${ifLeft('sent', '0')} + ${inserted('sent')}`,
      verified: `${ifLeft('verified', '0')} + ${inserted('verified')}`,
      since: ifLeft('since', inserted('since')),
      excess: `case when ${sum} > 0 then ${sum} else 0 end`,
      changed_at: `case when ${elapsed} > 0 then ${inserted('changed_at')} else ${own('changed_at')} end`,
    };
  },
});

const addDays = createSums({
  table: 'fraud_days',
  key: ['application_id', 'country', 'day'],
  sums: ['sent', 'verified'],
});

type OwnDay = DayCount & { readonly applicationId: number };

/** Stores counts, with one row for each scope and day. Sorts the rows to prevent deadlocks between transactions. */
export async function addCounted(trx: Knex, counted: readonly Counted[]): Promise<void> {
  const rows = new Map<string, [id: number, name: string, ...numbers: number[]]>();
  for (const { applicationId, charges } of counted)
    for (const { change, perHour, at, ...ref } of charges) {
      const name = scopeName(ref);
      const id = `${applicationId} ${name}`;
      const [, , excess = 0, sent = 0, verified = 0, , lastAt = 0, fastest = 0] = rows.get(id) ?? [];
      const last = Math.max(lastAt, at);
      rows.set(id, [
        applicationId,
        name,
        excess + change.excess,
        sent + change.sent,
        verified + change.verified,
        last,
        last,
        Math.max(fastest, perHour),
      ]);
    }
  await addExcesses(
    trx,
    [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row),
  );
  await addDays(
    trx,
    counted.flatMap(({ applicationId, day }) => (day ? [{ application_id: applicationId, ...day }] : [])),
  );
}

export type ExcessesStore = ReturnType<typeof createExcessesStore>;

export function createExcessesStore(db: Database) {
  return {
    /** Locked after the records of recipients, as by `countCodes`. */
    row: (counted: Counted, committed: () => void): Write => writeOf(addCounted, counted, { place: 2, committed }),
    add: (counted: Counted): Promise<void> => transact(db, (trx) => addCounted(trx, [counted])),

    /** Returns the excesses by application and name; see {@link scopeName}. */
    async read(scopes: readonly ApplicationScope[]): Promise<Map<string, Excess>> {
      const ids = [...new Set(scopes.map(({ applicationId }) => applicationId))];
      const names = [...new Set(scopes.map(scopeName))];
      const lists = [ids, names].map((list) => `(${list.map(() => '?').join(', ')})`);
      const sql = `select * from fraud_excesses where application_id in ${lists[0]} and name in ${lists[1]}`;
      const rows = names.length === 0 ? [] : rowsOf(await db.raw(sql, [...ids, ...names]));
      return new Map(
        rows.map((row) => [
          `${Number(row.application_id)} ${row.name as string}`,
          {
            excess: Math.max(0, Number(row.excess)),
            sent: Number(row.sent),
            verified: Number(row.verified),
            since: Number(row.since),
            at: Number(row.changed_at),
          },
        ]),
      );
    },

    async highest(applicationId: number, scope: ScopeRef['scope'], limit: number) {
      const rows: Row[] = await db('fraud_excesses')
        .where({ application_id: applicationId })
        .where('name', 'like', `${scope} %`)
        .where('sent', '>', 0)
        .orderBy('excess', 'desc')
        .orderBy('name')
        .limit(limit);
      return rows.map((row) => ({
        key: (row.name as string).slice(scope.length + 1),
        sent: Number(row.sent),
        // Recipients who were counted before the excess was last 0 may enter their codes later.
        verified: Math.min(Number(row.sent), Number(row.verified)),
      }));
    },

    /** Forgets the excess of a scope that a person resumes or allows. */
    reset: (trx: Knex, applicationId: number, ref: ScopeRef): Promise<number> =>
      trx('fraud_excesses')
        .where({ application_id: applicationId, name: scopeName(ref) })
        .delete(),

    async days(applicationIds: readonly number[], from: number): Promise<OwnDay[]> {
      const days = db('fraud_days').whereIn('application_id', applicationIds).where('day', '>=', startOfDay(from));
      return (await days).map(fromRow<OwnDay>);
    },

    async deleteOld(before: number, dayBefore: number): Promise<void> {
      await deleteInChunks(() => db('fraud_excesses').where('changed_at', '<', before), 'name');
      await deleteInChunks(() => db('fraud_days').where('day', '<', dayBefore), 'day');
    },
  };
}
