/** Deletion of inactive users and old audit entries after the configured number of days. */
import { CLEANUP_INTERVAL_MS } from '../../backend/src/core.js';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DAY } from '../../backend/src/platform/clock.js';
import type { Database } from '../../backend/src/platform/db/database.js';
import { signIn } from '../support/dashboard.js';
import { freshMail, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { advancing, until } from '../support/wait.js';

let passbell: TestService;
let db: Database;
afterEach(async () => {
  await db.destroy();
  await passbell.stop();
});

async function start(settings: Record<string, string> = {}): Promise<void> {
  passbell = await startService(settings);
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, NO_LIMITS);
  db = passbell.openDatabase();
}

async function verify(to: string): Promise<string> {
  const { maskId, code } = await passbell.send(to);
  return (await passbell.post('/auth/verifyotp', { maskId, otp: code })).data.user.userId;
}

const countRows = async (table: string): Promise<number> => Number((await db(table).count({ n: '*' }))[0]!.n);

/** Runs clean-ups until the condition is true. */
async function cleanUpUntil(condition: () => Promise<boolean>): Promise<void> {
  await until('the clean-up', condition, advancing(passbell.clock, CLEANUP_INTERVAL_MS));
}

it('deletes users after the configured number of days, unless they have verified again', async () => {
  await start({ USER_RETENTION_DAYS: '30' });
  const idle = freshMail();
  const active = freshMail();
  const before = { idle: await verify(idle), active: await verify(active) };
  passbell.clock.advance(20 * DAY);
  await verify(active);
  passbell.clock.advance(12 * DAY);
  await cleanUpUntil(async () => (await countRows('users')) === 1);
  expect(await verify(active)).toBe(before.active);
  expect(await verify(idle)).not.toBe(before.idle);
});

it("writes to a user's row at most once a day", async () => {
  await start();
  const to = freshMail();
  await verify(to);
  const lastVerified = async () => Number((await db('users').first()).last_verified_at);
  const first = await lastVerified();
  passbell.clock.advance(DAY / 2);
  await verify(to);
  expect(await lastVerified()).toBe(first);
  passbell.clock.advance(DAY / 2);
  await verify(to);
  expect(await lastVerified()).toBe(passbell.clock.now());
});

it('deletes audit entries in batches after the configured number of days, which the dashboard shows', async () => {
  await start({ AUDIT_RETENTION_DAYS: '30' });
  const entry = { account_id: 1, actor: 'operator', action: 'application.create', subject: 'Old', changes: '[]' };
  const created_at = passbell.clock.now() - 31 * DAY;
  for (let n = 0; n < 3; n++)
    await db('audit_entries').insert(Array.from({ length: 400 }, () => ({ ...entry, created_at })));
  await cleanUpUntil(async () => (await db('audit_entries').where({ subject: 'Old' }).first()) === undefined);
  expect(await countRows('audit_entries')).toBeGreaterThan(0);
  const owner = await signIn(passbell);
  expect((await owner.get('/audit')).html).toContain('Entries are deleted after 30 days.');
});

it('stores users and audit entries for two years by default, and forever with 0', async () => {
  await start();
  const { config } = passbell.core;
  expect([config.USER_RETENTION_DAYS, config.AUDIT_RETENTION_DAYS]).toEqual([730, 730]);
  expect((await (await signIn(passbell)).get('/audit')).html).toContain('Entries are deleted after 2 years.');
  await db.destroy();
  passbell = await passbell.restart({ USER_RETENTION_DAYS: '0', AUDIT_RETENTION_DAYS: '0' });
  db = passbell.openDatabase();
  await verify(freshMail());
  const entries = await countRows('audit_entries');
  passbell.clock.advance(20_000 * DAY);
  // The clean-up deletes this row after users and audit entries.
  await db('refused_callers').insert({
    application_id: 1,
    via: 'api',
    caller: 'x',
    address: '',
    times: 1,
    first_at: 0,
    last_at: 0,
  });
  await cleanUpUntil(async () => (await countRows('refused_callers')) === 0);
  expect([await countRows('users'), await countRows('audit_entries')]).toEqual([1, entries]);
});
