/** Users: one for each verified identity of an application, and one for each that nobody has verified. */
import type { Knex } from 'knex';
import { random } from '../../platform/crypto.js';
import type { Database } from '../../platform/db/database.js';

export interface User {
  /** `USR-` and 32 base64url characters; stable per application and identity. */
  readonly userId: string;
  readonly applicationId: number;
  /** Counts up from 1 within the application. */
  readonly userApplicationId: number;
  readonly identityType: 'phone' | 'email';
  readonly identity: string;
  /**
   * Whether it is known that the identity is the user's. Who has only named it is another user than who has proved it: a
   * token of the one never stands for the other.
   */
  readonly verified: boolean;
}

/** What a user is known by. */
export type Identity = Pick<User, 'applicationId' | 'identityType' | 'identity' | 'verified'>;

/** Before a stored identity that nobody has verified; no phone number or mail address begins so. */
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

const newUser = ({ applicationId, identityType, identity, verified }: Identity, userApplicationId: number): User => ({
  userId: `USR-${random.base64url(24)}`,
  applicationId,
  userApplicationId,
  identityType,
  identity,
  verified,
});

/** Takes the next `count` numbers of an application's users; answers the one before them. */
async function takeNumbers(trx: Knex, applicationId: number, count: number): Promise<number> {
  // The counter's row is the lock: two new users at one time get two numbers.
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

    /** The users of different identities, in their order, made where there are none. Runs in the caller's transaction. */
    async findOrCreate(trx: Knex, identities: readonly Identity[], now: number): Promise<User[]> {
      const find = trx('users');
      for (const identity of identities)
        find.orWhere({ application_id: identity.applicationId, identity: storedIdentity(identity) });
      const found = new Map((await find).map(toUser).map((user) => [keyOf(user), user]));
      const missing = identities.filter((identity) => !found.has(keyOf(identity)));
      for (const applicationId of new Set(missing.map((identity) => identity.applicationId))) {
        const here = missing.filter((identity) => identity.applicationId === applicationId);
        const first = (await takeNumbers(trx, applicationId, here.length)) + 1;
        const users = here.map((identity, n) => newUser(identity, first + n));
        await trx('users').insert(users.map((user) => toRow(user, now)));
        for (const user of users) found.set(keyOf(user), user);
      }
      return identities.map((identity) => found.get(keyOf(identity))!);
    },
  };
}
