/** `passbell webhook add`, `list` and `remove`, with a running server. */
import { freshMail, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { isSigned, startWebhookServer, type WebhookServer } from '../support/webhook-server.js';
import { advancing, until } from '../support/wait.js';
import { CHANGE_MS, json, run } from './command.js';

let server: TestService;
let customer: WebhookServer;
beforeAll(async () => {
  server = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' });
  customer = await startWebhookServer();
});
afterAll(async () => {
  await server.stop();
  await customer.close();
});

const PUBLIC_URL = 'https://8.8.8.8/events';
const add = (appKey: string, url = PUBLIC_URL, ...events: string[]) =>
  json(server, 'webhook', 'add', appKey, '--url', url, '--event', ...(events.length > 0 ? events : ['otp.verified']));

it('adds, lists and removes a webhook; the list omits the secret', async () => {
  const { appKey } = await server.application();
  expect((await run(server, 'webhook', 'list', appKey)).out).toBe('This application has no webhooks.\n');
  const made = await add(appKey, PUBLIC_URL, 'otp.verified', 'message.failed');
  expect(made).toMatchObject({ url: PUBLIC_URL, events: ['otp.verified', 'message.failed'] });
  expect(await json(server, 'webhook', 'list', appKey)).toEqual([
    { webhookId: made.webhookId, url: PUBLIC_URL, events: made.events, createdTime: expect.any(Number), failures: 0 },
  ]);
  const { out } = await run(server, 'webhook', 'list', appKey);
  expect([out.includes(made.webhookId), out.includes(made.secret)]).toEqual([true, false]);
  expect(await run(server, 'webhook', 'remove', appKey, made.webhookId)).toMatchObject({ code: 0 });
  expect(await json(server, 'webhook', 'list', appKey)).toEqual([]);
  const again = await run(server, 'webhook', 'remove', appKey, made.webhookId);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining(made.webhookId) });
});

it('prints the secret once', async () => {
  const { appKey } = await server.application();
  const { out } = await run(server, 'webhook', 'add', appKey, '--url', PUBLIC_URL, '--event', 'otp.verified');
  expect(out).toMatch(/Secret {3}whsec_[\w+/]{43}= {3}\(shown only once\)/);
});

it.each([
  ['--url', PUBLIC_URL],
  ['--event', 'otp.verified'],
  ['--url', PUBLIC_URL, '--event', 'otp.lost'],
  ['--url', 'shop.example', '--event', 'otp.verified'],
  ['--url', 'http://127.0.0.1/', '--event', 'otp.verified'],
])('rejects %s %s %s %s', async (...options) => {
  const { appKey } = await server.application();
  expect(await run(server, 'webhook', 'add', appKey, ...options)).toMatchObject({ code: 1, out: '' });
  expect(await json(server, 'webhook', 'list', appKey)).toEqual([]);
});

it('fails for an unknown application', async () => {
  const refused = await run(server, 'webhook', 'list', 'pk_nobody');
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('pk_nobody') });
});

it('keeps signing secrets usable if SECRET_KEY is replaced after a reseal', async () => {
  const oldKey = 'o'.repeat(40);
  const newKey = 'n'.repeat(40);
  server = await server.restart({ SECRET_KEY: oldKey });
  const keys = await server.application(NO_LIMITS);
  const events = ['message.accepted'];
  const { data } = await server.post('/webhooks', { url: customer.url, events }, { keys });
  server = await server.restart({ SECRET_KEY: `${newKey},${oldKey}` });
  // The secrets of the other webhooks were sealed with the key in the data folder, which SECRET_KEY does not contain.
  expect(await server.core.webhooks.service.reseal()).toBe(1);
  expect(await server.core.webhooks.service.reseal()).toBe(0);
  server = await server.restart({ SECRET_KEY: newKey });
  server.clock.advance(CHANGE_MS);
  const variables = { orderId: 'A-1' };
  await server.post('/notifications/order', { to: freshMail(), templateType: 'order_shipped', variables }, { keys });
  await until('a webhook call', () => customer.calls.length > 0, advancing(server.clock, 500));
  expect(isSigned(customer.calls[0]!, data.secret)).toBe(true);
});
