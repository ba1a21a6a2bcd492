/** When users last verified, so that unused ones can be deleted, and which upgrade notices were dismissed. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('users', (t) => {
    // The retention of existing users, and of those that the previous version still adds, starts with the upgrade.
    t.bigInteger('last_verified_at').notNullable().defaultTo(Date.now());
    t.index('last_verified_at', 'users_last_verified');
  });
  await db.schema.alterTable('audit_entries', (t) => {
    t.index('created_at', 'audit_entries_created');
  });
  await db.schema.createTable('dismissed_notices', (t) => {
    // Compared byte by byte, on SQLite and on MySQL alike.
    if (db.client.dialect === 'mysql') {
      t.charset('utf8mb4');
      t.collate('utf8mb4_bin');
    }
    t.string('migration', 64).primary();
    t.bigInteger('dismissed_at').notNullable();
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
