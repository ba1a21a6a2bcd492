/** Passkeys, sign-in links, and when a person last confirmed a session. Times are epoch milliseconds. */
import type { Knex } from 'knex';

/** Compared byte by byte, on SQLite and on MySQL alike. */
function createTable(db: Knex, name: string, build: (t: Knex.CreateTableBuilder) => void): Promise<void> {
  return db.schema.createTable(name, (t) => {
    if (db.client.dialect === 'mysql') {
      t.charset('utf8mb4');
      t.collate('utf8mb4_bin');
    }
    build(t);
  });
}

export async function up(db: Knex): Promise<void> {
  await createTable(db, 'passkeys', (t) => {
    t.increments('id');
    t.string('email', 320).notNullable().index();
    t.string('name', 100).notNullable();
    // An id has up to 1023 bytes, which is too long for an index.
    t.string('credential_hash', 64).notNullable().unique();
    t.text('credential_id').notNullable();
    t.text('public_key').notNullable();
    t.string('user_handle', 64).notNullable();
    t.string('rp_id', 255).notNullable();
    t.bigInteger('counter').notNullable();
    t.bigInteger('last_challenge_at').notNullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('last_used_at');
  });
  await createTable(db, 'sign_in_links', (t) => {
    t.string('token_hash', 64).primary();
    t.string('email', 320).notNullable();
    t.bigInteger('expires_at').notNullable().index();
  });
  await db.schema.alterTable('person_sessions', (t) => {
    // Null in sessions of the previous version.
    t.bigInteger('confirmed_at');
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
