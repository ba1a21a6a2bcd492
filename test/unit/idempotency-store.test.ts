/** An expired Idempotency-Key, reused by concurrent requests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { createWriter } from '../../backend/src/platform/db/transaction.js';
import {
  createIdempotencyStore,
  type IdempotencyStore,
} from '../../backend/src/modules/idempotency/idempotency-store.js';

const dataDir = mkdtempSync(join(tmpdir(), 'passbell-idempotency-'));
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

const ID = 'application and key';
const take = (expiresAt: number) => store.insert({ id: ID, requestHash: '', leaseUntil: 0, expiresAt });

it('removes an expired key once, and never the new key and result of another request', async () => {
  const write = createWriter(db);
  await take(100);
  await write([store.resultRow(ID, 'old', 100)]);

  // Both requests have read the expired key; the first one replaces it before the second one removes it.
  await store.removeExpired(ID, 100);
  expect(await take(200)).toBe(true);
  await write([store.resultRow(ID, 'new', 200)]);
  await store.removeExpired(ID, 100);
  expect(await take(200)).toBe(false);
  expect(await store.find(ID)).toMatchObject({ resultId: 'new', expiresAt: 200 });
});
