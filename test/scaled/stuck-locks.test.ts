/** Locks that are never released and connections that hang: other rows stay available, and the process goes on. */
import { createConnection } from 'mysql2/promise';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { migrate } from '../../backend/src/platform/db/migrate.js';
import { isDatabaseError } from '../../backend/src/platform/db/database-errors.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/wait.js';

let database: TestDatabase;
let proxy: TcpProxy;
let db: Database;
let unreachable: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  proxy = await startTcpProxy(Number(url.port || 3306));
  await migrate({ url: database.url, dataDir: '' });
  db = openDatabase({ url: database.url, dataDir: '' });
  url.host = proxy.host;
  unreachable = openDatabase({ url: url.href, dataDir: '' });
  await db('revoked_tokens').insert([
    { jti: 'a', expires_at: 0 },
    { jti: 'b', expires_at: 0 },
  ]);
});
afterAll(async () => {
  await Promise.all([db.destroy(), unreachable.destroy()]);
  proxy.close();
  await database.drop();
});

const lock = (trx: Database, jtis: string[]) => trx('revoked_tokens').whereIn('jti', jtis).forUpdate();

it('processes that start together share one lock for migrations', async () => {
  // As between the creation of the table and of its row.
  await db('passbell_migrations_lock').delete();
  await Promise.all(Array.from({ length: 4 }, () => migrate({ url: database.url, dataDir: '' })));
  expect(await db('passbell_migrations_lock')).toEqual([{ index: 1, is_locked: 0 }]);
});

it('an error of a connection that knex has closed does not end the process', async () => {
  const other = openDatabase({ url: database.url, dataDir: '' });
  const connection = await other.client.acquireConnection();
  await other.client.releaseConnection(connection);
  await other.destroy();
  // knex calls this half a second later.
  connection.removeAllListeners();
  expect(() => connection.emit('error', new Error('the database did not reply in time'))).not.toThrow();
});

it('a transaction that times out on one row releases its other rows', async () => {
  const stuck = await createConnection(database.url);
  await stuck.query('begin');
  await stuck.query("select * from revoked_tokens where jti = 'b' for update");
  await expect(db.transaction((trx) => lock(trx, ['a', 'b']))).rejects.toMatchObject({ code: 'ER_LOCK_WAIT_TIMEOUT' });
  expect(await db.transaction((trx) => lock(trx, ['a']))).toHaveLength(1);
  await stuck.end();
});

it('locks of a disconnected process expire', async () => {
  const lost = unreachable.transaction(async (trx) => {
    await lock(trx, ['a', 'b']);
    proxy.stall();
    await trx.raw('select 1');
  });
  expect(await lost.catch(isDatabaseError)).toBe(true);
  await until('the end of the locks', async () => {
    const rows = await db.transaction((trx) => lock(trx, ['a', 'b'])).catch(() => []);
    return rows.length === 2;
  });
});
