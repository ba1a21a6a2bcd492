/** An expired Idempotency-Key, reused by concurrent requests. */
import { rmSync } from 'node:fs';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { migrate } from '../../backend/src/platform/db/migrate.js';
import { createWriter } from '../../backend/src/platform/db/transaction.js';
import {
  createIdempotencyStore,
  type IdempotencyStore,
} from '../../backend/src/modules/idempotency/idempotency-store.js';
import { createDataFolder } from '../support/data-folder.js';

const dataDir = createDataFolder('idempotency');
let db: Database;
let store: IdempotencyStore;
beforeAll(async () => {
  await migrate({ url: undefined, dataDir });
  db = openDatabase({ url: undefined, dataDir });
  store = createIdempotencyStore(db);
});
afterAll(async () => {
  await db.destroy();
  rmSync(dataDir, { recursive: true, force: true });
});

const KEY_ID = 'application and key';
const insertKey = (expiresAt: number) => store.insert({ id: KEY_ID, requestHash: '', leaseUntil: 0, expiresAt });

it('removes an expired key once, and never the new key and result of another request', async () => {
  const write = createWriter(db);
  await insertKey(100);
  await write([store.resultRow(KEY_ID, 'old', 100)]);

  // Both requests have read the expired key; the first request replaces it before the second request removes it.
  await store.removeExpired(KEY_ID, 100);
  expect(await insertKey(200)).toBe(true);
  await write([store.resultRow(KEY_ID, 'new', 200)]);
  await store.removeExpired(KEY_ID, 100);
  expect(await insertKey(200)).toBe(false);
  expect(await store.find(KEY_ID)).toMatchObject({ resultId: 'new', expiresAt: 200 });
});
