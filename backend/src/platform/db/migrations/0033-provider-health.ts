/** When a check or a test message showed that a provider works, and the latest results of its checks and messages. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('providers', (t) => {
    t.bigInteger('verified_at'); // Null: no check or test message has succeeded with the stored credentials.
  });
  // Providers that already send messages continue to do so.
  await db('providers').update({ verified_at: db.ref('created_at') });
  await db.schema.createTable('provider_health', (t) => {
    t.string('provider', 40).notNullable();
    t.string('channel', 16).notNullable(); // `*`: checks of the credentials.
    t.string('settings', 100).notNullable(); // Keyed hash of the settings with which the results were obtained.
    t.bigInteger('succeeded_at'); // The last success. Null: none yet.
    t.bigInteger('failing_since'); // Null: the latest result was not a failure.
    t.text('reason'); // Why it is failing.
    t.primary(['provider', 'channel']);
  });
}
