/** `passbell recipient erase`, with a running server. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { tablesWith } from '../support/all-rows.js';
import { signIn } from '../support/dashboard.js';
import { freshMail, startService, type TestService } from '../support/service.js';
import { auditLog, json, run } from './command.js';

let server: TestService;
beforeAll(async () => void (server = await startService()));
afterAll(() => server.stop());

const erase = (to: string, ...more: string[]) => json(server, 'recipient', 'erase', '--to', to, ...more);

it('erases a recipient from all applications, with one audit entry for each account', async () => {
  const to = freshMail();
  const own = await server.application();
  const elsewhere = await server.core.applications.service.create(OPERATOR, { name: 'Elsewhere', email: freshMail() });
  for (const keys of [server.keys, own, elsewhere]) await server.send(to, {}, { keys });
  const before = (await auditLog(server)).length;

  expect(await erase(to.toUpperCase())).toEqual({
    codes: 3,
    users: 0,
    messages: 3,
    secondFactors: 0,
    fraudRecords: 0,
    shopEvents: 0,
    suppressions: 0,
    testRecipientOf: [],
  });
  const db = server.openDatabase();
  expect(await tablesWith(db, to)).toEqual([]);
  await db.destroy();
  expect((await auditLog(server)).slice(before)).toMatchObject([
    { action: 'recipient.erase', subject: 'an email address', changes: [{ before: '2' }, { before: '2' }] },
    { action: 'recipient.erase', subject: 'an email address', changes: [{ before: '1' }, { before: '1' }] },
  ]);
  expect(await erase(to)).toMatchObject({ codes: 0, messages: 0 });
  expect((await auditLog(server)).length).toBe(before + 2);
});

it('erases a recipient from one application only', async () => {
  const to = freshMail();
  const { appKey, appSecret } = await server.application();
  await server.send(to);
  await server.send(to, {}, { keys: { appKey, appSecret } });
  expect(await erase(to, '--app', appKey)).toMatchObject({ codes: 1, messages: 1 });
  expect(await erase(to, '--app', appKey)).toMatchObject({ codes: 0, messages: 0 });
  expect(await erase(to)).toMatchObject({ codes: 1, messages: 1 });
});

it('turns off the second factor of a dashboard user only with --app pk_dashboard', async () => {
  const owner = await signIn(server);
  const { email } = owner.person!;
  const session = (await server.core.people.sessions.find(owner.cookies().split('=')[1]!))!;
  const { manualKey, maskId } = await server.core.people.secondFactor.enroll(session);
  expect(manualKey).not.toBe('');
  expect(maskId).not.toBe('');
  expect(await erase(email)).toMatchObject({ secondFactors: 0 });
  expect(await erase(email, '--app', 'pk_dashboard')).toMatchObject({ secondFactors: 1 });
});

it('prints the number of erased records', async () => {
  const { appKey } = await server.application({ settings: { testRecipients: { '+15550100': '123456' } } });
  const { code, out } = await run(server, 'recipient', 'erase', '--to', '+1 555 0100');
  expect([code, out]).toEqual([
    0,
    `Erased:\n  Verification codes         0\n  Users                      0\n  Messages                   0\n` +
      `  Second factors             0\n  Fraud guard                0\n  Shop events                0\n` +
      `  Suppressions and opt-outs  0\n` +
      `+1 555 0100 is still a test recipient. To remove it, run: npm run --silent passbell -- app update ${appKey} --test-recipient "+1 555 0100="\n`,
  ]);
});

it('explains errors in one sentence', async () => {
  const nobody = await run(server, 'recipient', 'erase', '--to', 'nobody');
  expect(nobody).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^error: recipient: This is neither a phone number .*\n$/),
  });
  const unknown = await run(server, 'recipient', 'erase', '--to', freshMail(), '--app', 'pk_nobody');
  expect(unknown.err).toBe('error: there is no application with the App Key pk_nobody\n');
});
