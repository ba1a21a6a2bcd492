/** Home lists an expiring certificate and missing backups to the operator, and delayed messages to everyone who sends them. */
import { readFileSync, utimesSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { recordBackup } from '../../backend/src/platform/backup.js';
import { DAY, HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import { createCertificates } from '../support/certificate-authority.js';
import { createTestClock } from '../support/clock.js';
import { createDataFolder } from '../support/data-folder.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { scaled } from '../support/members.js';
import { freshPhone, startService, type TestService } from '../support/service.js';
import { until } from '../support/wait.js';

let proxy: Server;
let passbell: TestService;
beforeAll(async () => {
  const folder = createDataFolder('certificates');
  createCertificates(folder, 'ca', 'localhost');
  const read = (name: string) => readFileSync(join(folder, name));
  proxy = createServer({ key: read('localhost.key'), cert: read('localhost.pem') }).listen(0, 'localhost');
  await new Promise((resolve) => proxy.once('listening', resolve));
  const BASE_URL = `https://localhost:${(proxy.address() as AddressInfo).port}`;
  // The certificates expire in two days. Passbell's clock is an hour ahead.
  const clock = createTestClock(Math.floor(Date.now() / 1000) * 1000 + HOUR);
  passbell = await startService({ BASE_URL }, { clock });
});
afterAll(async () => {
  await passbell.stop();
  proxy.close();
});

/** The titles of the alerts on Home, below each other. */
async function alertsOf(visitor: Visitor): Promise<string> {
  const [card = ''] =
    /<section class="card (?:attention|alerts)[^]*?<\/section>/.exec((await visitor.get('/home')).html) ?? [];
  return [...card.matchAll(/class="strong">(?:<a[^>]*>)?([^<]*)</g)].map(([, title]) => title).join('\n');
}

it('shows to the operator only that the certificate expires soon', async () => {
  const operator = await signIn(passbell);
  const certificate = 'Certificate expires in 1 day: localhost';
  await until('the certificate', async () => (await alertsOf(operator)).includes(certificate));
  expect(await alertsOf(await signIn(passbell, 'owner', { account: 'other@shop.example' }))).not.toContain(
    'Certificate',
  );
});

it('lists messages that are not sent in time, until they are sent', async () => {
  const operator = await signIn(passbell);
  await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' });
  const db = passbell.openDatabase();
  const sent = await db('messages').first();
  const due_at = passbell.clock.now() - 3 * MINUTE;
  await db('messages').insert({ ...sent, id: 'overdue', state: 'queued', due_at, finished_at: null });
  expect(await alertsOf(operator)).toContain('Messages delayed: 1 waiting');
  await db('messages')
    .where({ id: 'overdue' })
    .update({ due_at: passbell.clock.now() - MINUTE });
  expect(await alertsOf(operator)).not.toContain('Messages delayed');
  await db('messages').where({ id: 'overdue' }).delete();
  await db.destroy();
});

it('asks the operator of a used server for a backup every week, unless the data is in MySQL', async () => {
  expect(await alertsOf(await signIn(passbell))).not.toContain('No backup');
  const day = new Date(passbell.clock.now()).toISOString().slice(0, 10);
  const db = passbell.openDatabase();
  const application = await db('applications').where({ app_key: passbell.keys.appKey }).first();
  const counts = { sent: 5, delivered: 5, undelivered: 0, failed: 0, codes: 5, verified: 5, cost: 0 };
  const of = { application_id: application.id, currency: 'usd', day, channel: 'EMAIL', country: '' };
  await db('usage_counts').insert({ ...of, ...counts });
  await db.destroy();
  passbell.clock.advance(8 * DAY);
  expect(await alertsOf(await signIn(passbell))).toMatch(scaled ? /^(?![^]*No backup)/ : /No backup recorded/);
  expect(await alertsOf(await signIn(passbell, 'owner', { account: 'other@shop.example' }))).not.toContain('No backup');
  recordBackup(passbell.dataDir);
  const backedUpAt = (daysAgo: number) => {
    const time = (passbell.clock.now() - daysAgo * DAY) / 1000;
    utimesSync(join(passbell.dataDir, 'last-backup'), time, time);
  };
  backedUpAt(6);
  expect(await alertsOf(await signIn(passbell))).not.toContain('No backup');
  backedUpAt(9);
  expect(await alertsOf(await signIn(passbell))).toMatch(
    scaled ? /^(?![^]*No backup)/ : /No backup recorded for 9 days/,
  );
});
