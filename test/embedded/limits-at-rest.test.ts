/** What the limits of one process keep in its database. */
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { freshPhone, startService, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());

it('forgets the times of sends once no limit needs them', async () => {
  for (let i = 0; i < 5; i++) await passbell.send(freshPhone());
  const db = new Sqlite(join(passbell.dataDir, 'passbell.sqlite'), { readonly: true });
  const rows = (): number => (db.prepare('select count(*) as n from rate_limits').get() as { n: number }).n;
  expect(rows()).toBeGreaterThanOrEqual(5);
  // The clean-up comes once a minute, after whatever else is being cleaned.
  for (let i = 0; i < 20; i++) {
    passbell.clock.advance(21_600_000);
    await passbell.get('/auth/authentication');
  }
  expect(rows()).toBe(0);
  db.close();
});
