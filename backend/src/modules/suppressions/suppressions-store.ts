import type { Knex } from 'knex';
import type { Database } from '../../platform/db/database.js';
import { fromRow } from '../../platform/db/row.js';
import { retryConflicts } from '../../platform/db/transaction.js';
import { addressKey, MAX_DETAILS_LENGTH, MAX_SOFT_BOUNCES, type Suppression } from './suppression.js';

/** Number of addresses that a statement adds. An import would otherwise delay all other writes for too long. */
const BATCH = 500;

const toRow = (accountId: number, { address, reason, source, details, createdAt }: Suppression) => ({
  account_id: accountId,
  address: addressKey(address),
  reason,
  source: source.slice(0, 100),
  details: details?.slice(0, MAX_DETAILS_LENGTH) ?? null,
  created_at: createdAt,
});

export type SuppressionsStore = ReturnType<typeof createSuppressionsStore>;

export function createSuppressionsStore(db: Database) {
  const rowOf = (query: Knex, accountId: number, address: string) =>
    query('suppressions').where({ account_id: accountId, address: addressKey(address) });

  /** Suppresses addresses. Keeps the first reason of an address that is already suppressed. Returns how many are new. */
  async function add(
    trx: Knex,
    accountId: number,
    addresses: readonly string[],
    cause: Omit<Suppression, 'address'>,
  ): Promise<number> {
    let added = 0;
    for (let n = 0; n < addresses.length; n += BATCH) {
      const rows = addresses.slice(n, n + BATCH).map((address) => toRow(accountId, { address, ...cause }));
      await trx('suppressions')
        .insert(rows.map((row) => ({ ...row, reason: null })))
        .onConflict(['account_id', 'address'])
        .ignore();
      const { reason, source, details, created_at } = rows[0]!;
      added += await trx('suppressions')
        .where({ account_id: accountId })
        .whereIn(
          'address',
          rows.map((row) => row.address),
        )
        .whereNull('reason')
        .update({ reason, source, details, created_at });
    }
    return added;
  }

  return {
    async find(accountId: number, address: string): Promise<Suppression | undefined> {
      const row = await rowOf(db, accountId, address).whereNotNull('reason').first();
      return row && fromRow<Suppression>(row);
    },

    /** Lists addresses that contain `search`, newest first. */
    async list(accountId: number, search: string, limit: number): Promise<Suppression[]> {
      const query = db('suppressions').where({ account_id: accountId }).whereNotNull('reason');
      if (search !== '') query.whereRaw("address like ? escape '!'", [`%${search.replace(/[!%_]/g, '!$&')}%`]);
      return (await query.orderBy('id', 'desc').limit(limit)).map(fromRow<Suppression>);
    },

    add,

    /** Returns how many of these addresses, which are {@link addressKey}s, are suppressed. */
    async countAmong(accountId: number, addresses: readonly string[]): Promise<number> {
      let count = 0;
      for (let n = 0; n < addresses.length; n += BATCH) {
        const query = db('suppressions').where({ account_id: accountId }).whereNotNull('reason');
        count += (await query.whereIn('address', addresses.slice(n, n + BATCH)).pluck('id')).length;
      }
      return count;
    },

    /** Counts a soft bounce. Suppresses the address after {@link MAX_SOFT_BOUNCES} in a row. */
    async countSoftBounce(trx: Knex, accountId: number, suppression: Suppression): Promise<void> {
      const row = toRow(accountId, suppression);
      await trx('suppressions')
        .insert({ ...row, reason: null })
        .onConflict(['account_id', 'address'])
        .ignore();
      const counted = () => rowOf(trx, accountId, row.address).whereNull('reason');
      await counted().increment('soft_bounces', 1);
      const { reason, source, details, created_at } = row;
      await counted().where('soft_bounces', '>=', MAX_SOFT_BOUNCES).update({ reason, source, details, created_at });
    },

    /** Forgets the soft bounces of an address that was delivered to. */
    async forgetSoftBounces(trx: Knex, accountId: number, address: string): Promise<void> {
      await rowOf(trx, accountId, address).whereNull('reason').delete();
    },

    remove: (trx: Knex, accountId: number, address: string): Promise<number> =>
      retryConflicts(() => rowOf(trx, accountId, address).delete()),

    async accountOf(trx: Knex, applicationId: number): Promise<number | undefined> {
      return (await trx('applications').where({ id: applicationId }).first('account_id'))?.account_id;
    },

    async erase(trx: Knex, applicationIds: readonly number[], address: string): Promise<number> {
      const accounts = trx('applications').whereIn('id', applicationIds).select('account_id');
      return trx('suppressions')
        .whereIn('account_id', accounts)
        .where({ address: addressKey(address) })
        .delete();
    },
  };
}
