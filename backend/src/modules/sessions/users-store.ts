/** Users: one for each verified identity of an application, and one for each unverified identity. */
import type { Knex } from 'knex';
import { DAY } from '../../platform/clock.js';
import { random } from '../../platform/crypto.js';
import { deleteInChunks, RECENT_SCAN_LIMIT, type Database } from '../../platform/db/database.js';
import { keysIgnoringCase } from '../../platform/db/ignoring-case.js';
import type { Identity, User, UserRecord } from './user.js';

/** Prefix of unverified identities in the database. No phone number or email address starts with it. */
const UNVERIFIED_PREFIX = ':';

/** Minimum time between updates of `last_verified_at`, so that few verifications write to the user's row. */
const LAST_VERIFIED_ACCURACY = DAY;

const storedIdentity = ({ identity, verified }: Identity): string =>
  verified ? identity : UNVERIFIED_PREFIX + identity;

export type UsersStore = ReturnType<typeof createUsersStore>;

function toUser(row: Record<string, unknown>): User {
  const stored = row.identity as string;
  const verified = !stored.startsWith(UNVERIFIED_PREFIX);
  return {
    userId: row.user_id as string,
    applicationId: row.application_id as number,
    userApplicationId: row.user_application_id as number,
    identityType: row.identity_type as User['identityType'],
    identity: verified ? stored : stored.slice(UNVERIFIED_PREFIX.length),
    verified,
    sessionsEndedAt: Number(row.sessions_ended_at ?? 0),
  };
}

const toRecord = (row: Record<string, unknown>): UserRecord => ({
  ...toUser(row),
  createdAt: Number(row.created_at),
  lastVerifiedAt: Number(row.last_verified_at),
});

const toRow = (user: User, now: number) => ({
  user_id: user.userId,
  application_id: user.applicationId,
  user_application_id: user.userApplicationId,
  identity_type: user.identityType,
  identity: storedIdentity(user),
  created_at: now,
  last_verified_at: now,
});

const keyOf = (identity: Identity): string => `${identity.applicationId} ${storedIdentity(identity)}`;

async function setLastVerified(trx: Knex, rows: readonly Record<string, unknown>[], now: number): Promise<void> {
  const outdated = rows.filter((row) => Number(row.last_verified_at) <= now - LAST_VERIFIED_ACCURACY);
  const ids = outdated.map((row) => row.id as number);
  if (ids.length > 0) await trx('users').whereIn('id', ids).update({ last_verified_at: now });
}

/** Reserves consecutive numbers. Returns the first one for each application. `counts`: how many, by application id. */
async function reserveNumbers(trx: Knex, counts: ReadonlyMap<number, number>): Promise<Map<number, number>> {
  const ids = [...counts.keys()];
  const sum = trx.raw(`user_count + case id ${'when ? then ? '.repeat(ids.length)}end`, [...counts].flat());
  // The update locks the rows until the transaction ends, so that no number is used twice.
  await trx('applications').whereIn('id', ids).update({ user_count: sum });
  const rows: { id: number; user_count: number }[] = await trx('applications')
    .whereIn('id', ids)
    .select('id', 'user_count');
  return new Map(rows.map((row) => [row.id, row.user_count - counts.get(row.id)! + 1]));
}

/** Creates users for these identities, with consecutive numbers in each application. */
async function createUsers(trx: Knex, identities: readonly Identity[], now: number): Promise<User[]> {
  if (identities.length === 0) return [];
  const counts = new Map<number, number>();
  for (const { applicationId } of identities) counts.set(applicationId, (counts.get(applicationId) ?? 0) + 1);
  const next = await reserveNumbers(trx, counts);
  const users = identities.map((identity): User => {
    const userApplicationId = next.get(identity.applicationId)!;
    next.set(identity.applicationId, userApplicationId + 1);
    return { ...identity, userId: `USR-${random.base64url(24)}`, userApplicationId, sessionsEndedAt: 0 };
  });
  await trx('users').insert(users.map((user) => toRow(user, now)));
  return users;
}

