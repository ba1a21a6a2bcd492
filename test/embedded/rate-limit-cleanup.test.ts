/** Deletion of rate-limit rows from the database of a single process. */
import { join } from 'node:path';
import { Sqlite } from '../../backend/src/platform/db/sqlite-driver.js';
import { freshPhone, startService, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());

it('deletes rate-limit rows once no limit needs them', async () => {
  for (let i = 0; i < 5; i++) await passbell.send(freshPhone());
  const db = new Sqlite(join(passbell.dataDir, 'passbell.sqlite'), { readonly: true });
  const rowCount = (): number => (db.prepare('select count(*) as n from rate_limits').get() as { n: number }).n;
  expect(rowCount()).toBeGreaterThanOrEqual(5);
  // Several clean-ups take turns, one per minute.
  for (let i = 0; i < 20; i++) {
    passbell.clock.advance(21_600_000);
    await passbell.get('/auth/authentication');
  }
  expect(rowCount()).toBe(0);
  db.close();
});
