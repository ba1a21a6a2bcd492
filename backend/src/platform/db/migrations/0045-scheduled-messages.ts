/** Messages that are sent later. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('messages', (t) => {
    t.bigInteger('send_at'); // When a scheduled message is sent. Null: at once.
    // Identifies the order of a scheduled message, so that a later notification about it replaces the message.
    t.string('order_key', 64).index('messages_order_key');
    t.string('replaced_by', 32); // The message that replaced a canceled one.
  });
}
