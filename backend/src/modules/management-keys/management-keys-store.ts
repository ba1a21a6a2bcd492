import type { Knex } from 'knex';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { fromRow, toRow, type Row } from '../../platform/db/row.js';
import type { AccountStatus } from '../applications/application.js';
import type { ManagementKey } from './management-key.js';

const toKey = (row: Row): ManagementKey => ({
  ...fromRow<ManagementKey>(row),
  scopes: JSON.parse(row.scopes as string),
});

export function createManagementKeysStore(db: Database) {
  async function find(hash: string): Promise<{ key: ManagementKey; accountStatus: AccountStatus } | undefined> {
    const row = await db('management_keys')
      .join('accounts', 'accounts.id', 'management_keys.account_id')
      .where({ key_hash: hash })
      .first('management_keys.*', { account_status: 'accounts.status' });
    return row && { key: toKey(row), accountStatus: row.account_status };
  }

  const list = async (accountId: number, trx: Knex = db): Promise<ManagementKey[]> =>
    (await trx('management_keys').where({ account_id: accountId }).orderBy('id')).map(toKey);

  async function insert(trx: Knex, key: Omit<ManagementKey, 'id' | 'lastUsedAt'>, hash: string): Promise<number> {
    const row = toRow({ ...key, keyHash: hash, scopes: JSON.stringify(key.scopes) });
    const [id] = await trx('management_keys').insert(row);
    return id!;
  }

  /** Deletes a key. Returns false if the account has no such key. */
  const remove = async (trx: Knex, accountId: number, id: number): Promise<boolean> =>
    (await trx('management_keys').where({ account_id: accountId, id }).delete()) > 0;

  async function setLastUsed(id: number, now: number): Promise<void> {
    await db('management_keys').where({ id }).update({ last_used_at: now });
  }

  const deleteExpired = (time: number): Promise<void> =>
    deleteInChunks(() => db('management_keys').where('expires_at', '<', time), 'id');

  return { find, list, insert, remove, setLastUsed, deleteExpired };
}
