import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { fromSecretRow, toRow } from '../../platform/db/row.js';
import { transact } from '../../platform/db/transaction.js';
import type { Jwk, StoredKey } from './signing-key.js';

export type TokensStore = ReturnType<typeof createTokensStore>;

export function createTokensStore(db: Database) {
  return {
    async keys(now: number): Promise<StoredKey[]> {
      const rows = await db('signing_keys')
        .where((w) => w.whereNull('retires_at').orWhere('retires_at', '>', now))
        .orderBy([{ column: 'created_at', order: 'desc' }, 'kid']);
      return rows.map((row) => ({
        ...fromSecretRow<StoredKey>(row),
        publicJwk: JSON.parse(row.public_jwk as string) as Jwk,
      }));
    },

    /** Stores a new signing key, and deletes retired keys. The previous key verifies tokens until `oldRetireAt`. */
    async addKey(key: Omit<StoredKey, 'retiresAt'>, oldRetireAt: number): Promise<void> {
      await transact(db, async (trx) => {
        await trx('signing_keys').where('retires_at', '<=', key.createdAt).delete();
        await trx('signing_keys').whereNull('retires_at').update({ retires_at: oldRetireAt });
        await trx('signing_keys').insert(toRow({ ...key, publicJwk: JSON.stringify(key.publicJwk) }));
      });
    },

    async revoke(jti: string, expiresAt: number): Promise<void> {
      await db('revoked_tokens').insert({ jti, expires_at: expiresAt }).onConflict('jti').ignore();
    },

    async isRevoked(jti: string): Promise<boolean> {
      return (await db('revoked_tokens').where({ jti }).first()) !== undefined;
    },

    deleteExpired: (now: number): Promise<void> =>
      deleteInChunks(() => db('revoked_tokens').where('expires_at', '<', now), 'jti'),
  };
}
