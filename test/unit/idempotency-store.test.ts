/** An Idempotency-Key whose time is over, and several requests that use it again at one time. */
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

it('is freed by one of them, and what that one makes stays', async () => {
  const write = createWriter(db);
  await take(100);
  await write([store.writeResult(ID, 'old', 100)]);

  // Both have seen that it is over; the first one is through before the second one goes on.
  await store.removeExpired(ID, 100);
  expect(await take(200)).toBe(true);
  await write([store.writeResult(ID, 'new', 200)]);
  await store.removeExpired(ID, 100);
  expect(await take(200)).toBe(false);
  expect(await store.find(ID)).toMatchObject({ resultId: 'new', expiresAt: 200 });
});
