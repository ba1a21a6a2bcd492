/** Somebody holds a session and does not let go: neighbours are not held as well, and not for ever. */
import { createConnection } from 'mysql2/promise';
import { migrate, openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { isDatabaseError } from '../../backend/src/platform/db/database-errors.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { openMovableAddress, type MovableAddress } from '../support/movable-address.js';

let database: TestDatabase;
let address: MovableAddress;
let db: Database;
let lost: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  address = await openMovableAddress(Number(url.port || 3306));
  await migrate({ url: database.url, dataDir: '' });
  db = openDatabase({ url: database.url, dataDir: '' });
  url.host = address.host;
  lost = openDatabase({ url: url.href, dataDir: '' });
  await db('revoked_tokens').insert([
    { jti: 'a', expires_at: 0 },
    { jti: 'b', expires_at: 0 },
  ]);
});
afterAll(async () => {
  await Promise.all([db.destroy(), lost.destroy()]);
  address.close();
  await database.drop();
});

const hold = (trx: Database, jtis: string[]) => trx('revoked_tokens').whereIn('jti', jtis).forUpdate();

it('lets go of the other rows when it cannot have one of them', async () => {
  const stuck = await createConnection(database.url);
  await stuck.query('begin');
  await stuck.query("select * from revoked_tokens where jti = 'b' for update");
  await expect(db.transaction((trx) => hold(trx, ['a', 'b']))).rejects.toMatchObject({ code: 'ER_LOCK_WAIT_TIMEOUT' });
  expect(await db.transaction((trx) => hold(trx, ['a']))).toHaveLength(1);
  await stuck.end();
});

it('gets back what a process held that is gone without a word', async () => {
  const held = lost.transaction(async (trx) => {
    await hold(trx, ['a', 'b']);
    address.silence();
    await trx.raw('select 1');
  });
  expect(await held.catch(isDatabaseError)).toBe(true);
  for (;;) {
    const rows = await db.transaction((trx) => hold(trx, ['a', 'b'])).catch(() => []);
    if (rows.length === 2) return;
  }
});
