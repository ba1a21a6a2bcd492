/** Prices of messages by account and channel, for channels that `PRICES_FILE` does not list. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('prices', (t) => {
    t.integer('account_id').unsigned().notNullable().references('accounts.id');
    t.string('channel', 16).notNullable();
    // JSON: prices by ISO 3166 code; * for all other countries.
    t.text('prices').notNullable();
    t.primary(['account_id', 'channel']);
  });
  await db.schema.alterTable('routing_versions', (t) => {
    // ISO 4217 code of the currency of all prices; null: usd.
    t.string('currency', 3);
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
