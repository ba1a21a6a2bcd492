/** The writer, which stores the rows of concurrent calls in one transaction. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { createWriter, writeOf } from '../../backend/src/platform/db/transaction.js';

const dataDir = mkdtempSync(join(tmpdir(), 'passbell-writer-'));
let db: Database;
beforeAll(async () => {
  db = openDatabase({ url: undefined, dataDir });
  await db.schema.createTable('names', (t) => t.string('name').primary());
  await db.schema.createTable('notes', (t) => t.string('note').notNullable());
});
afterAll(async () => {
  await db.destroy();
  rmSync(dataDir, { recursive: true, force: true });
});

const insertNames = (trx: Knex, rows: readonly { name: string }[]) => trx('names').insert(rows);

it('reports the commit of a row after all rows of the transaction were inserted', async () => {
  const write = createWriter(db);
  const order: string[] = [];
  const insertNotes = async (trx: Knex, rows: readonly { note: string }[]) => {
    await trx('notes').insert(rows);
    order.push('inserted the last row');
  };
  const name = writeOf(insertNames, { name: 'Ada' }, () => order.push('committed'));
  await write([name, writeOf(insertNotes, { note: 'first' })]);
  expect(order).toEqual(['inserted the last row', 'committed']);
});

it('reports only the commits of calls that succeed', async () => {
  const write = createWriter(db);
  const committed: string[] = [];
  const insert = (name: string) => write([writeOf(insertNames, { name }, () => committed.push(name))]);
  await insert('Grace');
  const results = await Promise.allSettled([insert('Grace'), insert('Edsger')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(committed).toEqual(['Grace', 'Edsger']);
});
