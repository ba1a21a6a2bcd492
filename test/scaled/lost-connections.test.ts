/** Connections to MySQL that are lost: work that was certainly not executed is retried once, and no other work. */
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { migrate } from '../../backend/src/platform/db/migrate.js';
import { transact } from '../../backend/src/platform/db/transaction.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

let database: TestDatabase;
let proxy: TcpProxy;
let db: Database;
let statements: string[];
/** Loses the connection after this statement was sent. The proxy runs in this process, so no reply can be faster. */
let lostAt: RegExp | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrate({ url: database.url, dataDir: '' });
  const url = new URL(database.url);
  proxy = await startTcpProxy(Number(url.port || 3306));
  url.host = proxy.host;
  db = openDatabase({ url: url.href, dataDir: '' });
  db.on('query', ({ sql }: { sql: string }) => {
    statements.push(sql);
    if (!lostAt?.test(sql)) return;
    lostAt = undefined;
    setImmediate(() => proxy.cut());
  });
});
beforeEach(() => {
  statements = [];
  lostAt = undefined;
});
afterAll(async () => {
  await db.destroy();
  proxy.close();
  await database.drop();
});

const insert = (trx: Database, jti: string) => trx('revoked_tokens').insert({ jti, expires_at: 0 });
const count = (sql: RegExp) => statements.filter((statement) => sql.test(statement)).length;

it('retries a transaction that loses its connection before the COMMIT', async () => {
  lostAt = /^insert/;
  await transact(db, (trx) => insert(trx, 'before'));
  expect(count(/^insert/)).toBe(2);
  expect(await db('revoked_tokens').where({ jti: 'before' })).toHaveLength(1);
});

it('does not repeat a transaction that loses its connection during the COMMIT, which may have succeeded', async () => {
  lostAt = /^COMMIT/;
  await expect(transact(db, (trx) => insert(trx, 'during'))).rejects.toMatchObject({ fatal: true });
  expect(count(/^insert/)).toBe(1);
});

it('does not repeat a statement outside a transaction that loses its connection', async () => {
  lostAt = /^insert/;
  await expect(insert(db, 'alone')).rejects.toMatchObject({ fatal: true });
  expect(count(/^insert/)).toBe(1);
});

it('repeats a query that loses its connection', async () => {
  await insert(db, 'read');
  lostAt = /^select/;
  expect(await db('revoked_tokens').where({ jti: 'read' })).toHaveLength(1);
});

it('gives up after one retry', async () => {
  let calls = 0;
  const work = async (trx: Database) => {
    calls++;
    proxy.cut();
    await trx.raw('select 1');
  };
  await expect(transact(db, work)).rejects.toMatchObject({ fatal: true });
  expect(calls).toBe(2);
});
