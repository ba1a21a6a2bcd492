/** Refused sends, stored as messages. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('messages', (t) => {
    // JSON: why the send was refused, and until when. Null: it was accepted.
    t.text('refusal');
  });
}
