/** Webhook events: contents, retries and duplicates. */
import type { Database } from '../../backend/src/platform/db/database.js';
import { checkReply } from '../support/contract.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { CALLBACK_BASE, sendStatusCallback } from '../support/twilio-callback.js';
import { TWILIO_ERRORS, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { isSigned, signedAt, startWebhookServer, type WebhookServer } from '../support/webhook-server.js';
import { advancing, until } from '../support/wait.js';

let twilio: TwilioServer;
let customer: WebhookServer;
let passbell: TestService;

/** SMS messages are sent through Twilio; all other channels use the dev inbox. */
const settings = () => ({
  BASE_URL: CALLBACK_BASE,
  WEBHOOKS_ALLOW_PRIVATE: 'true',
  TWILIO_API_URL: twilio.url,
  TWILIO_ACCOUNT_SID: twilio.accountSid,
  TWILIO_AUTH_TOKEN: twilio.authToken,
  TWILIO_SMS_FROM: '+14155550100',
});

beforeAll(async () => {
  twilio = await startTwilioServer();
  passbell = await startService(settings());
});
afterAll(async () => {
  await passbell.stop();
  await twilio.close();
});
beforeEach(async () => void (customer = await startWebhookServer()));
afterEach(() => customer.close());

type KeysOption = { keys: Awaited<ReturnType<TestService['application']>> };

async function subscribe(events: string[], keys?: KeysOption['keys']): Promise<KeysOption & Body> {
  const options = { keys: keys ?? (await passbell.application(NO_LIMITS)) };
  const { data } = await passbell.post('/webhooks', { url: `${customer.url}/events?shop=1`, events }, options);
  // Waits until the cached subscribers have expired in every process.
  passbell.clock.advance(1000);
  return { ...options, ...data };
}

const order = (to: string, { keys }: KeysOption, orderId = 'A-1', more = {}): Promise<Body> =>
  passbell.post(
    '/notifications/order',
    { to, templateType: 'order_shipped', variables: { orderId }, ...more },
    { keys },
  );

/** Advances the clock until the server has received this many calls. */
const waitForCalls = (count: number, stepMs = 100, server = customer) =>
  until(`webhook call ${count}`, () => server.calls.length >= count, advancing(passbell.clock, stepMs));

async function query<T>(read: (db: Database) => Promise<T>): Promise<T> {
  const db = passbell.openDatabase();
  return read(db).finally(() => db.destroy());
}

const countPending = () =>
  query(async (db) => Number((await db('webhook_deliveries').count({ events: '*' }))[0]!.events));

/** Advances the clock until every event is sent or dropped. */
const waitForEmptyOutbox = (stepMs = 100) =>
  until('an empty outbox', async () => (await countPending()) === 0, advancing(passbell.clock, stepMs));

it('sends message.accepted: signed, with a masked recipient, and with the same id as in the list of recent events', async () => {
  const own = await subscribe(['message.accepted']);
  const to = freshMail();
  const { maskId } = (await order(to, own)).data.results[0];
  const createdTime = Math.floor(passbell.clock.now() / 1000);
  await waitForCalls(1);
  const [call] = customer.calls;
  expect(call!.path).toBe('/events?shop=1');
  expect(call!.event).toEqual({
    id: call!.headers['passbell-event-id'],
    event: 'message.accepted',
    createdTime,
    data: {
      messageId: maskId,
      maskId,
      authType: 'Email',
      to: expect.stringMatching(/^pe\*\*\*@example\.com$/),
      state: 'sent',
      template: 'order_shipped',
      charge: '0.0000',
      currency: 'usd',
      message: 'sent',
    },
  });
  expect(isSigned(call!, own.secret)).toBe(true);
  expect(isSigned({ ...call!, body: `${call!.body} ` }, own.secret)).toBe(false);
  expect(call!.body).not.toContain(to);
  const { data } = await passbell.get('/webhooks/recent', { event: 'message.accepted' }, own);
  expect(data.events).toEqual([call!.event]);
  await waitForEmptyOutbox();
  expect(customer.calls).toHaveLength(1);
});

it('sends message.failed when the provider rejects a message', async () => {
  const own = await subscribe(['message.failed']);
  twilio.respondWith(TWILIO_ERRORS.invalidNumber);
  const to = freshPhone();
  await passbell.post('/auth/sendotp', { to, authWay: 'SMS' }, own);
  await waitForCalls(1);
  const { event, data } = customer.calls[0]!.event as Body;
  expect([event, data]).toMatchObject(['message.failed', { state: 'failed', authType: 'Sms', template: 'otp' }]);
  expect(data.maskId).toMatch(/^[0-9a-f]{32}$/);
  expect(data.maskId).not.toBe(data.messageId);
  twilio.respondWith('accept');
});

/** Sends a Twilio delivery report for a message. */
const sendReport = (id: string, sid: string, MessageStatus: string) =>
  sendStatusCallback(passbell, id, { MessageSid: sid, MessageStatus }, { authToken: twilio.authToken });

const recentEvents = (options: KeysOption, event: string) => passbell.get('/webhooks/recent', { event }, options);

it('sends message.failed once if the provider reports a delivered message as undelivered', async () => {
  const own = await subscribe(['message.accepted', 'message.failed']);
  const sid = `SM${'1'.repeat(32)}`;
  twilio.respondWith({ status: 201, body: { sid } });
  const { messageId } = (await order(freshPhone(), own, 'A-1', { authWay: 'SMS' })).data.results[0];
  await waitForCalls(1);
  passbell.clock.advance(60_000);
  await Promise.all(Array.from({ length: 5 }, () => sendReport(messageId, sid, 'undelivered')));
  await waitForCalls(2);
  await waitForEmptyOutbox();
  const events = customer.calls.map(({ event }) => event as Body);
  expect(events).toMatchObject([
    { event: 'message.accepted', data: { messageId, state: 'sent' } },
    { event: 'message.failed', data: { messageId, state: 'undelivered', message: expect.stringMatching(/reports/) } },
  ]);
  expect(events[1]!.id).not.toBe(events[0]!.id);
  expect((await recentEvents(own, 'message.failed')).data.events).toEqual([events[1]]);
  expect((await recentEvents(own, 'message.accepted')).data.events).toEqual([]);
  twilio.respondWith('accept');
});

it('sends a single event about the delivery if the report arrives before the send is recorded', async () => {
  const own = await subscribe(['message.delivered', 'message.failed']);
  for (const [digit, status, event, state] of [
    ['2', 'undelivered', 'message.failed', 'undelivered'],
    ['3', 'delivered', 'message.delivered', 'delivered'],
  ] as const) {
    const sid = `SM${digit.repeat(32)}`;
    twilio.respondWith(async ({ form }) => {
      await sendReport(form['StatusCallback']!.split('/').at(-1)!, sid, status);
      return { status: 201, body: { sid } };
    });
    const { messageId } = (await order(freshPhone(), own, digit, { authWay: 'SMS' })).data.results[0];
    if (status === 'delivered') await sendReport(messageId, sid, status);
    await waitForEmptyOutbox();
    expect(customer.calls.at(-1)!.event).toMatchObject({ event, data: { messageId, state } });
    expect((await recentEvents(own, event)).data.events).toEqual([customer.calls.at(-1)!.event]);
  }
  expect(customer.calls).toHaveLength(2);
  twilio.respondWith('accept');
});

it('sends otp.verified once for parallel correct codes, without the code', async () => {
  const own = await subscribe(['message.accepted', 'otp.verified']);
  const to = freshMail();
  const { maskId, code } = await passbell.send(to, { otpLength: 10 }, own);
  const all = await Promise.all(
    Array.from({ length: 6 }, () => passbell.post('/auth/verifyotp', { maskId, otp: code }, own)),
  );
  const { user } = all.find(({ success }) => success).data;
  await waitForCalls(2);
  await waitForEmptyOutbox();
  expect(customer.calls).toHaveLength(2);
  const [delivered, verified] = customer.calls.map(({ event }) => event as Body);
  expect(delivered).toMatchObject({ event: 'message.accepted', data: { maskId } });
  expect(verified.data).toMatchObject({ maskId, userId: user.userId, channel: 'email', identityType: 'email' });
  for (const { body } of customer.calls) for (const secret of [code, to]) expect(body).not.toContain(secret);
});

it('a webhook receives only subscribed events of its application, and no events after its removal', async () => {
  const own = await subscribe(['otp.verified']);
  const other = { keys: await passbell.application(NO_LIMITS) };
  await order(freshMail(), own);
  await order(freshMail(), other);
  expect(await countPending()).toBe(0);
  expect(customer.calls).toHaveLength(0);

  // A call may start at once: refused, the event stays pending.
  customer.respondWith({ status: 500 });
  const { webhookId } = await subscribe(['message.accepted'], own.keys);
  await order(freshMail(), own, 'A-2');
  expect(await countPending()).toBe(1);
  const removed = await passbell.fetch(`/api/v1/webhooks/${webhookId}`, { method: 'DELETE' }, own);
  await checkReply('delete', '/webhooks/{id}', removed);
  expect(await countPending()).toBe(0);
  passbell.clock.advance(1000);
  const { maskId } = (await order(freshMail(), own, 'A-3')).data.results[0];
  expect(await countPending()).toBe(0);
  expect(customer.calls.map(({ event }) => (event as Body).data.maskId)).not.toContain(maskId);
});

it('retries a failed call with increasing delays, using the same event and a new signature', async () => {
  const own = await subscribe(['message.accepted']);
  customer.respondWith({ status: 500 });
  await order(freshMail(), own);
  const failures = async () => (await passbell.get('/webhooks', {}, own)).data.webhooks[0].failures;
  await waitForCalls(1, 1000);
  for (const [n, pauseSeconds] of [5, 30, 120].entries()) {
    await until(`failure ${n + 1}`, async () => (await failures()) === n + 1);
    // The test clock does not advance while a call is in progress.
    const due = await query(async (db) => Number((await db('webhook_deliveries').first()).due_at));
    expect((due - passbell.clock.now()) / 1000).toBe(pauseSeconds);
    if (n === 2) customer.respondWith({ status: 200 });
    await waitForCalls(n + 2, 1000);
    expect(signedAt(customer.calls[n + 1]!)).toBeGreaterThanOrEqual(Math.floor(due / 1000));
  }
  expect(new Set(customer.calls.map(({ body }) => body)).size).toBe(1);
  expect(customer.calls.every((call) => isSigned(call, own.secret))).toBe(true);
  await waitForEmptyOutbox();
});

it('pauses a webhook that keeps failing, then sends the missed events', async () => {
  const own = await subscribe(['message.accepted']);
  customer.respondWith({ status: 503 });
  for (let n = 0; n < 12; n++) await order(freshMail(), own, `R-${n}`);
  const failures = async () => (await passbell.get('/webhooks', {}, own)).data.webhooks[0].failures;
  const pausedUntil = () =>
    query(async (db) => Number((await db('webhooks').where({ webhook_id: own.webhookId }).first()).rests_until));
  const isPaused = async () => (await pausedUntil()) > passbell.clock.now() + 60_000;
  await until('the pause of the webhook', isPaused, advancing(passbell.clock, 500));
  await until('the end of all calls', async () => (await failures()) === customer.calls.length);
  const before = customer.calls.length;
  customer.respondWith({ status: 200 });

  // The webhook's pause is longer than the retry delay of an event, so events are already due. A call to another
  // webhook shows that the outbox was polled in the meantime.
  passbell.clock.advance((await pausedUntil()) - passbell.clock.now() - 10_000);
  const other = await startWebhookServer();
  const otherKeys = await passbell.application(NO_LIMITS);
  await passbell.post('/webhooks', { url: other.url, events: ['message.accepted'] }, { keys: otherKeys });
  passbell.clock.advance(1000);
  for (let n = 1; n <= 2; n++) {
    await order(freshMail(), { keys: otherKeys }, `O-${n}`);
    passbell.clock.advance(1000);
    await until(`call ${n} to another webhook`, () => other.calls.length >= n);
  }
  expect(customer.calls).toHaveLength(before);
  await waitForEmptyOutbox(2000);
  await other.close();
  expect(new Set(customer.calls.map(({ event }) => event.id)).size).toBe(12);
  expect(await failures()).toBe(0);
});

it('drops an event after a day', async () => {
  const own = await subscribe(['message.accepted']);
  customer.respondWith({ status: 500 });
  await order(freshMail(), own);
  await waitForCalls(2, 1000);
  passbell.clock.advance(25 * 3600 * 1000);
  await waitForEmptyOutbox(1000);
});

it('a webhook is not delayed by another webhook that does not respond', async () => {
  const silent = await subscribe(['message.accepted']);
  customer.respondWith('silent');
  await order(freshMail(), silent);
  await waitForCalls(1);
  const other = await startWebhookServer();
  const events = ['message.accepted'];
  await passbell.post('/webhooks', { url: other.url, events }, silent);
  passbell.clock.advance(1000);
  await order(freshMail(), silent, 'A-2');
  await waitForCalls(1, 50, other);
  await other.close();
});

it('sends stored events after a restart', async () => {
  const own = await subscribe(['message.accepted']);
  await order(freshMail(), own);
  expect(await countPending()).toBeGreaterThan(0);
  passbell = await passbell.restart();
  await waitForCalls(1);
});
