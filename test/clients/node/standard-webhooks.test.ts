/** The Standard Webhooks library verifies webhook calls, and signs events for incoming hooks. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { OPERATOR } from '../../../backend/src/modules/access/actor.js';
import { createTestClock } from '../../support/clock.js';
import { root } from '../../support/process.js';
import { freshPhone, startService, type TestService } from '../../support/service.js';
import { advancing, until } from '../../support/wait.js';
import { isSigned, startWebhookServer, type WebhookServer } from '../../support/webhook-server.js';

interface Library {
  readonly Webhook: new (secret: string) => {
    verify(body: string, headers: object): unknown;
    sign(id: string, time: Date, body: string): string;
  };
  readonly WebhookVerificationError: new () => Error;
}
const toolbox = createRequire(join(root, '.cache/node-client/package.json'));
const { Webhook, WebhookVerificationError } = toolbox('standardwebhooks') as Library;

let passbell: TestService;
let shop: WebhookServer;
beforeAll(async () => {
  // The library uses the system clock.
  const clock = createTestClock(Math.floor(Date.now() / 1000) * 1000);
  passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' }, { clock });
  shop = await startWebhookServer();
});
afterAll(async () => {
  await shop.close();
  await passbell.stop();
});

it('the library verifies every attempt, and all attempts have the same id', async () => {
  // The first attempt fails, so the event is sent again.
  shop.respondWith(() => ({ status: shop.calls.length === 1 ? 500 : 204 }));
  const { data } = await passbell.post('/webhooks', { url: shop.url, events: ['message.accepted'] });
  await passbell.send(freshPhone());
  await until('a second attempt', () => shop.calls.length === 2, advancing(passbell.clock, 1000));
  const ids = shop.calls.map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([shop.calls[0]!.event.id, shop.calls[0]!.event.id]);
  const times = shop.calls.map(({ headers }) => Number(headers['webhook-timestamp']));
  expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(5);

  const library = new Webhook(data.secret);
  for (const call of shop.calls) {
    expect(library.verify(call.body, call.headers)).toEqual(call.event);
    expect(isSigned(call, data.secret)).toBe(true);
  }
  const [{ body, headers }] = shop.calls as [(typeof shop.calls)[number]];
  for (const [changedBody, changedHeaders, secret] of [
    [`${body} `, headers, data.secret],
    [body, { ...headers, 'webhook-id': 'EVT-other' }, data.secret],
    [body, { ...headers, 'webhook-timestamp': headers['webhook-timestamp'] + '0' }, data.secret],
    [body, headers, `whsec_${Buffer.alloc(32).toString('base64')}`],
  ] as const)
    expect(() => new Webhook(secret).verify(changedBody, changedHeaders)).toThrow(WebhookVerificationError);
});

it('an incoming hook accepts events that the library has signed', async () => {
  const { applications, automations } = passbell.core;
  const application = await applications.service.load(passbell.keys.appKey);
  const { publicId, secret } = await automations.service.connect(OPERATOR, application, 'json');
  const time = new Date(passbell.clock.now());
  const body = JSON.stringify({ event: 'parcel.ready' });
  const post = async (id: string) => {
    const signature = new Webhook(secret!).sign('evt-1', time, body);
    const t = String(time.getTime() / 1000);
    const signed = { 'webhook-signature': signature };
    const headers = { 'webhook-id': id, 'webhook-timestamp': t, ...signed };
    return (await passbell.fetch(`/hooks/incoming/${publicId}`, { method: 'POST', body }, { headers })).status;
  };
  expect([await post('evt-1'), await post('evt-2')]).toEqual([200, 401]);
});
