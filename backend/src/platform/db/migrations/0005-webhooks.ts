/** Webhooks and what waits to be sent to them; when a session was verified. Times are epoch milliseconds. */
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
  await createTable(db, 'webhooks', (t) => {
    t.increments('id');
    t.string('webhook_id', 40).notNullable().unique();
    t.integer('application_id').unsigned().notNullable().index();
    t.text('url').notNullable();
    t.text('events').notNullable();
    t.text('secret_sealed').notNullable();
    t.integer('failures').unsigned().notNullable().defaultTo(0);
    t.bigInteger('rests_until').notNullable().defaultTo(0);
    t.bigInteger('created_at').notNullable();
  });
  await createTable(db, 'webhook_deliveries', (t) => {
    t.bigIncrements('id');
    t.integer('webhook_id').unsigned().notNullable();
    t.string('event_id', 40).notNullable();
    t.text('body').notNullable();
    t.smallint('attempts').unsigned().notNullable().defaultTo(0);
    t.string('claim', 16);
    t.bigInteger('due_at').notNullable();
    t.bigInteger('created_at').notNullable().index();
    t.index(['webhook_id', 'due_at']);
  });
  await db.schema.alterTable('otp_sessions', (t) => {
    t.bigInteger('verified_at');
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
