import type { Knex } from 'knex';

/** References that callers give to their codes and messages. */
export async function up(db: Knex): Promise<void> {
  for (const table of ['otp_sessions', 'messages'])
    await db.schema.alterTable(table, (t) => {
      const column = t.string('reference', 64);
      // Upper and lower case differ, as in SQLite.
      if (db.client.dialect === 'mysql') column.collate('utf8mb4_bin');
    });
  await db.schema.alterTable('messages', (t) => {
    t.index(['application_id', 'reference', 'created_at', 'id'], 'messages_reference');
  });
}
