import type { Knex } from 'knex';

/** When codes were locked or canceled, for the list of recent events. Null: never. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('otp_sessions', (t) => {
    t.bigInteger('locked_at'); // The last lock, after too many wrong codes.
    t.bigInteger('canceled_at');
  });
}
