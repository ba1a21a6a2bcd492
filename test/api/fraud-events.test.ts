/**
 * The webhook event `fraud.paused`: stored with the pause, sent once for all processes, and only to its subscribers.
 */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { HOUR } from '../../backend/src/platform/clock.js';
import { numbers, SEEN_MS, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import type { Body } from '../support/service.js';
import { startWebhookServer, type WebhookServer } from '../support/webhook-server.js';
import { advancing, until } from '../support/wait.js';

const PREFIX = '+141555511';

let customer: WebhookServer;
let service: GuardedService;
beforeEach(async () => {
  customer = await startWebhookServer();
  service = await startGuardedService({ WEBHOOKS_ALLOW_PRIVATE: 'true' });
});
afterEach(async () => {
  await service.close();
  await customer.close();
});

async function subscribe(...events: string[]): Promise<void> {
  const { passbell, keys } = service;
  await passbell.post('/webhooks', { url: customer.url, events }, { keys });
  passbell.clock.advance(SEEN_MS);
}

/** Sends so many codes to numbers with the prefix that the next code to this prefix triggers a pause. */
async function attack(): Promise<void> {
  await service.learnConversion();
  for (const { success } of await service.sendToAll(numbers(PREFIX, 10))) expect(success).toBe(true);
}

/**
 * Sends codes in both processes at the same time, so that several sends decide to pause before the first pause is
 * stored.
 */
async function sendAtOnce(first: number): Promise<void> {
  const { passbell, keys } = service;
  const application = await passbell.core.applications.service.load(keys.appKey);
  const request = { otpLength: 6, expiry: 5 } as const;
  const sendHere = (to: string) =>
    passbell.core.otp.service
      .send(application, { ...request, to }, { idempotencyKey: undefined, requestId: to })
      .catch((error: unknown) => error);
  const here = numbers(PREFIX, 4, first);
  const there = numbers(PREFIX, 4, first + 4);
  const replies = await Promise.all([...here.map(sendHere), ...there.map((to) => service.send(to))]);
  for (const reply of replies) expect(reply).toMatchObject({ code: 'FRAUD_SUSPECTED' });
}

async function act(key: string, action: 'pause' | 'resume'): Promise<void> {
  const { passbell, keys } = service;
  const application = await passbell.core.applications.service.load(keys.appKey);
  await passbell.core.fraud.pauses.act(OPERATOR, application, { scope: 'country', key }, action);
}

async function waitForEmptyOutbox(): Promise<void> {
  const db = service.passbell.openDatabase();
  const isEmpty = async () => (await db('webhook_deliveries').first()) === undefined;
  await until('an empty outbox', isEmpty, advancing(service.passbell.clock, 100));
  await db.destroy();
}

const events = (): Body[] => customer.calls.map(({ event }) => event);

it('the event is sent once for a pause that several processes detect, with the reason and its figures', async () => {
  const { passbell, keys } = service;
  await service.verify(`${PREFIX}99`);
  await subscribe('fraud.paused');
  await attack();
  const pausedAt = Math.floor(passbell.clock.now() / 1000);
  await sendAtOnce(50);
  await waitForEmptyOutbox();
  const [paused] = events();
  expect(events()).toHaveLength(1);
  expect(paused).toEqual({
    id: customer.calls[0]!.headers['passbell-event-id'],
    event: 'fraud.paused',
    createdTime: pausedAt,
    data: {
      appKey: keys.appKey,
      application: 'Another Shop',
      scope: 'prefix',
      key: PREFIX.slice(0, -2),
      rule: 'prefix',
      level: 1,
      isChallenged: false,
      sent: 10,
      verified: 0,
      reason:
        'In 1 minute, 10 of 10 recipients whose numbers start with +1415555 did not enter their code; up to 5 would be normal.',
      since: expect.any(Number),
      until: pausedAt + 3600,
    },
  });
  expect(paused.data.since).toBeGreaterThan(pausedAt - 60);

  await service.restart();
  service.passbell.clock.advance(HOUR);
  expect(await service.send(`${PREFIX}60`)).toMatchObject({ success: true });
  service.passbell.clock.advance(SEEN_MS);
  await service.sendToAll(numbers(PREFIX, 2, 70));
  await sendAtOnce(80);
  await waitForEmptyOutbox();
  expect(events()).toMatchObject([{ id: paused.id }, { data: { level: 2 } }]);
  const { data } = await service.passbell.get('/webhooks/recent', { event: 'fraud.paused' }, { keys });
  expect(data.events).toEqual(events().reverse());
});

it('the event is stored only together with the pause', async () => {
  await subscribe('fraud.paused');
  await attack();
  const db = service.passbell.openDatabase();
  const stored = async () => [
    (await db('fraud_scopes')).length,
    (await db('fraud_notices')).length,
    (await db('webhook_deliveries').where('body', 'like', '%fraud.paused%')).length,
  ];
  await db.schema.renameTable('webhook_deliveries', 'unwritable');
  // The message is refused, although the pause cannot be stored.
  expect(await service.send(`${PREFIX}50`)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
  await db.schema.renameTable('unwritable', 'webhook_deliveries');
  expect(await stored()).toEqual([0, 0, 0]);
  expect(service.passbell.logged.join('\n')).toContain('the fraud guard cannot store a pause');
  await service.send(`${PREFIX}51`);
  expect((await stored()).slice(0, 2)).toEqual([1, 1]);
  await db.destroy();
  await waitForEmptyOutbox();
  expect(events()).toHaveLength(1);
});

it('the event is sent for a manual pause, which has no end time, and is not sent when the pause is lifted', async () => {
  await subscribe('fraud.paused');
  await act('CA', 'pause');
  await act('CA', 'resume');
  await act('US', 'pause');
  await waitForEmptyOutbox();
  expect(events().map(({ data }) => data.key)).toEqual(['CA', 'US']);
  expect(events()[1].data).toMatchObject({
    scope: 'country',
    rule: 'person',
    level: 0,
    reason: 'Messages to recipients in the United States were paused manually.',
    sent: 0,
    verified: 0,
    since: null,
    until: null,
  });
});

it('the event is not sent to webhooks that subscribe to other events', async () => {
  await subscribe('message.accepted', 'message.failed', 'otp.verified');
  await act('US', 'pause');
  const db = service.passbell.openDatabase();
  expect(await db('webhook_deliveries').select('body')).toEqual([]);
  await db.destroy();
});
