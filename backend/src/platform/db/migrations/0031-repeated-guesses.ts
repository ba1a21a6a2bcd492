/** The last wrong code of a session or caller, codes that have ended a cooldown, and a key that users share in all letter cases. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('otp_sessions', (t) => {
    // Keyed hash of the last wrong code. Null: no code was wrong yet.
    t.string('last_wrong_code', 80);
    t.boolean('cooldown_ended').notNullable().defaultTo(false);
  });
  await db.schema.alterTable('two_factor_failures', (t) => {
    // Keyed hash of the last code that was counted as wrong.
    t.string('last_code', 80);
  });
  // Generated, because the previous version still adds users. Not unique, because earlier versions stored a user for
  // each letter case.
  await db.raw('alter table users add column identity_key varchar(320) generated always as (lower(identity)) virtual');
  await db.schema.alterTable('users', (t) => {
    t.index(['application_id', 'identity_key'], 'users_identity_key');
  });
}
