/** Users: one for each verified identity of an application, and one for each unverified identity. */
import type { Knex } from 'knex';
import { random } from '../../platform/crypto.js';
import type { Database } from '../../platform/db/database.js';
import type { Identity, User } from './user.js';

/** Prefix of stored identities that are not verified. No phone number or email address starts with it. */
const UNVERIFIED = ':';

const storedIdentity = ({ identity, verified }: Identity): string => (verified ? identity : UNVERIFIED + identity);

export type UsersStore = ReturnType<typeof createUsersStore>;

function toUser(row: Record<string, unknown>): User {
  const stored = row.identity as string;
  const verified = !stored.startsWith(UNVERIFIED);
  return {
    userId: row.user_id as string,
    applicationId: row.application_id as number,
    userApplicationId: row.user_application_id as number,
    identityType: row.identity_type as User['identityType'],
    identity: verified ? stored : stored.slice(UNVERIFIED.length),
    verified,
  };
}

const toRow = (user: User, now: number) => ({
  user_id: user.userId,
  application_id: user.applicationId,
  user_application_id: user.userApplicationId,
  identity_type: user.identityType,
  identity: storedIdentity(user),
  created_at: now,
});

const keyOf = (identity: Identity): string => `${identity.applicationId} ${storedIdentity(identity)}`;

async function reserveNumbers(trx: Knex, applicationId: number, count: number): Promise<number> {
  // The update locks the row until the transaction ends, so that no number is used twice.
  await trx('applications').where({ id: applicationId }).increment('user_count', count);
  const { user_count } = await trx('applications').select('user_count').where({ id: applicationId }).first();
  return (user_count as number) - count;
}

export function createUsersStore(db: Database) {
  return {
    async findById(userId: string): Promise<User | undefined> {
      const row = await db('users').where({ user_id: userId }).first();
      return row && toUser(row);
    },

    /** Returns the users of different identities, in the same order. Creates those that do not exist. */
    async findOrCreate(trx: Knex, identities: readonly Identity[], now: number): Promise<User[]> {
      const find = trx('users');
      for (const identity of identities)
        find.orWhere({ application_id: identity.applicationId, identity: storedIdentity(identity) });
      const found = new Map((await find).map(toUser).map((user) => [keyOf(user), user]));
      const missing = identities.filter((identity) => !found.has(keyOf(identity)));
      for (const applicationId of new Set(missing.map((identity) => identity.applicationId))) {
        const ofApplication = missing.filter((identity) => identity.applicationId === applicationId);
        const first = (await reserveNumbers(trx, applicationId, ofApplication.length)) + 1;
        const users = ofApplication.map((identity, n) => {
          return { ...identity, userId: `USR-${random.base64url(24)}`, userApplicationId: first + n };
        });
        await trx('users').insert(users.map((user) => toRow(user, now)));
        for (const user of users) found.set(keyOf(user), user);
      }
      return identities.map((identity) => found.get(keyOf(identity))!);
    },
  };
}
