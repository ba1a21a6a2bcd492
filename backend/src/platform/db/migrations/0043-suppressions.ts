import type { Knex } from 'knex';

/** Email addresses that an account does not send to, and recipients who have stopped an application's notifications. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('suppressions', (t) => {
    t.bigIncrements('id');
    t.integer('account_id').unsigned().notNullable();
    t.string('address', 320).notNullable(); // In lower case.
    t.string('reason', 16); // Null: fewer than three soft bounces so far.
    t.integer('soft_bounces').notNullable().defaultTo(0);
    t.string('source', 100).notNullable(); // Name of the provider, or of the person who added the address.
    t.text('details'); // The words of the provider.
    t.bigInteger('created_at').notNullable();
    t.unique(['account_id', 'address']);
  });
  await db.schema.createTable('opt_outs', (t) => {
    t.bigIncrements('id');
    t.integer('application_id').unsigned().notNullable();
    t.string('channel', 16).notNullable();
    t.string('address', 320).notNullable(); // In lower case.
    t.boolean('opted_out').notNullable();
    t.string('source', 16).notNullable();
    t.string('word', 32); // The word of the reply.
    t.bigInteger('changed_at').notNullable();
    t.unique(['application_id', 'channel', 'address']);
  });
}
