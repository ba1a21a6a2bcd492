/** Fills every table with rows of an application, and counts them, so that a test finds tables that are not erased. */
import type { Knex } from 'knex';
import type { Database } from '../../backend/src/platform/db/database.js';
import { tableNames } from './all-rows.js';

/** Columns with the id of a row of another table. Their tables have no `application_id`. */
const PARENTS: Readonly<Record<string, string>> = { factor_id: 'two_factors', webhook_id: 'webhooks' };

/** Tables without data of an application. Keys and ids in them are hashes or random, and expire. */
const UNRELATED_TABLES = [
  'passbell_migrations',
  'passbell_migrations_lock',
  'sqlite_sequence',
  'sqlite_stat1',
  'sqlite_stat4',
  'accounts',
  'people',
  'person_sessions',
  'invitations',
  'passkeys',
  'sign_in_links',
  'audit_entries',
  'signing_keys',
  'revoked_tokens',
  'idempotency_keys',
  'idempotency_results',
  'rate_limits',
  'counted_sessions',
  'providers',
  'provider_health',
  'provider_scores',
  'routes',
  'routing_versions',
  'settings_version',
  'prices',
  'management_keys',
  'provider_message_ids',
  'suppressions',
  'write_checks',
];

/** After every test: no clean-up or worker handles rows with this time. */
const FAR_FUTURE = 9_000_000_000_000;

async function tablesOf(db: Database): Promise<string[]> {
  const names = await tableNames(db);
  return names.filter((name) => !UNRELATED_TABLES.includes(name) && name !== 'applications').sort();
}

/** Returns the column that connects a table to an application. Throws if there is none. */
async function linkOf(db: Database, table: string): Promise<{ column: string; parent: string | undefined }> {
  const columns = Object.keys(await db(table).columnInfo());
  if (columns.includes('application_id')) return { column: 'application_id', parent: undefined };
  const column = Object.keys(PARENTS).find((name) => columns.includes(name));
  if (!column) throw new Error(`Is ${table} erased with an application? If it is unrelated, list it here.`);
  return { column, parent: PARENTS[column] };
}

function valueOf({ type, maxLength }: Knex.ColumnInfo, suffix: number): string | number {
  if (type === 'bigint') return FAR_FUTURE;
  return /int|bool|double/.test(type) ? 1 : `x${suffix}`.slice(-Number(maxLength ?? Infinity));
}

export async function addRowsToAllTables(db: Database, applicationId: number): Promise<void> {
  const tables = await Promise.all(
    (await tablesOf(db)).map(async (table) => ({ table, ...(await linkOf(db, table)) })),
  );
  const parentsFirst = tables.sort((a, b) => Number(a.parent !== undefined) - Number(b.parent !== undefined));
  for (const { table, column, parent } of parentsFirst) {
    const columns = Object.entries(await db(table).columnInfo());
    const values = columns
      // A generated column, such as `identity_key`, cannot be set.
      .filter(([name, { type }]) => (name !== 'id' || /char/.test(type)) && name !== 'identity_key')
      .map(([name, info]) => [name, valueOf(info, applicationId)]);
    const link =
      parent === undefined ? applicationId : (await db(parent).where({ application_id: applicationId }).first()).id;
    await db(table).insert({ ...Object.fromEntries(values), [column]: link });
  }
}

/** Returns a function that counts an application's rows by table. */
export async function createRowCounter(db: Database, applicationId: number) {
  const idsOf = (parent: string): Promise<number[]> => db(parent).where({ application_id: applicationId }).pluck('id');
  const tables = await Promise.all(
    (await tablesOf(db)).map(async (table) => {
      const { column, parent } = await linkOf(db, table);
      return { table, column, ids: parent === undefined ? [applicationId] : await idsOf(parent) };
    }),
  );
  return async (): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {
      applications: (await db('applications').where({ id: applicationId })).length,
    };
    for (const { table, column, ids } of tables) counts[table] = (await db(table).whereIn(column, ids)).length;
    return counts;
  };
}
