/** Incoming hooks of shops, their automations, and the events that they receive. Times are in milliseconds. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  const create = (name: string, columns: (t: Knex.CreateTableBuilder) => void) =>
    db.schema.createTable(name, (t) => {
      if (db.client.dialect === 'mysql') {
        t.charset('utf8mb4');
        t.collate('utf8mb4_bin');
      }
      columns(t);
    });

  await create('incoming_hooks', (t) => {
    t.increments('id');
    t.string('hook_id', 40).notNullable().unique();
    t.integer('application_id').unsigned().notNullable().index();
    t.string('kind', 20).notNullable();
    // Null until a person enters the secret that the shop has created.
    t.text('secret_sealed');
    // Rejected requests, and the reason of the last one.
    t.integer('rejected').unsigned().notNullable().defaultTo(0);
    t.string('rejected_because', 200).notNullable().defaultTo('');
    t.bigInteger('rejected_at').notNullable().defaultTo(0);
    t.bigInteger('created_at').notNullable();
  });

  await create('automations', (t) => {
    t.increments('id');
    t.integer('hook_id').unsigned().notNullable().index();
    t.integer('application_id').unsigned().notNullable().index();
    t.string('event', 64).notNullable();
    t.string('template', 64).notNullable();
    // Null: the application's channel order.
    t.string('channel', 20);
    // Liquid texts as JSON: the recipient, its country, the language, and the template's variables.
    t.text('fields').notNullable();
    t.boolean('enabled').notNullable();
    t.bigInteger('created_at').notNullable();
  });

  await create('incoming_events', (t) => {
    t.bigIncrements('id');
    t.integer('hook_id').unsigned().notNullable();
    t.integer('application_id').unsigned().notNullable().index();
    // Hash of the delivery's id and body. A shop may deliver an event several times.
    t.string('delivery_key', 64).notNullable();
    t.string('topic', 100).notNullable();
    // The order number.
    t.string('reference', 100).notNullable();
    // The delivery without its body, as JSON.
    t.text('delivery').notNullable();
    // Names of the events in the delivery, separated with commas.
    t.string('names', 200).notNullable();
    // Null once it is no longer needed.
    t.text('body_sealed', 'mediumtext');
    // The results as JSON.
    t.text('results').notNullable();
    // Time of the next attempt, or end of the lease while a worker handles the event; null when it is done.
    t.bigInteger('due_at').index();
    t.string('claim', 16);
    t.integer('attempts').unsigned().notNullable().defaultTo(0);
    t.bigInteger('received_at').notNullable().index();
    t.unique(['hook_id', 'delivery_key']);
    t.index(['hook_id', 'due_at']);
  });

  await create('handled_events', (t) => {
    // Hash of the hook, the order and the event.
    t.string('id', 64).primary();
    t.integer('hook_id').unsigned().notNullable().index();
    t.integer('application_id').unsigned().notNullable().index();
    // The row of incoming_events that handles the event.
    t.bigInteger('event_id').notNullable();
    // When the shop last changed the order.
    t.bigInteger('changed_at');
    t.bigInteger('created_at').notNullable().index();
  });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
