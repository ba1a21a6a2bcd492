/** Sends that did not reach their recipient, so that the message was sent another way. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('messages', (t) => {
    // JSON: the sends that a provider accepted before the current one. Null: none.
    t.text('earlier_sends');
  });
}
