/** Accounts in the database. */
import type { Database } from '../../platform/db/database.js';
import type { AccountStatus } from './application.js';

export interface Account {
  readonly id: number;
  readonly email: string;
  readonly status: AccountStatus;
}

export function createAccountsStore(db: Database) {
  return {
    async findAccount(email: string): Promise<Account | undefined> {
      return db('accounts').where({ email }).first();
    },

    async insertAccount(email: string, now: number): Promise<number> {
      await db('accounts').insert({ email, status: 'active', created_at: now }).onConflict('email').ignore();
      return (await this.findAccount(email))!.id;
    },

    async setAccountStatus(appKey: string, status: AccountStatus): Promise<void> {
      await db('accounts')
        .whereIn('id', db('applications').select('account_id').where({ app_key: appKey }))
        .update({ status });
    },
  };
}
