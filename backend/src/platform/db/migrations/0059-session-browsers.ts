/** Browsers of sessions. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('person_sessions', (t) => {
    t.string('browser', 64); // Without versions, such as `Chrome on macOS`. Null: unknown.
  });
}
