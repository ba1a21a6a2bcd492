/**
 * Users: one for each verified identity of an application, and one for each unverified identity. Email addresses that
 * differ only in letter case are one identity, but earlier versions stored a user for each spelling.
 */
import type { Knex } from 'knex';
import { DAY } from '../../platform/clock.js';
import { random } from '../../platform/crypto.js';
import { deleteInChunks, RECENT_SCAN_LIMIT, type Database } from '../../platform/db/database.js';
import { fromRow, type Row, type WithoutSecrets } from '../../platform/db/row.js';
import type { Identity, User, UserRecord } from './user.js';

/** Prefix of unverified identities in the database. No phone number or email address starts with it. */
const UNVERIFIED_PREFIX = ':';

/** Minimum time between updates of `last_verified_at`, so that few verifications write to the user's row. */
const LAST_VERIFIED_ACCURACY = DAY;

const storedIdentity = ({ identity, verified }: Identity): string =>
  verified ? identity : UNVERIFIED_PREFIX + identity;

/** Value of the generated column `identity_key`, which is equal in all letter cases. */
const identityKeyOf = (identity: Identity): string => storedIdentity(identity).toLowerCase();

export type UsersStore = ReturnType<typeof createUsersStore>;

export interface UsersPage {
  readonly users: readonly UserRecord[];
  /** The `before` of the next page; undefined on the last page. */
  readonly olderThan: number | undefined;
}

function toUser<T extends User & WithoutSecrets<T> = User>(row: Row): T {
  const stored = row.identity as string;
  const verified = !stored.startsWith(UNVERIFIED_PREFIX);
  return {
    ...fromRow<T>(row),
    identity: verified ? stored : stored.slice(UNVERIFIED_PREFIX.length),
    verified,
    sessionsEndedAt: Number(row.sessions_ended_at ?? 0),
  };
}

const toRow = (user: User, now: number) => ({
  user_id: user.userId,
  application_id: user.applicationId,
  user_application_id: user.userApplicationId,
  identity_type: user.identityType,
  identity: storedIdentity(user),
  created_at: now,
  last_verified_at: now,
});

const keyOf = (identity: Identity): string => `${identity.applicationId} ${identityKeyOf(identity)}`;

/**
 * Returns a function that selects the row of an identity. If an earlier version stored several users, selects the one
 * with the same spelling, so that each spelling keeps its userId; otherwise, the oldest one. `rows`: newest first.
 */
function createRowOf(rows: readonly Row[]) {
  const oldest = new Map(rows.map((row) => [`${row.application_id as number} ${row.identity_key as string}`, row]));
  const exact = new Map(rows.map((row) => [`${row.application_id as number} ${row.identity as string}`, row]));
  return (identity: Identity): Row | undefined =>
    exact.get(`${identity.applicationId} ${storedIdentity(identity)}`) ?? oldest.get(keyOf(identity));
}

