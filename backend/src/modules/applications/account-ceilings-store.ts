/** Reads and writes account ceilings. Every query runs in the caller's transaction. */
import type { Knex } from 'knex';
import type { StoredCeilings } from './account-ceilings.js';

/** Parses the `ceilings` column of an account. It contains only the ceilings that the operator has changed. */
export const parseCeilings = (text: unknown): StoredCeilings =>
  text === null ? {} : (JSON.parse(text as string) as StoredCeilings);

/**
 * Locks the account until the transaction ends, and returns its email address and changed ceilings. The UPDATE changes
 * nothing, but locks the account on SQLite, which has no `SELECT … FOR UPDATE`.
 */
export async function lockCeilings(trx: Knex, accountId: number): Promise<{ email: string; change: StoredCeilings }> {
  await trx('accounts').where({ id: accountId }).update({ id: accountId });
  const { email, ceilings } = await trx('accounts').where({ id: accountId }).first();
  return { email: email as string, change: parseCeilings(ceilings) };
}

export async function updateCeilings(trx: Knex, accountId: number, change: StoredCeilings): Promise<void> {
  await trx('accounts')
    .where({ id: accountId })
    .update({ ceilings: JSON.stringify(change) });
}

export const appKeysOf = (trx: Knex, accountId: number): Promise<string[]> =>
  trx('applications').where({ account_id: accountId }).pluck('app_key');

export async function countApplications(trx: Knex, accountId: number): Promise<number> {
  const row = await trx('applications').where({ account_id: accountId }).count({ count: '*' }).first();
  return Number(row!.count);
}
