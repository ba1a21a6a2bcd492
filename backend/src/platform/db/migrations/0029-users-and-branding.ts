/** When a user's sessions were ended, and the names and branding of accounts. Times are epoch milliseconds. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('users', (t) => {
    // Tokens that were issued until this time are revoked. Null: none were.
    t.bigInteger('sessions_ended_at');
  });
  await db.schema.alterTable('accounts', (t) => {
    // Null: the email address is the name.
    t.string('name', 100);
    // JSON: accent color, footer and the id of the logo. Null: no branding.
    t.text('branding');
    // A PNG in base64.
    t.text('logo', 'mediumtext');
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
