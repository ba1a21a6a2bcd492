/** Messages that the fraud guard would have refused while it only observed, by UTC day. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('fraud_observations', (t) => {
    // Compared byte by byte, on SQLite and on MySQL alike.
    if (db.client.dialect === 'mysql') {
      t.charset('utf8mb4');
      t.collate('utf8mb4_bin');
    }
    t.integer('application_id').unsigned().notNullable();
    // Start of the day in epoch milliseconds.
    t.bigInteger('day').notNullable().index('fraud_observations_day');
    t.string('rule', 16).notNullable();
    t.string('scope', 16).notNullable();
    t.string('scope_key', 64).notNullable();
    t.integer('messages').notNullable();
    t.primary(['application_id', 'day', 'rule', 'scope', 'scope_key']);
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
