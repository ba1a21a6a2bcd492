/** Documents that are attached to emails. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('message_attachments', (t) => {
    if (db.client.dialect === 'mysql') t.collate('utf8mb4_bin');
    t.string('id', 32).primary(); // The id of the message.
    t.integer('application_id').unsigned().notNullable().index('message_attachments_application');
    t.text('sealed', 'longtext').notNullable(); // The encrypted document.
    t.bigInteger('expires_at').notNullable().index('message_attachments_expires'); // When the message expires.
  });
}
