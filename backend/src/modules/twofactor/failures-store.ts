/** Stores consecutive wrong codes by user and caller, and the row that serializes changes to a user's second factor. */
import type { Knex } from 'knex';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { toRow } from '../../platform/db/row.js';
import type { CallerGroup, Failures, FactorUser } from './second-factor.js';

/** All groups of callers. A group's failures are stored with the group's name in the `caller` column. */
export const CALLER_GROUPS: readonly CallerGroup[] = ['known', 'vouched', 'unknown'];

export type FailuresStore = ReturnType<typeof createFailuresStore>;

const userKey = ({ applicationId, identity }: FactorUser) => ({ application_id: applicationId, identity });

export function createFailuresStore(db: Database) {
  return {
    /** Locks the user until the transaction ends. Uses an upsert, because SQLite has no `select … for update`. */
    async lockUser(trx: Knex, user: FactorUser, expiresAt: number): Promise<void> {
      await trx('two_factor_guesses')
        .insert({ ...userKey(user), expires_at: expiresAt })
        .onConflict(['application_id', 'identity'])
        .merge(['expires_at']);
    },

    /** Returns whether two-factor is on, and whether this browser has verified a code for the current factor. */
    async findFactorAndBrowser(trx: Knex, { applicationId, identity }: FactorUser, browserHash: string, now: number) {
      const row = await trx('two_factors')
        .leftJoin('two_factor_browsers as browsers', (join) =>
          join
            .on('browsers.factor_id', 'two_factors.id')
            .andOnVal('browsers.browser', browserHash)
            .andOnVal('browsers.expires_at', '>', now),
        )
        .where({ application_id: applicationId, identity })
        .first({ browser: 'browsers.id' });
      return { isOn: row !== undefined, isKnownBrowser: row !== undefined && row.browser !== null };
    },

    /** Returns the failures by caller. Callers without failures are left out. */
    async find(trx: Knex, user: FactorUser, callers: readonly string[]): Promise<Map<string, Failures>> {
      const rows: (Failures & { readonly caller: string })[] = await trx('two_factor_failures')
        .where(userKey(user))
        .whereIn('caller', callers)
        .select('caller', 'failures', { lockedUntil: 'locked_until', lastCode: 'last_code' });
      return new Map(rows.map(({ caller, ...failures }) => [caller, failures]));
    },

    async save(trx: Knex, user: FactorUser, failed: ReadonlyMap<string, Failures>, expiresAt: number): Promise<void> {
      const rows = [...failed].map(([caller, failures]) => ({
        ...userKey(user),
        caller,
        ...toRow(failures),
        expires_at: expiresAt,
      }));
      await trx('two_factor_failures')
        .insert(rows)
        .onConflict(['application_id', 'identity', 'caller'])
        .merge(['failures', 'locked_until', 'last_code', 'expires_at']);
    },

    async clear(trx: Knex, user: FactorUser, callers?: readonly string[]): Promise<void> {
      const failures = trx('two_factor_failures').where(userKey(user));
      await (callers ? failures.whereIn('caller', callers) : failures).delete();
    },

    async unlock(trx: Knex, user: FactorUser): Promise<void> {
      await trx('two_factor_failures').where(userKey(user)).update({ locked_until: 0 });
    },

    async deleteExpired(now: number): Promise<void> {
      await deleteInChunks(() => db('two_factor_guesses').where('expires_at', '<', now), 'id');
      await deleteInChunks(() => db('two_factor_browsers').where('expires_at', '<', now), 'id');
      const expired = () => db('two_factor_failures').where('expires_at', '<', now);
      await deleteInChunks(() => expired().whereNotIn('caller', [...CALLER_GROUPS]), 'id');
      // A group's failures are kept as long as the second factor exists, regardless of age.
      const factors = db('two_factors')
        .whereRaw('two_factors.application_id = two_factor_failures.application_id')
        .whereRaw('two_factors.identity = two_factor_failures.identity')
        .select('id');
      await deleteInChunks(() => expired().whereNotExists(factors), 'id');
    },
  };
}
