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
});
afterAll(async () => {
  await db.destroy();
  rmSync(dataDir, { recursive: true, force: true });
});

const insertNames = (trx: Knex, rows: readonly { name: string }[]) => trx('names').insert(rows);

it('reports rows as committed after the transaction was committed', async () => {
  const write = createWriter(db);
  const order: string[] = [];
  const record = ({ sql }: { sql: string }) => void order.push(sql.split(' ')[0]!);
  db.on('query', record);
  await write([writeOf(insertNames, { name: 'Ada' }, { committed: () => void order.push('committed') })]);
  db.off('query', record);
  expect(order).toEqual(['BEGIN;', 'insert', 'COMMIT;', 'committed']);
});

it('reports only the commits of calls that succeed', async () => {
  const write = createWriter(db);
  const committed: string[] = [];
  const insert = (name: string) =>
    write([writeOf(insertNames, { name }, { committed: () => void committed.push(name) })]);
  await insert('Grace');
  const results = await Promise.allSettled([insert('Grace'), insert('Edsger')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(committed).toEqual(['Grace', 'Edsger']);
});

it('locks shared rows in the same order in all transactions, also if the first call of a batch leaves some out', async () => {
  const write = createWriter(db);
  const order: string[] = [];
  const inserting = (name: string) => async () => void order.push(name);
  const recipients = inserting('recipients');
  const counts = inserting('counts');
  await Promise.all([
    write([writeOf(counts, {}, { place: 2 })]),
    write([writeOf(recipients, {}, { place: 1 }), writeOf(counts, {}, { place: 2 })]),
  ]);
  expect(order).toEqual(['recipients', 'counts']);
});
