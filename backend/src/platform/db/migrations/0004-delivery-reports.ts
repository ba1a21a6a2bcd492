/** What providers report of a message, the send that it belongs to, and counts of messages and their cost. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('messages', (t) => {
    t.string('mask_id', 32);
    t.string('report', 16);
    t.bigInteger('reported_at');
  });
  await db.schema.createTable('usage_counts', (t) => {
    // Compared byte by byte, like every other table.
    if (db.client.dialect === 'mysql') {
      t.charset('utf8mb4');
      t.collate('utf8mb4_bin');
    }
    t.integer('application_id').unsigned().notNullable();
    t.string('day', 10).notNullable();
    t.string('channel', 16).notNullable();
    t.string('country', 2).notNullable();
    t.string('currency', 3).notNullable();
    // Signed: a report that is overtaken by a better one is taken back by adding -1.
    t.integer('sent').notNullable();
    t.integer('delivered').notNullable();
    t.integer('undelivered').notNullable();
    t.integer('failed').notNullable();
    t.bigInteger('cost').notNullable();
    t.primary(['application_id', 'day', 'channel', 'country', 'currency']);
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
