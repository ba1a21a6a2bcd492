/**
 * Notices of the fraud guard: pauses, which are also listed as recent events, and alerts about costs. Times are epoch
 * milliseconds.
 */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('fraud_notices', (t) => {
    t.bigIncrements('id');
    t.integer('application_id').unsigned().notNullable();
    // Identifies the reported fact, so that several processes report it only once.
    t.string('notice_key', 64).notNullable();
    t.string('kind', 16).notNullable();
    t.text('body').notNullable();
    t.bigInteger('created_at').notNullable().index('fraud_notices_created');
    // Null if an email is due; 0 if the notice is not emailed.
    t.bigInteger('mailed_at').index('fraud_notices_mailed');
    t.unique(['application_id', 'notice_key'], { indexName: 'fraud_notices_key' });
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
