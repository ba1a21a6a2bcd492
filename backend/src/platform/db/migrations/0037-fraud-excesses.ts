/** The fraud guard's second design: the excess of each scope, and recipients by country and day. */
import type { Knex } from 'knex';

const DAY_MS = 86_400_000;

export async function up(db: Knex): Promise<void> {
  const isMysql = db.client.dialect === 'mysql';
  // Compares text byte by byte, as SQLite does.
  const compareBytes = (t: Knex.CreateTableBuilder) => {
    if (!isMysql) return;
    t.charset('utf8mb4');
    t.collate('utf8mb4_bin');
  };
  await db.schema.createTable('fraud_excesses', (t) => {
    compareBytes(t);
    t.integer('application_id').unsigned().notNullable();
    t.string('name', 96).notNullable(); // Scope and key, such as `country US`.
    t.double('excess').notNullable();
    for (const name of ['sent', 'verified']) t.integer(name).notNullable();
    for (const name of ['since', 'changed_at']) t.bigInteger(name).notNullable();
    t.double('per_hour').notNullable(); // How much an hour takes away.
    t.primary(['application_id', 'name']);
    t.index('changed_at', 'fraud_excesses_changed');
  });
  await db.schema.createTable('fraud_days', (t) => {
    compareBytes(t);
    t.integer('application_id').unsigned().notNullable();
    t.string('country', 2).notNullable(); // ISO 3166 code; "" for numbers without a country.
    t.bigInteger('day').notNullable().index('fraud_days_day'); // Start of the UTC day.
    for (const name of ['sent', 'verified']) t.integer(name).notNullable();
    t.primary(['application_id', 'country', 'day']);
  });
  await db.schema.createTable('fraud_refusals', (t) => {
    compareBytes(t);
    t.integer('application_id').unsigned().notNullable();
    t.bigInteger('day').notNullable().index('fraud_refusals_day'); // Start of the UTC day.
    t.string('rule', 16).notNullable();
    t.string('country', 2).notNullable(); // ISO 3166 code; "" for numbers without a country.
    for (const name of ['messages', 'people']) t.integer(name).notNullable();
    t.boolean('served').notNullable(); // Whether the application serves the country.
    t.primary(['application_id', 'day', 'rule', 'country']);
  });
  await db.schema.alterTable('fraud_scopes', (t) => {
    t.boolean('challenged').notNullable().defaultTo(false); // Whether messages need a challenge.
  });
  await db.schema.alterTable('fraud_recipients', (t) => {
    t.integer('streak').notNullable().defaultTo(0); // Codes in a row that were not entered.
    t.bigInteger('sent_at').notNullable().defaultTo(0);
    t.double('payback').notNullable().defaultTo(1.5); // What an entered code takes away from the excess.
  });
  // The conversions of the last two weeks say what is usual.
  const days = db('fraud_counters')
    .where({ dimension: 'country', size: 'day' })
    .whereNot({ counter_key: '*' })
    .where('start', '>=', Date.now() - 15 * DAY_MS)
    .whereRaw('length(counter_key) <= 2')
    .select('application_id', 'counter_key', 'start', 'sent', 'verified');
  const columns = ['application_id', 'country', 'day', 'sent', 'verified'].join(', ');
  await db(db.raw(`fraud_days (${columns})`)).insert(days);
  // Pauses by rules that no longer exist end; pauses and exceptions by people stay.
  await db('fraud_scopes').whereNot({ rule: 'person' }).whereBetween('allowed_until', [0, Date.now()]).delete();
  // Emails about these rules cannot be written any more.
  await db('fraud_notices').whereNull('mailed_at').update({ mailed_at: 0 });
}
