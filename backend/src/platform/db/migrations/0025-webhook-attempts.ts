/** The latest calls of webhooks, for the dashboard. Times are in milliseconds. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('webhook_attempts', (t) => {
    if (db.client.dialect === 'mysql') {
      t.charset('utf8mb4');
      t.collate('utf8mb4_bin');
    }
    t.bigIncrements('id');
    t.integer('webhook_id').unsigned().notNullable();
    t.string('event_id', 40).notNullable();
    // The event as JSON, to send it again.
    t.text('body').notNullable();
    t.smallint('attempt').unsigned().notNullable();
    // HTTP status; null without a reply.
    t.smallint('status').unsigned();
    // The start of the reply, or why there is none.
    t.text('reply').notNullable();
    t.bigInteger('called_at').notNullable().index();
    t.index(['webhook_id', 'id']);
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
