/** The counts of rate limits in the database. */
import { rmSync } from 'node:fs';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { DAY } from '../../backend/src/platform/clock.js';
import { createLimiter } from '../../backend/src/platform/rate-limit/limiter.js';
import type { Budget } from '../../backend/src/platform/rate-limit/rule.js';
import { createRateLimitStore } from '../../backend/src/platform/rate-limit/rate-limit-store.js';
import { createTestClock } from '../support/clock.js';
import { createDataFolder } from '../support/data-folder.js';
import { fillSqlite } from '../support/new-database.js';

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
  const clock = createTestClock();
  const limiter = createLimiter(clock, createRateLimitStore(db));
  const statements: string[] = [];
  db.on('query', ({ sql }: { sql: string }) => statements.push(sql));
  const budget = (key: string): Budget => ({ key, code: 'BURST_LIMIT', perDay: 9, amount: 1 });
  await Promise.all(['a', 'b', 'a', 'a'].map((key) => limiter.take([budget(key)])));
  expect(statements.filter((sql) => sql.startsWith('insert'))).toHaveLength(1);
  const day = Math.floor(clock.now() / DAY);
  const stored = await createRateLimitStore(db).all(clock.now());
  expect(stored.map(({ key, times }) => [key, times])).toEqual([
    [`a:${day}`, [3]],
    [`b:${day}`, [1]],
  ]);
});
