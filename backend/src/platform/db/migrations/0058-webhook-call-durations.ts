/** How long the calls to webhooks took. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('webhook_attempts', (t) => {
    t.integer('duration_ms').unsigned(); // Until the reply or the failure. Null: the call was stored by an earlier version.
  });
}
