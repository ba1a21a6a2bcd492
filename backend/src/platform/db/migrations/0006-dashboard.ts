/** People who use the dashboard, their sessions and invitations, and what they changed. Times are epoch milliseconds. */
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
  await createTable(db, 'people', (t) => {
    t.increments('id');
    t.integer('account_id').unsigned().notNullable().references('accounts.id');
    t.string('email', 320).notNullable().index();
    t.string('role', 16).notNullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('last_seen_at');
    t.unique(['account_id', 'email']);
  });
  await createTable(db, 'person_sessions', (t) => {
    t.string('token_hash', 64).primary();
    t.integer('person_id').unsigned().notNullable().index();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('used_at').notNullable();
    t.bigInteger('expires_at').notNullable().index();
  });
  await createTable(db, 'invitations', (t) => {
    t.increments('id');
    t.string('token_hash', 64).notNullable().unique();
    t.integer('account_id').unsigned().notNullable().index();
    t.string('email', 320);
    t.string('role', 16).notNullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('expires_at').notNullable().index();
  });
  await createTable(db, 'audit_entries', (t) => {
    t.bigIncrements('id');
    t.integer('account_id').unsigned().notNullable();
    t.string('actor', 320).notNullable();
    t.string('action', 64).notNullable();
    t.string('subject', 320).notNullable();
    t.text('changes').notNullable();
    t.bigInteger('created_at').notNullable();
    t.index(['account_id', 'id']);
  });
  await db.schema.alterTable('applications', (t) => {
    t.bigInteger('last_used_at');
    t.index('account_id', 'applications_account');
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
