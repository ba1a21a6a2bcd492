/** The sites of connected shops. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('incoming_hooks', (t) => {
    t.string('site', 100).notNullable().defaultTo(''); // Such as `shop.example`. Empty: no event has named it.
  });
}
