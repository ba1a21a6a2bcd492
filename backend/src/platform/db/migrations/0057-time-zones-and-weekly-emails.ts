/** Days of accounts, and weekly emails to people. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('accounts', (t) => {
    t.string('time_zone', 64); // IANA name, such as `Europe/Berlin`. Null: nobody has chosen one, so it is UTC.
  });
  await db.schema.alterTable('people', (t) => {
    t.bigInteger('weekly_email_at'); // When the last weekly email was sent, or the person turned them on. Null: the person gets none.
  });
  await db.schema.alterTable('fraud_refusals', (t) => {
    t.integer('challenged').notNullable().defaultTo(0); // Different recipients who had to solve a challenge.
  });
}
