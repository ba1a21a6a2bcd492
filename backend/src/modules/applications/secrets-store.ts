/** App Secrets in the database: of each only what proves it. */
import type { Database } from '../../platform/db/database.js';
import { transact } from '../../platform/db/transaction.js';
import type { ApplicationSecret } from './application.js';

export type NewSecret = Pick<ApplicationSecret, 'hash' | 'tokenKeySealed'>;

export const secretColumns = (secret: NewSecret) => ({
  secret_hash: secret.hash,
  token_key_sealed: secret.tokenKeySealed,
});

export function createSecretsStore(db: Database) {
  return {
    /** Adds a secret; those before it end at `oldEndsAt`. */
    async replaceSecret(id: number, secret: NewSecret, now: number, oldEndsAt: number): Promise<void> {
      await transact(db, async (trx) => {
        const old = () => trx('application_secrets').where({ application_id: id });
        await old().where('expires_at', '<=', now).delete();
        await old()
          .where((w) => w.whereNull('expires_at').orWhere('expires_at', '>', oldEndsAt))
          .update({ expires_at: oldEndsAt });
        await trx('application_secrets').insert({ application_id: id, ...secretColumns(secret), created_at: now });
      });
    },

    /** Ends the secrets that were rotated out. */
    async endOldSecrets(id: number, now: number): Promise<void> {
      await db('application_secrets')
        .where({ application_id: id })
        .where('expires_at', '>', now)
        .update({ expires_at: now });
    },

    /** Puts another seal on the key of a secret; one that has changed meanwhile stays. */
    async resealTokenKey(from: string, to: string): Promise<void> {
      await db('application_secrets').where({ token_key_sealed: from }).update({ token_key_sealed: to });
    },
  };
}
