/** Who was refused by an application's list of authorized endpoints of late. Times are epoch milliseconds. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('refused_callers', (t) => {
    // Compared byte by byte, on SQLite and on MySQL alike.
    if (db.client.dialect === 'mysql') {
      t.charset('utf8mb4');
      t.collate('utf8mb4_bin');
    }
    t.bigIncrements('id');
    t.integer('application_id').unsigned().notNullable();
    t.string('via', 8).notNullable();
    t.string('caller', 255).notNullable();
    t.string('address', 64).notNullable();
    t.bigInteger('times').notNullable();
    t.bigInteger('first_at').notNullable();
    t.bigInteger('last_at').notNullable().index();
    t.unique(['application_id', 'via', 'caller']);
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
