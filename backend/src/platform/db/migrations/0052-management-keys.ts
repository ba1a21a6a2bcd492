import type { Knex } from 'knex';

/** Keys of the management API, the IDs that callers choose for applications, and replaced secrets of webhooks. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('management_keys', (t) => {
    t.increments('id');
    t.integer('account_id').unsigned().notNullable().index();
    t.string('name', 100).notNullable();
    t.string('key_hash', 64).notNullable().unique();
    t.string('hint', 16).notNullable(); // The start of the key, to recognize it.
    t.text('scopes').notNullable(); // JSON: the right of the key by area.
    t.string('created_by', 320).notNullable(); // Email address of a person, or `operator`.
    t.bigInteger('created_at').notNullable();
    t.bigInteger('expires_at').notNullable();
    t.bigInteger('last_used_at'); // Null: never.
  });
  await db.schema.alterTable('applications', (t) => {
    t.string('external_id', 64); // The ID with which a caller created it. Null: none.
    t.unique(['account_id', 'external_id'], { indexName: 'applications_external_id' });
  });
  await db.schema.alterTable('webhooks', (t) => {
    // Replaces `secret_sealed` at this time. Null: no secret waits.
    t.text('next_secret_sealed');
    t.bigInteger('next_secret_at');
  });
}
