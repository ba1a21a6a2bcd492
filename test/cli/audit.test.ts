/** Changes by the operator command appear in the audit log of the account, as `operator`. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { maskRecipient } from '../../backend/src/modules/recipients/recipient.js';
import { enrolUser } from '../support/authenticator.js';
import { signIn } from '../support/dashboard.js';
import { freshMail, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { auditLog, json, run } from './command.js';

let server: TestService;
beforeAll(async () => void (server = await startService()));
afterAll(() => server.stop());

/** Runs a command that must succeed, and returns its new audit entries. */
async function audited(...args: string[]) {
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

it('records the creation of an application, and of its account', async () => {
  expect(await audited('app', 'create', '--name', 'Shop', '--email', 'owner@shop.example')).toEqual([
    entry('account.create', 'owner@shop.example'),
    entry('application.create', 'Shop'),
  ]);
});

it('records the creation of an account once, and each invitation', async () => {
  const invitation = entry('person.invite', 'second@shop.example', ['role', '', 'owner']);
  const create = ['account', 'create', '--email', 'second@shop.example'];
  expect(await audited(...create)).toEqual([entry('account.create', 'second@shop.example'), invitation]);
  expect(await audited(...create)).toEqual([invitation]);
  const invite = ['--account', 'second@shop.example', '--email', 'ana@shop.example', '--role', 'viewer'];
  expect(await audited('account', 'invite', ...invite)).toEqual([
    entry('person.invite', 'ana@shop.example', ['role', '', 'viewer']),
  ]);
});

it('records the status of an account', async () => {
  const { appKey } = await json(server, 'app', 'create', '--name', 'Blocked', '--email', 'third@shop.example');
  expect(await audited('account', 'update', '--app', appKey, '--status', 'blocked')).toEqual([
    entry('account.status', 'third@shop.example', ['status', 'active', 'blocked']),
  ]);
});

it('records changes to an application, without codes and secrets', async () => {
  const { appKey } = await server.application();
  const update = (...options: string[]) => audited('app', 'update', appKey, ...options);
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
  expect(await audited('app', 'rotate-secret', appKey, '--grace-hours', '2')).toEqual([
    entry('application.rotate-secret', name, ['old secret valid for hours', '', '2']),
  ]);
});

it('records texts and webhooks', async () => {
  const { appKey } = await server.application();
  const text = [appKey, 'otp', '--channel', 'SMS'];
  expect(await audited('template', 'set', ...text, '--text', 'Code {{ code }}')).toMatchObject([
    { actor: 'operator', action: 'template.set' },
  ]);
  expect(await audited('template', 'unset', ...text)).toMatchObject([{ actor: 'operator', action: 'template.reset' }]);
  const add = ['webhook', 'add', appKey, '--url', 'https://8.8.8.8/events', '--event', 'otp.verified'];
  const [created] = await audited(...add);
  expect(created).toMatchObject({ action: 'webhook.create', subject: 'Another Shop' });
  expect(await audited('webhook', 'remove', appKey, created.changes[0].name)).toMatchObject([
    { actor: 'operator', action: 'webhook.remove', subject: 'Another Shop' },
  ]);
});

it('records the reset of a second factor', async () => {
  await server.service.applications.update(OPERATOR, server.keys.appKey, NO_LIMITS);
  const { identity } = await enrolUser(server, freshMail());
  expect(await audited('two-factor', 'reset', '--app', server.keys.appKey, '--identity', identity)).toMatchObject([
    { actor: 'operator', action: 'two-factor.reset' },
  ]);
});

it("shows the operator's changes to the owners of the account", async () => {
  const owner = await signIn(server, 'owner', { account: 'owner@shop.example' });
  expect((await owner.get('/audit')).html).toMatch(/operator[\s\S]*made an application/);
});