async function setLastVerified(trx: Knex, rows: readonly Row[], now: number): Promise<void> {
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

async function findRowOf(trx: Knex, identities: readonly Identity[]): Promise<ReturnType<typeof createRowOf>> {
  const find = trx('users').orderBy('id', 'desc');
  for (const identity of identities)
    find.orWhere({ application_id: identity.applicationId, identity_key: identityKeyOf(identity) });
  const rows: Row[] = await find;
  return createRowOf(rows);
}

/**
 * Creates users for these distinct identities, with consecutive numbers in each application. Returns the existing users
 * of identities for which another transaction has just created them.
 */
async function createUsers(trx: Knex, identities: readonly Identity[], now: number): Promise<User[]> {
  if (identities.length === 0) return [];
  const counts = new Map<number, number>();
  for (const { applicationId } of identities) counts.set(applicationId, (counts.get(applicationId) ?? 0) + 1);
  const next = await reserveNumbers(trx, counts);
  // The reservation locks the applications, so from now on no other transaction creates users of them.
  const rowOf = await findRowOf(trx, identities);
  const existing = identities.map(rowOf).filter((row) => row !== undefined);
  const missing = identities.filter((identity) => !rowOf(identity));
  const users = missing.map((identity): User => {
    const userApplicationId = next.get(identity.applicationId)!;
    next.set(identity.applicationId, userApplicationId + 1);
    return { ...identity, userId: `USR-${random.base64url(24)}`, userApplicationId, sessionsEndedAt: 0 };
  });
  if (users.length > 0) await trx('users').insert(users.map((user) => toRow(user, now)));
  return [...existing.map(toUser), ...users];
}

/** Returns a query for the users with this address, whether verified or not. */
const usersWith = (trx: Knex, applicationIds: readonly number[], address: string) =>
  trx('users')
    .whereIn('application_id', applicationIds)
    .whereIn('identity_key', [address.toLowerCase(), UNVERIFIED_PREFIX + address.toLowerCase()]);

export function createUsersStore(db: Database) {
  return {
    async findById(userId: string): Promise<User | undefined> {
      const row = await db('users').where({ user_id: userId }).first();
      return row && toUser(row);
    },

    /**
     * Returns one user for each identity, in the same order and with the identity in the given spelling. Creates missing
     * users, and records `now` as the time of the last verification.
     */
    async findOrCreate(trx: Knex, identities: readonly Identity[], now: number): Promise<User[]> {
      const rowOf = await findRowOf(trx, identities);
      const chosen = identities.map(rowOf).filter((row) => row !== undefined);
      await setLastVerified(trx, chosen, now);
      const missing = identities.filter((identity) => !rowOf(identity));
      const distinct = new Map(missing.map((identity) => [keyOf(identity), identity]));
      const users = await createUsers(trx, [...distinct.values()], now);
      const created = new Map(users.map((user) => [keyOf(user), user]));
      return identities.map((identity) => {
        const row = rowOf(identity);
        const user = row ? toUser(row) : created.get(keyOf(identity))!;
        return { ...user, identity: identity.identity };
      });
    },

    /** Deletes the users with this address, whether verified or not. Returns the number of users. */
    async erase(trx: Knex, applicationIds: readonly number[], address: string): Promise<number> {
      return usersWith(trx, applicationIds, address).delete();
    },

    /** Returns the users with this address, whether verified or not. */
    async listByAddress(applicationId: number, address: string): Promise<UserRecord[]> {
      return (await usersWith(db, [applicationId], address).orderBy('id')).map(toUser<UserRecord>);
    },

    /** Returns the number of an application's users, at most `limit`. */
    async count(applicationId: number, limit: number): Promise<number> {
      const counted = db('users').where({ application_id: applicationId }).select('id').limit(limit);
      const [row] = await db(counted.as('counted')).count({ users: '*' });
      return Number(row!.users);
    },

    /** Returns a page of an application's users, newest first. Searches a limited number of users of all applications. */
    async page(applicationId: number, limit: number, before?: number): Promise<UsersPage> {
      const scanned = db('users').orderBy('id', 'desc').limit(RECENT_SCAN_LIMIT);
      if (before !== undefined) scanned.where('id', '<', before);
      const rows = await db(scanned.as('scanned'))
        .where({ application_id: applicationId })
        .orderBy('id', 'desc')
        .limit(limit + 1);
      const olderThan = rows.length > limit ? (rows[limit - 1].id as number) : undefined;
      return { users: rows.slice(0, limit).map(toUser<UserRecord>), olderThan };
    },

    /** Revokes all tokens that were issued to the users with this address until now. Returns the number of users. */
    async endSessions(trx: Knex, applicationId: number, address: string, now: number): Promise<number> {
      return usersWith(trx, [applicationId], address).update({ sessions_ended_at: now });
    },

    async deleteUnverified(trx: Knex, applicationId: number, address: string): Promise<void> {
      const identityKey = UNVERIFIED_PREFIX + address.toLowerCase();
      await trx('users').where({ application_id: applicationId, identity_key: identityKey }).delete();
    },

    /** Deletes users whose last verification was before `before`. */
    deleteUnused: (before: number): Promise<void> =>
      deleteInChunks(() => db('users').where('last_verified_at', '<', before - LAST_VERIFIED_ACCURACY), 'id'),
  };
}
