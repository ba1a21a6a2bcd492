/** Invitations in the database: of each link only the hash. */
import type { Knex } from 'knex';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import type { Role } from './person.js';

export interface Invitation {
  readonly id: number;
  readonly accountId: number;
  /** Who it is for; null where whoever has the link names their own address. */
  readonly email: string | null;
  readonly role: Role;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export type InvitationsStore = ReturnType<typeof createInvitationsStore>;

function toInvitation(row: Record<string, unknown>): Invitation {
  return {
    id: row.id as number,
    accountId: row.account_id as number,
    email: row.email as string | null,
    role: row.role as Role,
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
  };
}

export function createInvitationsStore(db: Database) {
  return {
    async insert({ tokenHash, ...invitation }: Omit<Invitation, 'id'> & { readonly tokenHash: string }): Promise<void> {
      await db('invitations').insert({
        token_hash: tokenHash,
        account_id: invitation.accountId,
        email: invitation.email,
        role: invitation.role,
        created_at: invitation.createdAt,
        expires_at: invitation.expiresAt,
      });
    },

    async find(tokenHash: string): Promise<Invitation | undefined> {
      const row = await db('invitations').where({ token_hash: tokenHash }).first();
      return row && toInvitation(row);
    },

    async ofAccount(accountId: number, now: number): Promise<Invitation[]> {
      const rows = await db('invitations')
        .where({ account_id: accountId })
        .where('expires_at', '>', now)
        .orderBy('id', 'desc');
      return rows.map(toInvitation);
    },

    /** Uses one up, in the caller's transaction; false when another one was quicker. */
    async use(trx: Knex, id: number, now: number): Promise<boolean> {
      return (await trx('invitations').where({ id }).where('expires_at', '>', now).delete()) === 1;
    },

    /** Takes one back; false when the account has none with this id. */
    async remove(accountId: number, id: number): Promise<boolean> {
      return (await db('invitations').where({ account_id: accountId, id }).delete()) === 1;
    },

    async removeAll(accountId: number): Promise<void> {
      await db('invitations').where({ account_id: accountId }).delete();
    },

    cleanUp: (now: number): Promise<void> =>
      deleteInChunks(() => db('invitations').where('expires_at', '<=', now), 'id'),
  };
}
