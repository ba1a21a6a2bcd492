/** Changes by the operator command appear in the account's audit log, with the actor `operator`. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { maskRecipient } from '../../backend/src/modules/recipients/recipient.js';
import { enrollUser } from '../support/authenticator.js';
import { signIn } from '../support/dashboard.js';
import { freshMail, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { auditLog, json, run } from './command.js';

let server: TestService;
beforeAll(async () => void (server = await startService()));
afterAll(() => server.stop());

/** Runs a command that must succeed, and returns its new audit entries. */
async function runAudited(...args: string[]) {
  const before = (await auditLog(server)).length;
  expect(await run(server, ...args)).toMatchObject({ code: 0, err: '' });
  return (await auditLog(server)).slice(before);
}

const entry = (action: string, subject: string, ...changes: [name: string, before: string, after: string][]) => ({
  actor: 'operator',
  action,
  subject,
  changes: changes.map(([name, before, after]) => ({ name, before, after })),
});

it('records that an application and its account were created', async () => {
  expect(await runAudited('app', 'create', '--name', 'Shop', '--email', 'owner@shop.example')).toEqual([
    entry('account.create', 'owner@shop.example'),
    entry('application.create', 'Shop'),
  ]);
});

it('records the creation of an account once, and records each invitation', async () => {
  const invitation = entry('person.invite', 'second@shop.example', ['role', '', 'owner']);
  const create = ['account', 'create', '--email', 'second@shop.example'];
  expect(await runAudited(...create)).toEqual([entry('account.create', 'second@shop.example'), invitation]);
  expect(await runAudited(...create)).toEqual([invitation]);
  const invite = ['--account', 'second@shop.example', '--email', 'ana@shop.example', '--role', 'viewer'];
  expect(await runAudited('account', 'invite', ...invite)).toEqual([
    entry('person.invite', 'ana@shop.example', ['role', '', 'viewer']),
  ]);
});

it('records a change of the account status', async () => {
  const { appKey } = await json(server, 'app', 'create', '--name', 'Blocked', '--email', 'third@shop.example');
  expect(await runAudited('account', 'update', '--app', appKey, '--status', 'blocked')).toEqual([
    entry('account.status', 'third@shop.example', ['status', 'active', 'blocked']),
  ]);
});

it('records changes to an application, without codes or secrets', async () => {
  const { appKey } = await server.application();
  const update = (...options: string[]) => runAudited('app', 'update', appKey, ...options);
  const name = 'Another Shop';
  expect(await update('--language', 'de', '--cooldown-seconds', '60', '--test-recipient', '+15550100=123456')).toEqual([
    entry(
      'application.update',
      name,
      ['language', '', 'de'],
      ['testRecipients', '', maskRecipient('+15550100')],
      ['cooldownSeconds', '30', '60'],
    ),
  ]);
  expect(await update('--authorized-endpoints', 'https://shop.example')).toEqual([
    entry('application.allow-list', name, ['allow-list', '', 'https://shop.example']),
  ]);
  expect(await update('--design', '{"theme": "dark"}')).toEqual([
    entry('application.widget', name, ['widget theme', 'auto', 'dark']),
  ]);
  expect(await update('--language', 'de')).toEqual([]);
  expect(await runAudited('app', 'rotate-secret', appKey, '--grace-hours', '2')).toEqual([
    entry('application.rotate-secret', name, ['old secret valid for hours', '', '2']),
  ]);
});

it('records changes to texts and webhooks', async () => {
  const { appKey } = await server.application();
  const text = [appKey, 'otp', '--channel', 'SMS'];
  expect(await runAudited('template', 'set', ...text, '--text', 'Code {{ code }}')).toMatchObject([
    { actor: 'operator', action: 'template.set' },
  ]);
  expect(await runAudited('template', 'unset', ...text)).toMatchObject([
    { actor: 'operator', action: 'template.reset' },
  ]);
  const add = ['webhook', 'add', appKey, '--url', 'https://8.8.8.8/events', '--event', 'otp.verified'];
  const [created] = await runAudited(...add);
  expect(created).toMatchObject({ action: 'webhook.create', subject: 'Another Shop' });
  expect(await runAudited('webhook', 'remove', appKey, created.changes[0].name)).toMatchObject([
    { actor: 'operator', action: 'webhook.remove', subject: 'Another Shop' },
  ]);
});

it('records that a second factor was reset', async () => {
  await server.core.applications.service.update(OPERATOR, server.keys.appKey, NO_LIMITS);
  const { identity } = await enrollUser(server, freshMail());
  expect(await runAudited('two-factor', 'reset', '--app', server.keys.appKey, '--identity', identity)).toMatchObject([
    { actor: 'operator', action: 'two-factor.reset' },
  ]);
});

it("shows the operator's changes to the account owners", async () => {
  const owner = await signIn(server, 'owner', { account: 'owner@shop.example' });
  expect((await owner.get('/audit')).html).toMatch(/Operator<\/a> created the application/);
});
