/** A slow or broken webhook server delays neither the webhooks of other applications nor the shutdown. */
import { freshMail, NO_LIMITS, startService, type CallOptions, type TestService } from '../support/service.js';
import { startWebhookServer, type WebhookBehavior, type WebhookServer } from '../support/webhook-server.js';
import { advancing, until } from '../support/wait.js';

/** The maximum number of webhooks of an application. A process calls fewer webhooks in parallel. */
const HOSTILE_WEBHOOKS = 50;

const switchProtocolsReply = {
  raw: 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
};

let passbell: TestService;
let server: WebhookServer;
let running: boolean;
beforeEach(async () => {
  server = await startWebhookServer();
  passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' });
  running = true;
});
afterEach(async () => {
  if (running) await passbell.stop();
  await server.close();
});

async function createSubscriber(path: string, count: number): Promise<CallOptions> {
  const options = { keys: await passbell.application(NO_LIMITS) };
  for (let n = 0; n < count; n++)
    await passbell.post('/webhooks', { url: `${server.url}${path}${n}`, events: ['message.accepted'] }, options);
  // Processes cache an application's subscribers for one second.
  passbell.clock.advance(1000);
  return options;
}

const sendNotification = (options: CallOptions) =>
  passbell.post(
    '/notifications/order',
    { to: freshMail(), templateType: 'order_shipped', variables: { orderId: 'A-1' } },
    options,
  );

const advanceUntil = (what: string, condition: () => boolean): Promise<boolean> =>
  until(what, condition, advancing(passbell.clock, 500));

const callsTo = (path: string) => server.calls.filter((call) => call.path.startsWith(path));

it.each<[string, WebhookBehavior]>([
  ['never reply', 'silent'],
  ['reply slowly', { raw: 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx' }],
  ['switch protocols', switchProtocolsReply],
])('fifty webhooks of one application that %s do not delay another application', async (_case, hostile) => {
  const attacker = await createSubscriber('/hostile/', HOSTILE_WEBHOOKS);
  const shop = await createSubscriber('/shop/', 1);
  server.respondWith(({ path }) => (path.startsWith('/hostile/') ? hostile : { status: 204 }));
  await sendNotification(attacker);
  await advanceUntil('a call of the hostile webhook', () => callsTo('/hostile/').length > 0);
  await sendNotification(shop);
  await advanceUntil('a call of the shop webhook', () => callsTo('/shop/').length > 0);
  // In a first-in, first-out order, the shop's webhook would be called last. Replies that switch protocols
  // end a call too quickly to check the order.
  if (hostile !== switchProtocolsReply)
    expect(new Set(callsTo('/hostile/').map(({ path }) => path)).size).toBeLessThan(HOSTILE_WEBHOOKS);
});

it.each<[string, WebhookBehavior]>([
  ['switches protocols', switchProtocolsReply],
  ['never replies', 'silent'],
])('a webhook that %s does not delay the shutdown', async (_case, hostile) => {
  const attacker = await createSubscriber('/hostile/', 4);
  server.respondWith(hostile);
  await sendNotification(attacker);
  await advanceUntil('four calls of the hostile webhook', () => callsTo('/hostile/').length >= 4);
  running = false;
  await passbell.stop();
});
