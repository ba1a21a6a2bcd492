/** Who may repeat the verification of a code and get the first reply again. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('otp_sessions', (t) => {
    // Keyed hash of an Idempotency-Key, or of the caller that did not receive the reply. Null: nobody.
    t.string('repeatable_by', 64);
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
