/** What webhooks are told, and how often. */
import { setTimeout as pause } from 'node:timers/promises';
import { checkReply } from '../support/contract.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { CALLBACK_BASE, callBack } from '../support/twilio-callback.js';
import { REFUSALS, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { isSigned, signedAt, startWebhookServer, type WebhookServer } from '../support/webhook-server.js';

let twilio: TwilioServer;
let customer: WebhookServer;
let passbell: TestService;

/** SMS go to Twilio, the other channels to the dev inbox. */
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

type Options = { keys: Awaited<ReturnType<TestService['application']>> };

async function subscribe(events: string[], keys?: Options['keys']): Promise<Options & Body> {
  const options = { keys: keys ?? (await passbell.application(NO_LIMITS)) };
  const { data } = await passbell.post('/webhooks', { url: `${customer.url}/events?shop=1`, events }, options);
  // Long enough that every process knows of it.
  passbell.clock.advance(1000);
  return { ...options, ...data };
}

const order = (to: string, { keys }: Options, orderId = 'A-1', more = {}): Promise<Body> =>
  passbell.post(
    '/notifications/order',
    { to, templateType: 'order_shipped', variables: { orderId }, ...more },
    { keys },
  );

/** Lets time pass, with room for real calls, until something is so. */
async function until(isSo: () => boolean | Promise<boolean>, stepMs = 100): Promise<void> {
  while (!(await isSo())) {
    passbell.clock.advance(stepMs);
    await pause(5);
  }
}

/** Lets so many polls pass. */
async function polls(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    passbell.clock.advance(1000);
    await pause(30);
  }
}

async function waiting(): Promise<number> {
  const db = passbell.openDatabase();
  const [row] = await db('webhook_deliveries').count({ events: '*' });
  await db.destroy();
  return Number(row!.events);
}

