/** Users: one for each verified identity of an application. */
import type { Knex } from 'knex';
import { random } from '../../crypto.js';
import type { Database } from '../../db/database.js';

export interface User {
  /** `USR-` and 32 base64url characters; stable per application and identity. */
  readonly userId: string;
  readonly applicationId: number;
  /** Counts up from 1 within the application. */
  readonly userApplicationId: number;
  readonly identityType: 'phone' | 'email';
  readonly identity: string;
}

export type UsersStore = ReturnType<typeof createUsersStore>;

function toUser(row: Record<string, unknown>): User {
  return {
    userId: row.user_id as string,
    applicationId: row.application_id as number,
    userApplicationId: row.user_application_id as number,
    identityType: row.identity_type as User['identityType'],
    identity: row.identity as string,
  };
}

export function createUsersStore(db: Database) {
  return {
    async findById(userId: string): Promise<User | undefined> {
      const row = await db('users').where({ user_id: userId }).first();
      return row && toUser(row);
    },

    /** The user of an identity, made when there is none. Runs in the caller's transaction. */
    async findOrCreate(
      trx: Knex,
      key: Pick<User, 'applicationId' | 'identityType' | 'identity'>,
      now: number,
    ): Promise<User> {
      const where = { application_id: key.applicationId, identity: key.identity };
      const found = await trx('users').where(where).first();
      if (found) return toUser(found);
      // The counter's row is the lock: two new users at one time get two numbers.
      await trx('applications').where({ id: key.applicationId }).increment('user_count', 1);
      const { user_count } = await trx('applications').select('user_count').where({ id: key.applicationId }).first();
      const row = {
        ...where,
        user_id: `USR-${random.base64url(24)}`,
        user_application_id: user_count as number,
        identity_type: key.identityType,
        created_at: now,
      };
      await trx('users').insert(row);
      return toUser(row);
    },
  };
}
