import type { Knex } from 'knex';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { fromRow, toRow } from '../../platform/db/row.js';
import { accountName } from '../applications/application.js';
import type { Role } from '../access/rights.js';
import type { AccountChoice, Invitation, Membership, Person } from './person.js';

export interface WeeklyReader {
  readonly person: Person;
  /** When the last one was sent, or when the person turned them on. */
  readonly lastAt: number;
}

export type PeopleStore = ReturnType<typeof createPeopleStore>;

/** Creates a function that returns the accounts to which an address has a valid invitation. */
const createAccountsInviting =
  (db: Database) =>
  async (email: string, now: number): Promise<AccountChoice[]> =>
    db('invitations')
      .join('accounts', 'accounts.id', 'invitations.account_id')
      .where('invitations.email', email)
      .where('invitations.expires_at', '>', now)
      .distinct({ accountId: 'accounts.id', account: 'accounts.email' })
      .orderBy('accounts.id');

export function createPeopleStore(db: Database) {
  const cleanUpInvitations = (now: number): Promise<void> =>
    deleteInChunks(() => db('invitations').where('expires_at', '<=', now), 'id');

  return {
    async find(accountId: number, id: number): Promise<Person | undefined> {
      const row = await db('people').where({ account_id: accountId, id }).first();
      return row && fromRow<Person>(row);
    },

    isEmpty: async (trx: Knex = db) => (await trx('people').select('id').first()) === undefined,

    /** Returns the people with this address in all accounts, most recently seen first. */
    async withEmail(email: string): Promise<Person[]> {
      return (await db('people').where({ email }).orderBy('last_seen_at', 'desc').orderBy('id')).map(fromRow<Person>);
    },

    async memberships(email: string): Promise<Membership[]> {
      const rows = await db('people')
        .join('accounts', 'accounts.id', 'people.account_id')
        .where('people.email', email)
        .orderBy('people.id')
        .select('people.*', { account: 'accounts.email', account_name: 'accounts.name' });
      return rows.map((row) => ({
        person: fromRow<Person>(row),
        account: row.account as string,
        accountName: accountName(row.account as string, row.account_name as string | null),
      }));
    },

    ofAccount: async (accountId: number): Promise<Person[]> =>
      (await db('people').where({ account_id: accountId }).orderBy('id')).map(fromRow<Person>),

    /**
     * Inserts and returns a person. If the account already has a person with this address, returns that person unchanged.
     */
    async insert(trx: Knex, person: Pick<Person, 'accountId' | 'email' | 'role'>, now: number): Promise<Person> {
      const { accountId, email, role } = person;
      await trx('people')
        .insert({ account_id: accountId, email, role, created_at: now })
        .onConflict(['account_id', 'email'])
        .ignore();
      return fromRow<Person>(await trx('people').where({ account_id: accountId, email }).first());
    },

    /**
     * Locks the owners of an account until the transaction ends, and returns their ids. Uses an update, because SQLite
     * has no `select … for update`.
     */
    async lockOwners(trx: Knex, accountId: number): Promise<number[]> {
      const owners = () => trx('people').where({ account_id: accountId, role: 'owner' });
      await owners().update({ role: 'owner' });
      return (await owners().select('id')).map(({ id }) => id as number);
    },

    async setRole(trx: Knex, id: number, role: Role): Promise<void> {
      await trx('people').where({ id }).update({ role });
    },

    /**
     * Deletes a person, their sessions, and their unused invitations to the account. Keeps passkeys and sign-in links if
     * the address also belongs to another account.
     */
    async remove(trx: Knex, { id, accountId, email }: Person): Promise<void> {
      await trx('person_sessions').where({ person_id: id }).delete();
      await trx('invitations').where({ account_id: accountId, email }).delete();
      await trx('people').where({ id }).delete();
      if (await trx('people').where({ email }).first()) return;
      await trx('passkeys').where({ email }).delete();
      await trx('sign_in_links').where({ email }).delete();
    },

    async setLastSeen(id: number, now: number): Promise<void> {
      await db('people').where({ id }).update({ last_seen_at: now });
    },

    weeklyReaders: async (): Promise<WeeklyReader[]> =>
      (await db('people').whereNotNull('weekly_email_at').orderBy('id')).map((row) => ({
        person: fromRow<Person>(row),
        lastAt: Number(row.weekly_email_at),
      })),

    /** Returns when the last weekly email was sent, or when the person turned them on. Null: they are off. */
    async weeklyEmailAt(id: number, trx: Knex = db): Promise<number | null> {
      const row = await trx('people').where({ id }).first('weekly_email_at');
      return row === undefined || row.weekly_email_at === null ? null : Number(row.weekly_email_at);
    },

    /** Returns false if the value is not `before`, because another transaction has changed it. */
    async setWeeklyEmail(trx: Knex, id: number, before: number | null, after: number | null): Promise<boolean> {
      return (await trx('people').where({ id, weekly_email_at: before }).update({ weekly_email_at: after })) === 1;
    },

    async insertInvitation(trx: Knex, invitation: Omit<Invitation, 'id'>, tokenHash: string): Promise<void> {
      await trx('invitations').insert(toRow({ ...invitation, tokenHash }));
    },

    async findInvitation(tokenHash: string): Promise<Invitation | undefined> {
      const row = await db('invitations').where({ token_hash: tokenHash }).first();
      return row && fromRow<Invitation>(row);
    },

    async invitationFor(email: string, accountId: number, now: number): Promise<Invitation | undefined> {
      const valid = db('invitations').where({ email, account_id: accountId }).where('expires_at', '>', now);
      const row = await valid.orderBy('created_at', 'desc').first();
      return row && fromRow<Invitation>(row);
    },

    accountsInviting: createAccountsInviting(db),
    async invitationsOfAccount(accountId: number, now: number): Promise<Invitation[]> {
      const valid = db('invitations').where({ account_id: accountId }).where('expires_at', '>', now);
      return (await valid.orderBy('created_at', 'desc')).map(fromRow<Invitation>);
    },

    /** Uses an invitation by deleting it. Returns false if it has expired or another transaction used it. */
    async useInvitation(trx: Knex, id: number, now: number): Promise<boolean> {
      return (await trx('invitations').where({ id }).where('expires_at', '>', now).delete()) === 1;
    },

    /** Deletes and returns an invitation; undefined if the account has no invitation with this id. */
    async removeInvitation(trx: Knex, accountId: number, id: number): Promise<Invitation | undefined> {
      const invitation = () => trx('invitations').where({ account_id: accountId, id });
      const row = await invitation().first();
      const deleted = await invitation().delete();
      return deleted === 1 ? fromRow<Invitation>(row) : undefined;
    },

    async removeInvitations(trx: Knex, accountId: number): Promise<void> {
      await trx('invitations').where({ account_id: accountId }).delete();
    },

    cleanUpInvitations,
  };
}
