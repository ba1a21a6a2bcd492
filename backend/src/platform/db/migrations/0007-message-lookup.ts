/**
 * How people find messages: all of an application, by channel and how they ended, or by recipient, always newest first. What happened
 * to a message before its last attempts, and how many codes were verified.
 */
import type { Knex } from 'knex';

const HEX = [...'0123456789abcdef'];

/** Bounds that cut the ids, which are random hex, into parts of one size: no update holds many rows for long. */
const BOUNDS = HEX.flatMap((first) => HEX.map((second) => first + second)).slice(1);

async function fillEndings(db: Knex): Promise<void> {
  const starts = [undefined, ...BOUNDS];
  for (const [n, from] of starts.entries()) {
    const part = () => {
      const query = db('messages');
      if (from !== undefined) query.where('id', '>=', from);
      const to = starts[n + 1];
      if (to !== undefined) query.where('id', '<', to);
      return query;
    };
    await part()
      .whereIn('state', ['failed', 'expired'])
      .update({ ending: db.ref('state') });
    await part()
      .where({ state: 'sent' })
      .whereNotNull('report')
      .update({ ending: db.ref('report') });
  }
}

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('messages', (t) => {
    // "" while it is on its way or was sent: what happens to nearly every message moves nothing in the index.
    t.string('ending', 16).notNullable().defaultTo('');
    t.text('history');
  });
  await fillEndings(db);
  await db.schema.alterTable('messages', (t) => {
    t.index(['application_id', 'created_at', 'id'], 'messages_application_index');
    t.index(['application_id', 'channel', 'ending', 'created_at', 'id'], 'messages_kind_index');
    t.index(['application_id', 'recipient', 'created_at', 'id'], 'messages_recipient_index');
  });
  await db.schema.alterTable('usage_counts', (t) => {
    t.integer('codes').notNullable().defaultTo(0);
    t.integer('verified').notNullable().defaultTo(0);
  });
  // Sessions are counted in order of expiry; this row holds the last one.
  await db.schema.createTable('counted_sessions', (t) => {
    t.integer('id').primary();
    t.bigInteger('expires_at').notNullable();
    t.bigInteger('session_id').notNullable();
  });
  await db('counted_sessions').insert({ id: 1, expires_at: 0, session_id: 0 });
}

export async function down(): Promise<void> {
  throw new Error('this migration cannot be reverted: restore a backup');
}
