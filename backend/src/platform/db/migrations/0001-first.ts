/** Accounts, applications, users, OTP sessions, messages and what security needs to remember. Times are epoch milliseconds. */
import type { Knex } from 'knex';

/** Compared byte by byte: a mail address differs from the same one in capitals, on SQLite and on MySQL alike. */
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
  await createTable(db, 'accounts', (t) => {
    t.increments('id');
    t.string('email', 320).notNullable().unique();
    t.string('status', 16).notNullable();
    t.bigInteger('created_at').notNullable();
  });
  await createTable(db, 'applications', (t) => {
    t.increments('id');
    t.integer('account_id').unsigned().notNullable().references('accounts.id');
    t.string('name', 100).notNullable();
    t.string('app_key', 64).notNullable().unique();
    t.string('status', 16).notNullable();
    t.text('settings').notNullable();
    t.integer('user_count').unsigned().notNullable().defaultTo(0);
    t.bigInteger('created_at').notNullable();
  });
  await createTable(db, 'application_secrets', (t) => {
    t.increments('id');
    t.integer('application_id').unsigned().notNullable().references('applications.id');
    t.string('secret_hash', 64).notNullable();
    t.bigInteger('expires_at');
    t.bigInteger('created_at').notNullable();
  });
  await createTable(db, 'users', (t) => {
    t.increments('id');
    t.string('user_id', 40).notNullable().unique();
    t.integer('application_id').unsigned().notNullable();
    t.integer('user_application_id').unsigned().notNullable();
    t.string('identity_type', 8).notNullable();
    t.string('identity', 320).notNullable();
    t.bigInteger('created_at').notNullable();
    t.unique(['application_id', 'identity']);
  });
  await createTable(db, 'otp_sessions', (t) => {
    t.bigIncrements('id');
    t.string('mask_id', 32).notNullable().unique();
    t.integer('application_id').unsigned().notNullable();
    t.string('recipient', 320).notNullable();
    t.string('recipient_key', 64).notNullable();
    t.string('channel', 16).notNullable();
    t.string('state', 16).notNullable();
    t.string('code_hash', 80).notNullable();
    t.string('message_id', 32);
    t.smallint('code_length').notNullable();
    t.integer('guesses').unsigned().notNullable().defaultTo(0);
    t.bigInteger('locked_until').notNullable().defaultTo(0);
    t.bigInteger('created_at').notNullable();
    t.bigInteger('expires_at').notNullable().index();
    t.index(['application_id', 'recipient_key', 'state']);
  });
  await createTable(db, 'recipient_guesses', (t) => {
    t.bigIncrements('id');
    t.integer('application_id').unsigned().notNullable();
    t.string('recipient_key', 64).notNullable();
    t.text('times').notNullable();
    t.bigInteger('locked_until').notNullable().defaultTo(0);
    t.bigInteger('expires_at').notNullable().index();
    t.unique(['application_id', 'recipient_key']);
  });
  await createTable(db, 'messages', (t) => {
    t.string('id', 32).primary();
    t.integer('application_id').unsigned().notNullable();
    t.string('template', 64).notNullable();
    t.string('request_id', 36).notNullable();
    t.string('recipient', 320).notNullable();
    t.text('plan').notNullable();
    t.string('state', 16).notNullable();
    t.string('channel', 16).notNullable();
    t.text('payload');
    t.text('tried').notNullable();
    t.string('provider_id', 100);
    t.string('claim', 16);
    t.smallint('attempts').unsigned().notNullable().defaultTo(0);
    t.smallint('crashes').unsigned().notNullable().defaultTo(0);
    t.bigInteger('due_at').index();
    t.bigInteger('expires_at').notNullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('finished_at').index();
    t.index(['state', 'expires_at']);
  });
  await createTable(db, 'idempotency_keys', (t) => {
    t.string('id', 64).primary();
    t.string('request_hash', 80).notNullable();
    t.text('reply');
    t.bigInteger('lease_until').notNullable();
    t.bigInteger('expires_at').notNullable().index();
  });
  await createTable(db, 'idempotency_results', (t) => {
    t.string('id', 64).primary();
    t.string('result_id', 32).notNullable();
    t.bigInteger('expires_at').notNullable().index();
  });
  await createTable(db, 'rate_limits', (t) => {
    t.string('id', 160).primary();
    t.text('times').notNullable();
    t.bigInteger('expires_at').notNullable().index();
  });
  await createTable(db, 'signing_keys', (t) => {
    t.string('kid', 32).primary();
    t.text('public_jwk').notNullable();
    t.text('private_jwk_sealed').notNullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('retires_at');
  });
  await createTable(db, 'revoked_tokens', (t) => {
    t.string('jti', 64).primary();
    t.bigInteger('expires_at').notNullable().index();
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
