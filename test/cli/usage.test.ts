/** `passbell usage`: message counts and costs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DAY, HOUR } from '../../backend/src/platform/clock.js';
import { accountOf } from '../support/providers.js';
import { freshMail, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';
import { json, run } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'passbell-usage-'));
let smtp: TestSmtpServer;
let server: TestService;
let other: TestService['keys'];
beforeAll(async () => {
  smtp = await startSmtpServer();
  const PRICES_FILE = join(folder, 'prices.json');
  writeFileSync(PRICES_FILE, JSON.stringify({ currency: 'usd', prices: { EMAIL: { '*': '0.0015' } } }));
  server = await startService({ PRICES_FILE, SMTP_URL: smtp.url, MAIL_FROM: 'codes@shop.example' });
  other = await server.application(NO_LIMITS);
  const send = (keys = server.keys) => server.post('/auth/sendotp', { to: freshMail() }, { keys });
  await send();
  await send();
  await send(other);
  server.clock.advance(DAY);
  smtp.respondWith({ recipient: 550 });
  await send();
});
afterAll(async () => {
  await server.stop();
  await smtp.close();
  rmSync(folder, { recursive: true, force: true });
});

const row = (change: object) => ({
  appKey: server.keys.appKey,
  day: '2027-01-15',
  channel: 'EMAIL',
  country: '',
  currency: 'usd',
  sent: 0,
  delivered: 0,
  undelivered: 0,
  failed: 0,
  // Codes are counted in the background after they expire.
  codes: expect.any(Number),
  verified: 0,
  cost: '0.0000',
  ...change,
});

it('lists the usage of the current month by application and day', async () => {
  expect(await json(server, 'usage')).toEqual([
    row({ sent: 2, cost: '0.0030' }),
    row({ appKey: other.appKey, sent: 1, cost: '0.0015' }),
    row({ day: '2027-01-16', failed: 1 }),
  ]);
});

it('filters by application and days', async () => {
  expect(await json(server, 'usage', other.appKey)).toEqual([row({ appKey: other.appKey, sent: 1, cost: '0.0015' })]);
  expect(await json(server, 'usage', '--from', '2027-01-16')).toEqual([row({ day: '2027-01-16', failed: 1 })]);
  expect(await json(server, 'usage', server.keys.appKey, '--to', '2027-01-15')).toEqual([
    row({ sent: 2, cost: '0.0030' }),
  ]);
  expect(await json(server, 'usage', '--to', '2026-12-31')).toEqual([]);
});

it('prints a table with a total row', async () => {
  const { out } = await run(server, 'usage');
  for (const text of [server.keys.appKey, other.appKey, '2027-01-15', 'EMAIL', '0.0030 usd'])
    expect(out).toContain(text);
  expect(out).toMatch(/\nTotal: 0\.0045 usd\n$/);
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect((await run(server, 'usage', '--to', '2026-12-31')).out).toBe('No messages were sent in this period.\n');
});

it('includes the current day of an account in a time zone that is ahead', async () => {
  const accountId = await accountOf(server, 'ahead@shop.example');
  await server.core.applications.profiles.update(OPERATOR, accountId, { timeZone: 'Pacific/Kiritimati' });
  const keys = await server.core.applications.service.create(OPERATOR, { name: 'Ahead', accountId });
  server.clock.advance(3 * HOUR);
  await server.post('/auth/sendotp', { to: freshMail() }, { keys });
  expect(await json(server, 'usage')).toContainEqual(row({ appKey: keys.appKey, day: '2027-01-17', failed: 1 }));
});

it.each([
  ['there is no application with the App Key pk_none', 'pk_none'],
  ['It must be a date such as 2026-01-31.', '--from', 'yesterday'],
  ['It must be a date such as 2026-01-31.', '--to', '2027-02-30'],
])('fails with "%s": usage %s %s', async (text, ...args) => {
  const { code, out, err } = await run(server, 'usage', ...args);
  expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringContaining(text) });
});
