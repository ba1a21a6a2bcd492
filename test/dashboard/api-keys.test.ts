/** The page **API keys**. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { callWith } from '../support/manage.js';
import { signIn } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());

it('creates a key with some rights, shows it once, and revokes it', async () => {
  const owner = await signIn(passbell, 'owner');
  expect((await owner.get('/api-keys')).html).toContain('No API keys yet');
  const created = await owner.submit('/api-keys/new', '/api-keys', {
    name: 'Deploy',
    days: '30',
    applications: 'own',
    webhooks: 'read',
  });
  const { html } = await owner.follow(created);
  const secret = /mk_[\w-]{43}/.exec(html)![0];
  const call = callWith(passbell, secret);
  expect((await call('get', '/applications')).status).toBe(200);
  expect((await call('get', '/messages')).status).toBe(403);
  const list = (await owner.get('/api-keys')).html;
  expect(list).not.toContain(secret);
  expect(list).not.toContain('No API keys yet');
  expect(list).toContain('applications:own, webhooks:read');
  const path = /\/api-keys\/\d+\/revoke/.exec(list)![0];
  await owner.submit('/api-keys', path);
  expect((await call('get', '/applications')).status).toBe(401);
});

it('gives a key the same right in all areas with a preset', async () => {
  const owner = await signIn(passbell, 'owner');
  const fields = { name: 'Report', days: '30', preset: 'read', applications: 'own' };
  const { html } = await owner.follow(await owner.submit('/api-keys/new', '/api-keys', fields));
  expect(html).toMatch(/Report[\s\S]*<div>Read only<\/div>/);
  const call = callWith(passbell, /mk_[\w-]{43}/.exec(html)![0]);
  expect((await call('get', '/messages')).status).toBe(200);
  expect((await call('post', '/applications', { name: 'New' })).status).toBe(403);
  const [key] = await passbell.core.managementKeys.service.list(OPERATOR, owner.person!.accountId);
  expect(key!.scopes).not.toHaveProperty('secrets');
});

it.each([
  [{ name: '', days: '30', audit: 'own' }, 'Enter a name.'],
  [{ name: 'x'.repeat(65), days: '30', audit: 'own' }, 'Enter one line of at most 64 characters.'],
  [{ name: 'x', days: '366', audit: 'own' }, 'Enter a whole number of days from 1 to 365.'],
  [{ name: 'x', days: '30' }, 'Choose the access for at least one area.'],
  [{ name: '', days: '30', preset: 'custom' }, 'Choose the access for at least one area.'],
  [{ name: 'x', days: '30', audit: 'operator' }, 'Choose the access.'],
])('rejects %j', async (fields, text) => {
  const owner = await signIn(passbell, 'owner');
  const reply = await owner.submit('/api-keys/new', '/api-keys', fields);
  expect([reply.status, reply.html.includes(text)]).toEqual([422, true]);
});

it('offers only rights with which a key can do more in the area', async () => {
  const { html } = await (await signIn(passbell, 'owner')).get('/api-keys/new');
  const rightsIn = (area: string) =>
    [...new RegExp(`<select[^>]* name="${area}"[\\s\\S]*?</select>`).exec(html)![0].matchAll(/<option value="(\w+)"/g)]
      .map(([, value]) => value)
      .join();
  expect(['audit', 'secrets'].map(rightsIn)).toEqual(['own', 'own']);
  expect(['webhooks', 'providers'].map(rightsIn)).toEqual(['read,own', 'read,own']);
  expect(['applications', 'messages'].map(rightsIn)).toEqual(['read,change,own', 'read,change,own']);
});

it('asks for confirmation if the sign-in is not recent', async () => {
  const owner = await signIn(passbell, 'owner');
  passbell.clock.advance(60 * 60_000);
  const reply = await owner.submit('/api-keys/new', '/api-keys', { name: 'x', days: '30', audit: 'own' });
  expect([reply.status, reply.html.includes('Confirm your identity')]).toEqual([403, true]);
});
