/** The SQLite connection: its prepared statements, and the event loop between its statements. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../backend/src/platform/db/database.js';
import { Sqlite } from '../../backend/src/platform/db/sqlite-driver.js';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'passbell-test-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const open = () => openDatabase({ url: undefined, dataDir });

it('prepares a statement only once', async () => {
  const db = open();
  const connection = await db.client.acquireConnection();
  expect(connection.prepare('select 1')).toBe(connection.prepare('select 1'));
  db.client.releaseConnection(connection);
  await db.destroy();
});

it('keeps a limited number of statements', async () => {
  const db = open();
  const connection = await db.client.acquireConnection();
  const first = connection.prepare('select 0');
  for (let n = 1; n <= 300; n++) connection.prepare(`select ${n}`);
  expect(connection.prepare('select 0')).not.toBe(first);
  db.client.releaseConnection(connection);
  await db.destroy();
});

it('returns new columns that another process has added since a statement was prepared', async () => {
  const db = open();
  const other = open();
  await db.schema.createTable('shops', (table) => table.string('name'));
  await db('shops').insert({ name: 'Harbor Books' });
  expect(await db('shops').select('*')).toEqual([{ name: 'Harbor Books' }]);
  await other.schema.alterTable('shops', (table) => table.integer('size').defaultTo(1));
  expect(await db('shops').select('*')).toEqual([{ name: 'Harbor Books', size: 1 }]);
  await Promise.all([db.destroy(), other.destroy()]);
});

it('runs waiting statements in separate turns of the event loop', async () => {
  const db = open();
  let turns = 0;
  let next: NodeJS.Immediate;
  const countTurn = () => {
    turns++;
    next = setImmediate(countTurn);
  };
  next = setImmediate(countTurn);
  const statements = Array.from({ length: 10 }, (_, n) => db.raw('select ?', [n]));
  await Promise.all(statements);
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(statements.length - 1);
  await db.destroy();
});

describe('the driver', () => {
  it('gives the errors of queries codes, also of queries that return rows', () => {
    const db = new Sqlite(':memory:');
    db.exec('create table things (id integer primary key)');
    const insert = db.prepare('insert into things values (?) returning id');
    expect(insert.all(1)).toEqual([{ id: 1 }]);
    const codeOf = (work: () => unknown) => {
      try {
        return work();
      } catch (error) {
        return (error as { code?: unknown }).code;
      }
    };
    expect(codeOf(() => insert.all(1))).toMatch(/^SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE)$/);
    const select = db.prepare('select * from things');
    db.exec('drop table things');
    expect(codeOf(() => select.all())).toBe('SQLITE_ERROR');
    db.close();
  });

  it('stores undefined as null', () => {
    const db = new Sqlite(':memory:');
    db.exec('create table things (id)');
    db.prepare('insert into things values (?)').run([undefined]);
    expect(db.prepare('select id from things').all()).toEqual([{ id: null }]);
    db.close();
  });
});
