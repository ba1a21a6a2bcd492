/** Browsers that verified a code, wrong codes by caller, and the source of each enrolment. Times are epoch milliseconds. */
import type { Knex } from 'knex';

/** Compared byte by byte, on SQLite and on MySQL alike. */
function createTable(db: Knex, name: string, build: (t: Knex.CreateTableBuilder) => void): Promise<void> {
  return db.schema.createTable(name, (t) => {
    if (db.client.dialect === 'mysql') {
      t.charset('utf8mb4');
      t.collate('utf8mb4_bin');
    }
    build(t);
  });
}

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('two_factors', (t) => {
    // Existing factors, and those that the previous version still adds, count as vouched for, so that they are never deleted.
    t.boolean('vouched').notNullable().defaultTo(true);
    t.index(['vouched', 'proved_until'], 'two_factors_vouched');
  });
  await db.schema.alterTable('two_factor_enrolments', (t) => {
    t.string('source', 80);
  });
  await createTable(db, 'two_factor_browsers', (t) => {
    t.bigIncrements('id');
    t.bigInteger('factor_id').notNullable();
    t.string('browser', 80).notNullable();
    t.bigInteger('expires_at').notNullable().index();
    t.unique(['factor_id', 'browser']);
  });
  await createTable(db, 'two_factor_failures', (t) => {
    t.bigIncrements('id');
    t.integer('application_id').unsigned().notNullable();
    t.string('identity', 320).notNullable();
    t.string('caller', 80).notNullable();
    t.integer('failures').unsigned().notNullable();
    t.bigInteger('locked_until').notNullable();
    t.bigInteger('expires_at').notNullable().index();
    t.unique(['application_id', 'identity', 'caller']);
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
