import type { Knex } from 'knex';
import { sha256 } from '../../platform/crypto.js';
import type { Database } from '../../platform/db/database.js';
import { fromRow, toRow } from '../../platform/db/row.js';
import type { Passkey } from './passkey.js';

export type PasskeysStore = ReturnType<typeof createPasskeysStore>;

export function createPasskeysStore(db: Database) {
  /** Returns the passkeys for an email address, oldest first. */
  async function ofEmail(email: string, trx: Knex = db): Promise<Passkey[]> {
    return (await trx('passkeys').where({ email }).orderBy('id')).map(fromRow<Passkey>);
  }

  /** Returns those of the email addresses that have a passkey. */
  async function ownersAmong(emails: readonly string[]): Promise<readonly string[]> {
    return db('passkeys').whereIn('email', emails).distinct().pluck('email');
  }

  async function findByCredential(credentialId: string): Promise<Passkey | undefined> {
    const row = await db('passkeys')
      .where({ credential_hash: sha256(credentialId) })
      .first();
    return row && fromRow<Passkey>(row);
  }

  async function insert(trx: Knex, passkey: Omit<Passkey, 'id' | 'lastUsedAt'>): Promise<void> {
    const credentialHash = sha256(passkey.credentialId);
    await trx('passkeys').insert(toRow({ ...passkey, credentialHash, lastChallengeAt: 0 }));
  }

  /** Records the use of a passkey. Returns false if it was already used with this challenge or a later challenge. */
  async function use(id: number, usage: { counter: number; challengeAt: number; now: number }): Promise<boolean> {
    const changed = await db('passkeys')
      .where({ id })
      .where('last_challenge_at', '<', usage.challengeAt)
      .update({ counter: usage.counter, last_challenge_at: usage.challengeAt, last_used_at: usage.now });
    return changed === 1;
  }

  async function remove(trx: Knex, email: string, id: number): Promise<Passkey | undefined> {
    const row = await trx('passkeys').where({ email, id }).first();
    if (!row || (await trx('passkeys').where({ id }).delete()) === 0) return undefined;
    return fromRow<Passkey>(row);
  }

  return { ofEmail, ownersAmong, findByCredential, insert, use, remove };
}
