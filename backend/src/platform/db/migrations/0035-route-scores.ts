/** Automatic routes, and how well providers deliver. */
import type { Knex } from 'knex';

const COUNTS = ['entered', 'not_entered', 'delivered', 'undelivered', 'recent_delivered', 'recent_undelivered'];

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('routes', (t) => {
    // `ordered`, or `automatic`: the provider whose codes are entered most often comes first.
    t.string('mode', 16).notNullable().defaultTo('ordered');
  });
  await db.schema.createTable('provider_scores', (t) => {
    t.integer('account_id').unsigned().notNullable().references('accounts.id');
    t.string('channel', 16).notNullable();
    t.string('country', 2).notNullable(); // ISO 3166 code; "" for email.
    t.string('provider', 40).notNullable();
    // Weighted counts, see `modules/providers/provider-score.ts`.
    for (const name of COUNTS) t.double(name).notNullable();
    t.bigInteger('updated_at').notNullable();
    t.primary(['account_id', 'channel', 'country', 'provider']);
  });
}
