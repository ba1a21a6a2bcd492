import type { Knex } from 'knex';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import type { AccountChoice } from './person.js';

export interface SignInLink extends AccountChoice {
  readonly email: string;
}

export type SignInLinksStore = ReturnType<typeof createSignInLinksStore>;

export function createSignInLinksStore(db: Database) {
  const valid = (tokenHash: string, now: number) =>
    db('sign_in_links').where({ token_hash: tokenHash }).where('expires_at', '>', now);

  async function insert(
    trx: Knex,
    tokenHash: string,
    link: Omit<SignInLink, 'account'>,
    expiresAt: number,
  ): Promise<void> {
    const { email, accountId } = link;
    const row = { token_hash: tokenHash, email, account_id: accountId, expires_at: expiresAt };
    await trx('sign_in_links').insert(row);
  }

  /** Returns the valid link with this token hash. Ignores links created by earlier versions, which have no account. */
  async function find(tokenHash: string, now: number): Promise<SignInLink | undefined> {
    return valid(tokenHash, now)
      .join('accounts', 'accounts.id', 'sign_in_links.account_id')
      .first({ email: 'sign_in_links.email', accountId: 'accounts.id', account: 'accounts.email' });
  }

  /** Uses a link by deleting it. Returns false if it has expired or was used before. */
  const use = async (tokenHash: string, now: number): Promise<boolean> => (await valid(tokenHash, now).delete()) === 1;

  const cleanUp = (now: number): Promise<void> =>
    deleteInChunks(() => db('sign_in_links').where('expires_at', '<=', now), 'token_hash');

  return { insert, find, use, cleanUp };
}
