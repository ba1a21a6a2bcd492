/** The settings page “Delivery” of an application. */
import { signIn, type Visitor } from '../support/dashboard.js';
import { addGateway } from '../support/providers.js';
import { startService, type TestService } from '../support/service.js';

let passbell: TestService;
let owner: Visitor;
let path: string;
beforeAll(async () => {
  passbell = await startService();
  owner = await signIn(passbell);
  path = `/applications/${passbell.keys.appKey}`;
});
afterAll(() => passbell.stop());

const storedHours = async () =>
  (await passbell.core.applications.service.load(passbell.keys.appKey)).settings.quietHours;
const save = (quiet: Record<string, string>) =>
  owner.submit(`${path}/settings/channels`, `${path}/settings/quiet`, quiet);

it('turns quiet hours on and off with a checkbox, which keeps the hours in the form', async () => {
  const shown = async () => (await owner.get(`${path}/settings/channels`)).html;
  expect(await shown()).toMatch(/name="quiet" value="on"\/><span>Do not send notifications at night/);
  expect(await shown()).toMatch(/name="quietFrom"[^>]* value="22:00"[^]*name="quietUntil"[^>]* value="08:00"/);
  await save({ quiet: 'on', quietFrom: '2130', quietUntil: '8.00' });
  expect(await storedHours()).toBe('21:30-08:00');
  expect(await shown()).toMatch(/name="quiet" value="on" checked\/>[^]*name="quietFrom"[^>]* value="21:30"/);
  await save({ quietFrom: '21:30', quietUntil: '08:00' });
  expect(await storedHours()).toBe('');
});

it.each([
  ['22:00', '', 'field-quietUntil-error">Enter a time such as 22:00.'],
  ['', '24:00', 'field-quietFrom-error">Enter a time such as 22:00.'],
  ['20:00', '08:01', 'field-quietFrom-error">Quiet hours can be at most 12 hours'],
  ['08:00', '08:00', 'field-quietFrom-error">Quiet hours can be at most 12 hours'],
])('refuses quiet hours from “%s” until “%s”, and keeps them in the form', async (quietFrom, quietUntil, error) => {
  const reply = await save({ quiet: 'on', quietFrom, quietUntil });
  expect([reply.status, await storedHours()]).toEqual([422, '']);
  for (const text of [error, 'value="on" checked', quietFrom, quietUntil]) expect(reply.html).toContain(text);
});

it('names the channels of the order that reach no customers, because only the dev inbox gets their messages', async () => {
  const { appKey } = await passbell.application({ settings: { channels: ['SMS', 'WHATSAPP'] } });
  const { html } = await owner.get(`/applications/${appKey}/settings/channels`);
  const warning = '<div class="notice warning" role="status"><p>No provider yet for';
  expect(html).toContain(`${warning} SMS and WhatsApp. Passbell skips channels without a provider.`);
  expect(html).toContain('<a href="/dashboard/channels/add">Add a provider</a>');
});

it('only hints at channels of the default order that have no provider, if the first one has a provider', async () => {
  await addGateway(passbell, 'Gateway', { url: 'http://127.0.0.1:9' });
  const { appKey } = await passbell.application();
  const { html } = await owner.get(`/applications/${appKey}/settings/channels`);
  expect(html).toContain('<p class="hint">Passbell skips WhatsApp and voice calls until you add a provider for them.');
  expect(html).not.toContain('No provider yet');
});
