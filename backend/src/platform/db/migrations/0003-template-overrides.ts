/** Texts that an application has in place of the service's own. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('template_overrides', (t) => {
    // Texts in any alphabet, also where the server's own default is a smaller one.
    if (db.client.dialect === 'mysql') {
      t.charset('utf8mb4');
      t.collate('utf8mb4_bin');
    }
    t.bigIncrements('id');
    t.integer('application_id').unsigned().notNullable();
    t.string('template', 64).notNullable();
    t.string('channel', 16).notNullable();
    t.string('language', 8).notNullable();
    t.text('subject');
    t.text('text').notNullable();
    t.bigInteger('updated_at').notNullable();
    // Named, since the name that would be made of the columns is too long for MySQL.
    t.unique(['application_id', 'template', 'channel', 'language'], { indexName: 'template_overrides_key' });
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
