/** Stores the hashes of App Secrets, and the sealed keys of userTokens. */
import type { Knex } from 'knex';
import type { Keyring } from '../../platform/crypto.js';
import type { Database } from '../../platform/db/database.js';
import { resealColumn } from '../../platform/db/reseal.js';
import { userTokenKeyContext } from './application-secrets.js';
import type { ApplicationSecret } from './application.js';

type NewSecret = Omit<ApplicationSecret, 'expiresAt'>;

export const secretsOf = (trx: Knex, id: number) => trx('application_secrets').where({ application_id: id });

export function createSecretsStore(db: Database) {
  async function insertSecret(trx: Knex, id: number, { hash, tokenKeySealed }: NewSecret, now: number): Promise<void> {
    const secret = { secret_hash: hash, token_key_sealed: tokenKeySealed, created_at: now };
    await trx('application_secrets').insert({ application_id: id, ...secret });
  }

  /** Deletes an application's expired secrets, and makes its other secrets expire by `expiresAt`. */
  async function expireSecrets(trx: Knex, id: number, now: number, expiresAt: number): Promise<void> {
    await secretsOf(trx, id).where('expires_at', '<=', now).delete();
    await secretsOf(trx, id)
      .where((w) => w.whereNull('expires_at').orWhere('expires_at', '>', expiresAt))
      .update({ expires_at: expiresAt });
  }

  async function expireReplacedSecrets(trx: Knex, id: number, now: number): Promise<void> {
    await secretsOf(trx, id).where('expires_at', '>', now).update({ expires_at: now });
  }

  /** Reseals all user token keys with the newest key. Returns the number of resealed keys. */
  const resealTokenKeys = (keyring: Keyring): Promise<number> =>
    resealColumn(db, keyring, {
      table: 'application_secrets',
      column: 'token_key_sealed',
      contextOf: (row) => userTokenKeyContext(row.secret_hash as string),
    });

  return { insertSecret, expireSecrets, expireReplacedSecrets, resealTokenKeys };
}
