/** The row that each process updates to check that the database accepts writes. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('write_checks', (t) => {
    t.integer('id').primary();
    t.bigInteger('checked_at').notNullable();
  });
  await db('write_checks').insert({ id: 1, checked_at: 0 });
}
