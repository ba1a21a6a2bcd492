/** People in the database. */
import type { Knex } from 'knex';
import type { Database } from '../../platform/db/database.js';
import { transact } from '../../platform/db/transaction.js';
import type { Person, Role } from './person.js';

export type PeopleStore = ReturnType<typeof createPeopleStore>;

export function toPerson(row: Record<string, unknown>): Person {
  return {
    id: row.id as number,
    accountId: row.account_id as number,
    email: row.email as string,
    role: row.role as Role,
    lastSeenAt: row.last_seen_at === null ? null : Number(row.last_seen_at),
    createdAt: Number(row.created_at),
  };
}

/** The owners of an account, locked until the end of the transaction: so two who leave at one time do not both go. */
async function lockedOwners(trx: Knex, accountId: number): Promise<number[]> {
  const owners = () => trx('people').where({ account_id: accountId, role: 'owner' });
  // Written first, so that what is read next is locked, on SQLite as well.
  await owners().update({ role: 'owner' });
  return (await owners().select('id')).map(({ id }) => id as number);
}

export function createPeopleStore(db: Database) {
  return {
    transaction: <T>(work: (trx: Knex) => Promise<T>): Promise<T> => transact(db, work),

    async find(accountId: number, id: number): Promise<Person | undefined> {
      const row = await db('people').where({ account_id: accountId, id }).first();
      return row && toPerson(row);
    },

    async any(trx: Knex = db): Promise<boolean> {
      return (await trx('people').select('id').first()) !== undefined;
    },

    /** Every account's person with this address, who signed in last first. */
    async withEmail(email: string): Promise<Person[]> {
      const rows = await db('people').where({ email }).orderBy('last_seen_at', 'desc').orderBy('id');
      return rows.map(toPerson);
    },

    /** The same with the addresses of their accounts. */
    async memberships(email: string): Promise<{ person: Person; account: string }[]> {
      const rows = await db('people')
        .join('accounts', 'accounts.id', 'people.account_id')
        .where('people.email', email)
        .orderBy('people.id')
        .select('people.*', { account: 'accounts.email' });
      return rows.map((row) => ({ person: toPerson(row), account: row.account as string }));
    },

    async ofAccount(accountId: number): Promise<Person[]> {
      return (await db('people').where({ account_id: accountId }).orderBy('id')).map(toPerson);
    },

    /** Makes the person, or answers the one who is there already, whose role stays. */
    async insert(trx: Knex, person: { accountId: number; email: string; role: Role; now: number }): Promise<Person> {
      const { accountId, email, role, now } = person;
      await trx('people')
        .insert({ account_id: accountId, email, role, created_at: now })
        .onConflict(['account_id', 'email'])
        .ignore();
      return toPerson(await trx('people').where({ account_id: accountId, email }).first());
    },

    /** Changes a role; false when that would leave the account without an owner. */
    setRole: ({ id, accountId }: Person, role: Role): Promise<boolean> =>
      transact(db, async (trx) => {
        const owners = await lockedOwners(trx, accountId);
        if (role !== 'owner' && owners.length === 1 && owners[0] === id) return false;
        await trx('people').where({ id, account_id: accountId }).update({ role });
        return true;
      }),

    /** Removes a person with all sessions, and with invitations that were left over; false for the last owner. */
    remove: ({ id, accountId, email }: Person): Promise<boolean> =>
      transact(db, async (trx) => {
        const owners = await lockedOwners(trx, accountId);
        if (owners.length === 1 && owners[0] === id) return false;
        await trx('person_sessions').where({ person_id: id }).delete();
        await trx('invitations').where({ account_id: accountId, email }).delete();
        await trx('people').where({ id, account_id: accountId }).delete();
        return true;
      }),

    async seen(id: number, now: number): Promise<void> {
      await db('people').where({ id }).update({ last_seen_at: now });
    },
  };
}
