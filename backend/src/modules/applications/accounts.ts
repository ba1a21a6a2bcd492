/** Accounts, which own applications. */
import type { Clock } from '../../platform/clock.js';
import type { AccountStatus, Application } from './application.js';
import type { ApplicationChanges } from './application-changes.js';
import type { ApplicationsStore } from './applications-store.js';

export interface AccountsDependencies {
  readonly store: ApplicationsStore;
  readonly clock: Clock;
  readonly changes: ApplicationChanges;
  /** The application of an App Key; throws where there is none. */
  readonly existing: (appKey: string) => Promise<Application>;
}

export function createAccounts({ store, clock, changes, existing }: AccountsDependencies) {
  async function accountId(email: string): Promise<number> {
    const account = await store.findAccount(email);
    return account?.id ?? (await store.insertAccount(email, clock.now()));
  }

  return {
    /** The id of an account, which is made where there is none. */
    accountId,

    hasAccount: async (email: string): Promise<boolean> => (await store.findAccount(email)) !== undefined,

    async createAccount(email: string): Promise<{ email: string }> {
      await accountId(email);
      return { email };
    },

    /** Sets the state of the account that an application belongs to. */
    async setAccountStatus(appKey: string, status: AccountStatus): Promise<void> {
      await existing(appKey);
      await store.setAccountStatus(appKey, status);
      await changes.announce(appKey);
    },
  };
}
