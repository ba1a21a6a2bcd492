/** The account that a sign-in link is for. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('sign_in_links', (t) => {
    // Null in links of the previous version.
    t.integer('account_id').unsigned();
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
