import type { Knex } from 'knex';
import { deleteInChunks, type Database } from '../../platform/db/database.js';

export type SignInLinksStore = ReturnType<typeof createSignInLinksStore>;

export function createSignInLinksStore(db: Database) {
  const valid = (tokenHash: string, now: number) =>
    db('sign_in_links').where({ token_hash: tokenHash }).where('expires_at', '>', now);

  async function insert(trx: Knex, link: { tokenHash: string; email: string; expiresAt: number }): Promise<void> {
    const { tokenHash, email, expiresAt } = link;
    await trx('sign_in_links').insert({ token_hash: tokenHash, email, expires_at: expiresAt });
  }

  async function find(tokenHash: string, now: number): Promise<string | undefined> {
    return (await valid(tokenHash, now).first())?.email as string | undefined;
  }

  /** Uses a link by deleting it; false if it has expired or was used before. */
  const use = async (tokenHash: string, now: number): Promise<boolean> => (await valid(tokenHash, now).delete()) === 1;

  const cleanUp = (now: number): Promise<void> =>
    deleteInChunks(() => db('sign_in_links').where('expires_at', '<=', now), 'token_hash');

  return { insert, find, use, cleanUp };
}