export function createUsersStore(db: Database) {
  /** Returns the ids of the users with this address, whether verified or not. */
  async function idsOf(trx: Knex, applicationIds: readonly number[], address: string): Promise<number[]> {
    const users = () => trx('users').whereIn('application_id', [...applicationIds]);
    return [
      ...(await keysIgnoringCase<number>(users, 'id', 'identity', address)),
      ...(await keysIgnoringCase<number>(users, 'id', 'identity', UNVERIFIED_PREFIX + address)),
    ];
  }

  return {
    async findById(userId: string): Promise<User | undefined> {
      const row = await db('users').where({ user_id: userId }).first();
      return row && toUser(row);
    },

    /**
     * Returns one user for each identity, in the same order. Identities must be distinct. Creates missing users, and
     * records `now` as the time of the last verification.
     */
    async findOrCreate(trx: Knex, identities: readonly Identity[], now: number): Promise<User[]> {
      const find = trx('users');
      for (const identity of identities)
        find.orWhere({ application_id: identity.applicationId, identity: storedIdentity(identity) });
      const rows: Record<string, unknown>[] = await find;
      await setLastVerified(trx, rows, now);
      const found = new Map(rows.map(toUser).map((user) => [keyOf(user), user]));
      const missing = identities.filter((identity) => !found.has(keyOf(identity)));
      for (const user of await createUsers(trx, missing, now)) found.set(keyOf(user), user);
      return identities.map((identity) => found.get(keyOf(identity))!);
    },

    /** Returns the times of each identity's first and last verification. The last time is accurate to a day. */
    async verified(
      applicationId: number,
      identities: readonly string[],
    ): Promise<Map<string, { readonly since: number; readonly lastVerifiedAt: number }>> {
      if (identities.length === 0) return new Map();
      const rows: Record<string, unknown>[] = await db('users')
        .where({ application_id: applicationId })
        .whereIn('identity', [...identities])
        .select('identity', 'created_at', 'last_verified_at');
      return new Map(
        rows.map((row) => [
          row.identity as string,
          { since: Number(row.created_at), lastVerifiedAt: Number(row.last_verified_at) },
        ]),
      );
    },

    /** Deletes the users with this address, whether verified or not. Returns the number of users. */
    async erase(trx: Knex, applicationIds: readonly number[], address: string): Promise<number> {
      return trx('users')
        .whereIn('id', await idsOf(trx, applicationIds, address))
        .delete();
    },

    /** Returns the users with this address, whether verified or not. */
    async listByAddress(applicationId: number, address: string): Promise<UserRecord[]> {
      const ids = await idsOf(db, [applicationId], address);
      return (await db('users').whereIn('id', ids).orderBy('id')).map(toRecord);
    },

    /** Returns an application's newest users. Searches only the newest users of all applications. */
    async listNewest(applicationId: number, limit: number): Promise<UserRecord[]> {
      const newest = db('users').orderBy('id', 'desc').limit(RECENT_SCAN_LIMIT).as('newest');
      const rows = await db(newest).where({ application_id: applicationId }).orderBy('id', 'desc').limit(limit);
      return rows.map(toRecord);
    },

    /** Revokes all tokens that were issued to the users with this address until now. Returns the number of users. */
    async endSessions(trx: Knex, applicationId: number, address: string, now: number): Promise<number> {
      return trx('users')
        .whereIn('id', await idsOf(trx, [applicationId], address))
        .update({ sessions_ended_at: now });
    },

    async deleteUnverified(trx: Knex, applicationId: number, address: string): Promise<void> {
      const users = () => trx('users').where({ application_id: applicationId });
      const ids = await keysIgnoringCase<number>(users, 'id', 'identity', UNVERIFIED_PREFIX + address);
      await trx('users').whereIn('id', ids).delete();
    },

    /** Deletes users whose last verification was before `before`. */
    deleteUnused: (before: number): Promise<void> =>
      deleteInChunks(() => db('users').where('last_verified_at', '<', before - LAST_VERIFIED_ACCURACY), 'id'),
  };
}
