/** Counts changes of applications, accounts and texts, so that processes notice when their caches are outdated. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('settings_version', (t) => {
    // The table has one row.
    t.integer('id').primary();
    t.bigInteger('version').notNullable();
  });
  await db('settings_version').insert({ id: 1, version: 0 });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