it('tells that a message was delivered: signed, masked, with the id of the recent event', async () => {
  const own = await subscribe(['message.delivered']);
  const to = freshMail();
  const { maskId } = (await order(to, own)).data.results[0];
  const createdTime = Math.floor(passbell.clock.now() / 1000);
  await until(() => customer.calls.length > 0);
  const [call] = customer.calls;
  expect(call!.path).toBe('/events?shop=1');
  expect(call!.event).toEqual({
    id: call!.headers['passbell-event-id'],
    event: 'message.delivered',
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
  const { data } = await passbell.get('/webhooks/recent', { event: 'message.delivered' }, own);
  expect(data.events).toEqual([call!.event]);
  await until(async () => (await waiting()) === 0);
  expect(customer.calls).toHaveLength(1);
});

it('tells that a message failed', async () => {
  const own = await subscribe(['message.failed']);
  twilio.answer(REFUSALS.invalidNumber);
  const to = freshPhone();
  await passbell.post('/auth/sendotp', { to, authWay: 'SMS' }, own);
  await until(() => customer.calls.length > 0);
  const { event, data } = customer.calls[0]!.event as Body;
  expect([event, data]).toMatchObject(['message.failed', { state: 'failed', authType: 'Sms', template: 'otp' }]);
  expect(data.maskId).toMatch(/^[0-9a-f]{32}$/);
  expect(data.maskId).not.toBe(data.messageId);
  twilio.answer('accept');
});

/** What Twilio tells of a message that it took as `sid`. */
const report = (id: string, sid: string, MessageStatus: string) =>
  callBack(passbell, id, { MessageSid: sid, MessageStatus }, { authToken: twilio.authToken });

const told = (options: Options, event: string) => passbell.get('/webhooks/recent', { event }, options);

it('takes back that a message was delivered, once, when the provider reports that it was not', async () => {
  const own = await subscribe(['message.delivered', 'message.failed']);
  const sid = `SM${'1'.repeat(32)}`;
  twilio.answer({ status: 201, body: { sid } });
  const { messageId } = (await order(freshPhone(), own, 'A-1', { authWay: 'SMS' })).data.results[0];
  await until(() => customer.calls.length === 1);
  passbell.clock.advance(60_000);
  await Promise.all(Array.from({ length: 5 }, () => report(messageId, sid, 'undelivered')));
  await until(() => customer.calls.length === 2);
  await until(async () => (await waiting()) === 0);
  const events = customer.calls.map(({ event }) => event as Body);
  expect(events).toMatchObject([
    { event: 'message.delivered', data: { messageId, state: 'sent' } },
    { event: 'message.failed', data: { messageId, state: 'undelivered', message: expect.stringMatching(/reports/) } },
  ]);
  expect(events[1]!.id).not.toBe(events[0]!.id);
  expect((await told(own, 'message.failed')).data.events).toEqual([events[1]]);
  expect((await told(own, 'message.delivered')).data.events).toEqual([]);
  twilio.answer('accept');
});

it('never tells that a message was delivered when it knew better, and repeats nothing for a report of a delivery', async () => {
  const own = await subscribe(['message.delivered', 'message.failed']);
  for (const [digit, status, event, state] of [
    ['2', 'undelivered', 'message.failed', 'undelivered'],
    ['3', 'delivered', 'message.delivered', 'sent'],
  ] as const) {
    const sid = `SM${digit.repeat(32)}`;
    twilio.answer(async ({ form }) => {
      await report(form['StatusCallback']!.split('/').at(-1)!, sid, status);
      return { status: 201, body: { sid } };
    });
    const { messageId } = (await order(freshPhone(), own, digit, { authWay: 'SMS' })).data.results[0];
    if (status === 'delivered') await report(messageId, sid, status);
    await until(async () => (await waiting()) === 0);
    expect(customer.calls.at(-1)!.event).toMatchObject({ event, data: { messageId, state } });
    expect((await told(own, event)).data.events).toEqual([customer.calls.at(-1)!.event]);
  }
  expect(customer.calls).toHaveLength(2);
  twilio.answer('accept');
});

it('tells who was verified, once for parallel right codes, and never the code', async () => {
  const own = await subscribe(['message.delivered', 'otp.verified']);
  const to = freshMail();
  const { maskId, code } = await passbell.send(to, { otpLength: 10 }, own);
  const all = await Promise.all(
    Array.from({ length: 6 }, () => passbell.post('/auth/verifyotp', { maskId, otp: code }, own)),
  );
  const { user } = all.find(({ success }) => success).data;
  await until(() => customer.calls.length > 1);
  await until(async () => (await waiting()) === 0);
  expect(customer.calls).toHaveLength(2);
  const [delivered, verified] = customer.calls.map(({ event }) => event as Body);
  expect(delivered).toMatchObject({ event: 'message.delivered', data: { maskId } });
  expect(verified.data).toMatchObject({ maskId, userId: user.userId, channel: 'email', identityType: 'email' });
  for (const { body } of customer.calls) for (const secret of [code, to]) expect(body).not.toContain(secret);
});

it('tells nothing that was not asked for, of no other application, and nothing once it was ended', async () => {
  const own = await subscribe(['otp.verified']);
  const other = { keys: await passbell.application(NO_LIMITS) };
  await order(freshMail(), own);
  await order(freshMail(), other);
  expect(await waiting()).toBe(0);

  const { webhookId } = await subscribe(['message.delivered'], own.keys);
  await order(freshMail(), own, 'A-2');
  expect(await waiting()).toBe(1);
  const ended = await passbell.fetch(`/api/v1/webhooks/${webhookId}`, { method: 'DELETE' }, own);
  await checkReply('delete', '/webhooks/{id}', ended);
  expect(await waiting()).toBe(0);
  passbell.clock.advance(1000);
  await order(freshMail(), own, 'A-3');
  await polls(3);
  expect(customer.calls).toHaveLength(0);
});

it('repeats a refused call with growing pauses: the same event, signed anew', async () => {
  const own = await subscribe(['message.delivered']);
  customer.answer({ status: 500 });
  await order(freshMail(), own);
  const times: number[] = [];
  for (let n = 1; n <= 4; n++) {
    if (n === 4) customer.answer({ status: 200 });
    await until(() => customer.calls.length === n, 1000);
    times.push(signedAt(customer.calls[n - 1]!));
    await until(async () => {
      const [row] = (await passbell.get('/webhooks', {}, own)).data.webhooks;
      return row.failures === n % 4;
    }, 0);
  }
  const pauses = times.slice(1).map((time, n) => time - times[n]!);
  const planned = [5, 30, 120, 600];
  for (const [n, actual] of pauses.entries()) {
    expect(actual).toBeGreaterThanOrEqual(planned[n]!);
    expect(actual).toBeLessThan(planned[n + 1]!);
  }
  expect(new Set(customer.calls.map(({ body }) => body)).size).toBe(1);
  expect(customer.calls.every((call) => isSigned(call, own.secret))).toBe(true);
  await until(async () => (await waiting()) === 0);
});

it('lets one that fails for long rest, then tells it what it missed', async () => {
  const own = await subscribe(['message.delivered']);
  customer.answer({ status: 503 });
  for (let n = 0; n < 12; n++) await order(freshMail(), own, `R-${n}`);
  const failures = async () => (await passbell.get('/webhooks', {}, own)).data.webhooks[0].failures;
  await until(async () => (await failures()) >= 10, 500);
  // The pause after so many failures is longer than the one of a single event.
  await polls(2);
  const before = customer.calls.length;
  customer.answer({ status: 200 });
  await polls(3);
  expect(customer.calls).toHaveLength(before);
  await until(async () => (await waiting()) === 0, 2000);
  expect(new Set(customer.calls.map(({ event }) => event.id)).size).toBe(12);
  expect(await failures()).toBe(0);
});

it('gives an event up after a day', async () => {
  const own = await subscribe(['message.delivered']);
  customer.answer({ status: 500 });
  await order(freshMail(), own);
  await until(() => customer.calls.length === 2, 1000);
  passbell.clock.advance(25 * 3600 * 1000);
  await until(async () => (await waiting()) === 0, 1000);
});

it('does not let a silent one hold up the others', async () => {
  const silent = await subscribe(['message.delivered']);
  customer.answer('silent');
  await order(freshMail(), silent);
  await until(() => customer.calls.length === 1);
  const other = await startWebhookServer();
  const events = ['message.delivered'];
  await passbell.post('/webhooks', { url: other.url, events }, silent);
  passbell.clock.advance(1000);
  await order(freshMail(), silent, 'A-2');
  await until(() => other.calls.length === 1, 50);
  await other.close();
});

it('outlives the process that stored it', async () => {
  const own = await subscribe(['message.delivered']);
  await order(freshMail(), own);
  expect(await waiting()).toBeGreaterThan(0);
  passbell = await passbell.restart();
  await until(() => customer.calls.length > 0);
});
