/**
 * After an upgrade, the log and the dashboard report the rules that became stricter, until the operator dismisses the
 * notice.
 */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { STRICTER_RULES } from '../../backend/src/modules/upgrades/stricter.js';
import type { Database } from '../../backend/src/platform/db/database.js';
import { signIn } from '../support/dashboard.js';
import { createDataFolder } from '../support/data-folder.js';
import { createEarlierDatabase } from '../support/earlier-version.js';
import { freshMail, startService, type TestService } from '../support/service.js';

const SECRET_KEY = 'a key that only tests use and nobody else';
const TITLE = 'Stricter rules since the last upgrade';
/** The last migration before the rules in {@link STRICTER_RULES} were introduced. */
const LAST_EARLIER_MIGRATION = '0008-refused-callers';

let passbell: TestService;
afterEach(() => passbell.stop());

async function upgrade(
  prepare: (db: Database) => Promise<unknown> = async () => undefined,
  dataDir = createDataFolder('upgrade'),
): Promise<void> {
  const db = await createEarlierDatabase(dataDir, LAST_EARLIER_MIGRATION);
  await prepare(db);
  await db.destroy();
  passbell = await startService({ SECRET_KEY }, { dataDir });
}

const withoutCode = (text: string) => text.replaceAll('`', '');

it('shows nothing on a new installation', async () => {
  passbell = await startService();
  const owner = await signIn(passbell);
  expect(await passbell.service.upgrades.undismissedRules()).toEqual([]);
  expect((await owner.get('/home')).html).not.toContain(TITLE);
});

it('shows owners the rules that became stricter, until an owner of the operator account dismisses the notice', async () => {
  await upgrade();
  const owner = await signIn(passbell);
  const tenant = await signIn(passbell, 'owner', { account: freshMail() });
  const member = await signIn(passbell, 'member');
  expect(await passbell.service.upgrades.undismissedRules()).toEqual(STRICTER_RULES);
  const text = (html: string) =>
    html
      .replace(/<[^>]*>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<');
  const [shown, toTenant] = [(await owner.get('/home')).html, (await tenant.get('/home')).html];
  for (const entry of STRICTER_RULES) expect(text(shown)).toContain(withoutCode(entry.text));
  expect(text(toTenant)).toContain(TITLE);
  expect(toTenant).not.toContain('Dismiss for everyone');
  expect((await member.get('/home')).html).not.toContain(TITLE);
  // The notice has no form for a tenant, so the token is from another form.
  const { html } = await tenant.get('/account');
  const token = /name="token" value="([^"]+)"/.exec(html)![1]!;
  expect((await tenant.post('/upgrade-notice/dismiss', { token })).status).toBe(403);

  const reply = await owner.submit('/home', '/upgrade-notice/dismiss');
  expect((await owner.follow(reply)).html).toContain('The notice was dismissed.');
  for (const visitor of [owner, tenant]) expect((await visitor.get('/home')).html).not.toContain(TITLE);
  expect((await owner.get('/audit')).html).toContain('dismissed the upgrade notice');
  passbell = await passbell.restart();
  expect(await passbell.service.upgrades.undismissedRules()).toEqual([]);
});

it('keeps users of the earlier version, including users that the earlier version adds after the migration', async () => {
  const [before, during] = [freshMail(), freshMail()];
  const userIdOf = (n: number) => `USR-${String(n).repeat(32)}`;
  const row = (identity: string, n: number) => ({
    ...{ user_id: userIdOf(n), application_id: 1, user_application_id: n, identity_type: 'email', identity },
    created_at: 0,
  });
  await upgrade((db) => db('users').insert(row(before, 1)));
  const db = passbell.openDatabase();
  await db('users').insert(row(during, 2));
  const [{ id }] = await db('applications').where({ app_key: passbell.keys.appKey });
  await db.destroy();
  expect(id).toBe(1);
  for (const [to, n] of [
    [before, 1],
    [during, 2],
  ] as const) {
    const { maskId, code } = await passbell.send(to);
    const { data } = await passbell.post('/auth/verifyotp', { maskId, otp: code });
    expect(data.user.userId).toBe(userIdOf(n));
  }
});

it('lets the earlier version start on the upgraded database', async () => {
  const dataDir = createDataFolder('upgrade');
  await upgrade(undefined, dataDir);
  // As earlier versions do, knex rejects recorded migrations that it does not know.
  const db = await createEarlierDatabase(dataDir, LAST_EARLIER_MIGRATION);
  await db.destroy();
  passbell = await passbell.restart();
  expect(await passbell.service.upgrades.undismissedRules()).toEqual(STRICTER_RULES);
});

it('starts on the database of a later version', async () => {
  passbell = await startService();
  const db = passbell.openDatabase();
  await db('passbell_migrations').insert({ name: '9999-later', batch: 2, migration_time: new Date() });
  await db.destroy();
  passbell = await passbell.restart();
  expect((await passbell.post('/auth/sendotp', { to: freshMail() })).success).toBe(true);
});

it('lets only owners dismiss the notice', async () => {
  await upgrade();
  const { upgrades, applications } = passbell.service;
  const accountId = await applications.createAccount(OPERATOR, 'operator@localhost');
  const member = { name: 'member', may: (right: string) => right !== 'own' };
  await expect(upgrades.dismiss(member, accountId)).rejects.toThrow('does not have the right');
  expect(await upgrades.undismissedRules()).toEqual(STRICTER_RULES);
});
