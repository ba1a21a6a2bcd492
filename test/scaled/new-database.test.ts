/** Commands on a MySQL database without tables, and on one that an earlier version has created. */
import { createTestDatabase, redisUrl, type TestDatabase } from '../support/databases.js';
import { openDatabase } from '../../backend/src/platform/db/database.js';
import { runCommandWith } from '../support/process.js';

let database: TestDatabase;
let settings: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  settings = {
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl(),
    SECRET_KEY: 'a key that only tests use and nobody else',
  };
});
afterAll(() => database.drop());

async function onDatabase<T>(work: (db: ReturnType<typeof openDatabase>) => Promise<T>): Promise<T> {
  const db = openDatabase({ url: database.url, dataDir: '' });
  return work(db).finally(() => db.destroy());
}

it('only init creates the tables of a new database; later commands migrate it', async () => {
  const { host, pathname } = new URL(database.url);
  for (const command of [['app', 'list'], ['migrate']]) {
    const failure = await runCommandWith(settings, ...command).catch((error: Error) => error.message);
    expect(failure).toContain(`exited with 1: error: ${host}${pathname} is a new, empty database. `);
    // The message contains no credentials.
    expect(failure).not.toContain('@');
  }
  expect(await onDatabase(async (db) => (await db.raw('show tables'))[0])).toEqual([]);
  expect(await runCommandWith(settings, 'init')).toContain(`The database ${host}${pathname} is ready.`);
  // An older version did not have this migration yet.
  await onDatabase(async (db) => {
    await db('passbell_migrations').where({ name: '0047-write-checks' }).delete();
    await db.schema.dropTable('write_checks');
  });
  expect(await runCommandWith(settings, 'app', 'list', '--json')).toBe('[]\n');
});
