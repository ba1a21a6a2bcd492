/**
 * Tables of the fraud guard: counters, recipients, and paused or allowed scopes. Times are epoch milliseconds; costs are
 * ten-thousandths of the currency.
 */
import type { Knex } from 'knex';

const DAY_MS = 86_400_000;
/** Days of history that the guard starts with in existing applications. */
const HISTORY_DAYS = 14;
const ROWS_PER_INSERT = 100;

/** Makes MySQL compare text byte by byte, as SQLite does. */
function binary(db: Knex, t: Knex.CreateTableBuilder): void {
  if (db.client.dialect !== 'mysql') return;
  t.charset('utf8mb4');
  t.collate('utf8mb4_bin');
}

async function createTables(db: Knex): Promise<void> {
  await db.schema.createTable('fraud_applications', (t) => {
    t.integer('application_id').unsigned().primary();
    t.bigInteger('guarded_since').notNullable();
    t.boolean('ever_verified').notNullable();
  });
  await db.schema.createTable('fraud_counters', (t) => {
    binary(db, t);
    t.integer('application_id').unsigned().notNullable();
    t.string('dimension', 16).notNullable();
    t.string('counter_key', 64).notNullable();
    t.string('size', 8).notNullable();
    t.bigInteger('start').notNullable();
    t.bigInteger('sent').notNullable();
    t.bigInteger('verified').notNullable();
    t.bigInteger('spend').notNullable();
    t.primary(['application_id', 'dimension', 'counter_key', 'size', 'start']);
    t.index(['size', 'start'], 'fraud_counters_start');
  });
  await db.schema.createTable('fraud_recipients', (t) => {
    binary(db, t);
    t.integer('application_id').unsigned().notNullable();
    // A keyed hash, never the recipient.
    t.string('recipient_key', 64).notNullable();
    t.bigInteger('counted_at').notNullable();
    t.integer('messages').notNullable();
    t.integer('unverified').notNullable();
    t.string('source', 64);
    t.boolean('new_country').notNullable();
    t.bigInteger('verified_at');
    t.bigInteger('expires_at').notNullable().index('fraud_recipients_expires');
    t.primary(['application_id', 'recipient_key']);
  });
  await db.schema.createTable('fraud_scopes', (t) => {
    binary(db, t);
    t.bigIncrements('id');
    t.integer('application_id').unsigned().notNullable();
    t.string('scope', 16).notNullable();
    t.string('scope_key', 64).notNullable();
    t.integer('level').notNullable();
    t.bigInteger('paused_at').notNullable();
    // Null if the pause lasts until a person acts.
    t.bigInteger('paused_until');
    t.string('rule', 16).notNullable();
    t.text('evidence').notNullable();
    t.boolean('established').notNullable();
    // -1 if the scope is allowed forever.
    t.bigInteger('allowed_until').notNullable();
    t.unique(['application_id', 'scope', 'scope_key'], { indexName: 'fraud_scopes_key' });
  });
}

/** Copies daily counts from the usage, so that existing applications start with their usual conversion and cost. */
async function startWithHistory(db: Knex, now: number): Promise<void> {
  const from = new Date(now - HISTORY_DAYS * DAY_MS).toISOString().slice(0, 10);
  const sums = (columns: string[]) =>
    db('usage_counts')
      .where('day', '>=', from)
      .whereNot({ channel: 'EMAIL' })
      .groupBy('application_id', 'day', ...columns)
      .select('application_id', 'day', ...columns)
      .sum({ sent: 'codes', verified: 'verified', spend: 'cost' });
  const toRow = (dimension: string) => (row: Record<string, unknown>) => ({
    application_id: row.application_id,
    dimension,
    counter_key: row.country ?? '',
    size: 'day',
    start: Date.parse(row.day as string),
    sent: row.sent,
    verified: row.verified,
    spend: row.spend,
  });
  const countries = (await sums(['country'])).map(toRow('country'));
  const applications = (await sums([])).map(toRow('application'));
  await db.batchInsert('fraud_counters', [...countries, ...applications], ROWS_PER_INSERT);
}

async function startGuarding(db: Knex, now: number): Promise<void> {
  const ids: number[] = await db('applications').pluck('id');
  const verified: number[] = await db('usage_counts')
    .where('verified', '>', 0)
    .whereNot({ channel: 'EMAIL' })
    .distinct()
    .pluck('application_id');
  const rows = ids.map((id) => ({ application_id: id, guarded_since: now, ever_verified: verified.includes(id) }));
  await db.batchInsert('fraud_applications', rows, ROWS_PER_INSERT);
}

export async function up(db: Knex): Promise<void> {
  await createTables(db);
  await startWithHistory(db, Date.now());
  await startGuarding(db, Date.now());
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
