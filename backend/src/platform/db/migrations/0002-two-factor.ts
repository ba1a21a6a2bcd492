/** Second factors, and the key of userTokens beside each App Secret. Times are epoch milliseconds. */
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
  await db.schema.alterTable('application_secrets', (t) => {
    t.text('token_key_sealed');
  });
  await createTable(db, 'two_factors', (t) => {
    t.bigIncrements('id');
    t.integer('application_id').unsigned().notNullable();
    t.string('identity', 320).notNullable();
    t.text('secret_sealed').notNullable();
    t.bigInteger('last_step').notNullable();
    t.string('proved_by', 80).notNullable();
    t.bigInteger('proved_until').notNullable();
    t.bigInteger('created_at').notNullable();
    t.unique(['application_id', 'identity']);
  });
  await createTable(db, 'two_factor_enrolments', (t) => {
    t.bigIncrements('id');
    t.string('mask_id', 32).notNullable().unique();
    t.integer('application_id').unsigned().notNullable();
    t.string('identity', 320).notNullable();
    t.string('client', 80).notNullable();
    t.text('secret_sealed').notNullable();
    t.bigInteger('replaces').notNullable();
    t.bigInteger('expires_at').notNullable().index();
    t.unique(['application_id', 'identity', 'client']);
  });
  await createTable(db, 'two_factor_guesses', (t) => {
    t.bigIncrements('id');
    t.integer('application_id').unsigned().notNullable();
    t.string('identity', 320).notNullable();
    t.integer('guesses').unsigned().notNullable().defaultTo(0);
    t.bigInteger('locked_until').notNullable().defaultTo(0);
    t.bigInteger('expires_at').notNullable().index();
    t.unique(['application_id', 'identity']);
  });
  await createTable(db, 'two_factor_recovery_codes', (t) => {
    t.bigIncrements('id');
    t.bigInteger('factor_id').notNullable();
    t.string('code_hash', 64).notNullable();
    t.unique(['factor_id', 'code_hash']);
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
