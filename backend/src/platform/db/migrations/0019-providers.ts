/** Providers with their credentials, routes, and which provider carried a message. Times are epoch milliseconds. */
import type { Knex } from 'knex';

/** Compares text byte by byte, on SQLite and on MySQL alike. */
function binary(db: Knex, t: Knex.CreateTableBuilder): void {
  if (db.client.dialect !== 'mysql') return;
  t.charset('utf8mb4');
  t.collate('utf8mb4_bin');
}

export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('providers', (t) => {
    binary(db, t);
    t.string('id', 40).primary();
    t.integer('account_id').unsigned().notNullable().references('accounts.id');
    t.string('type', 40).notNullable();
    t.string('name', 64).notNullable();
    // JSON: the fields that are not secret.
    t.text('settings', 'mediumtext').notNullable();
    // Sealed JSON: the secret fields, and the key of the address for delivery reports.
    t.text('secrets_sealed', 'mediumtext').notNullable();
    t.boolean('enabled').notNullable();
    t.bigInteger('created_at').notNullable();
    t.unique(['account_id', 'name'], { indexName: 'providers_name' });
  });
  await db.schema.createTable('routes', (t) => {
    binary(db, t);
    t.increments('id');
    t.integer('account_id').unsigned().notNullable().references('accounts.id');
    t.string('channel', 16).notNullable();
    // ISO 3166, or * for all other countries.
    t.string('country', 2).notNullable();
    // JSON: ids of providers in the order in which they are tried, each optionally with a weight.
    t.text('providers').notNullable();
    t.unique(['account_id', 'channel', 'country'], { indexName: 'routes_key' });
  });
  // Grows with each change, so that other processes notice it.
  await db.schema.createTable('routing_versions', (t) => {
    t.integer('id').primary();
    t.bigInteger('version').notNullable();
  });
  await db('routing_versions').insert({ id: 1, version: 1 });
  // Only for providers whose delivery reports do not contain this service's message id.
  await db.schema.createTable('provider_message_ids', (t) => {
    binary(db, t);
    t.string('provider', 40).notNullable();
    t.string('provider_id', 100).notNullable();
    t.string('message_id', 64).notNullable();
    t.bigInteger('created_at').notNullable().index('provider_message_ids_created');
    t.primary(['provider', 'provider_id']);
  });
  await db.schema.alterTable('messages', (t) => {
    // The provider that was called last; null before the first call, and for messages of earlier versions.
    t.string('provider', 40);
  });
  await db.schema.alterTable('accounts', (t) => {
    // Null: no. Whether the operator allows the account its own providers.
    t.boolean('own_providers');
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
