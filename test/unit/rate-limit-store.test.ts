/** The counts of rate limits in the database. */
import { rmSync } from 'node:fs';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { createRateLimitStore } from '../../backend/src/platform/rate-limit/rate-limit-store.js';
import { createDataFolder } from '../support/data-folder.js';
import { fillSqlite } from '../support/new-database.js';

const LATER = Date.UTC(2027, 0, 6);
const dataDir = createDataFolder('rate-limits');
let db: Database;

beforeAll(async () => {
  await fillSqlite(dataDir);
  db = openDatabase({ url: undefined, dataDir });
});

afterAll(async () => {
  await db.destroy();
  rmSync(dataDir, { recursive: true, force: true });
});

it('stores the last count of each key when counts are saved at the same time', async () => {
  const store = createRateLimitStore(db);
  const statements: string[] = [];
  db.on('query', ({ sql }: { sql: string }) => statements.push(sql));
  const save = (key: string, ...times: number[]) => store.save([{ key, times, expiresAt: LATER }]);
  await Promise.all([save('a', 1), save('b', 7), save('a', 2), save('a', 3)]);
  expect(statements).toHaveLength(1);
  expect(await store.find('a')).toEqual([3]);
  expect(await store.find('b')).toEqual([7]);
});
