/** When an application is erased after its deletion. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('applications', (t) => {
    // Epoch milliseconds. Null: the application was not deleted. 0: its rows are being erased.
    t.bigInteger('delete_at');
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
