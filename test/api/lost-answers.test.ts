/** Messages that Twilio took while its answer was lost: its reports tell, and what was said of them is put right, once. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { CALLBACK_BASE, callBack, type CallbackOptions } from '../support/twilio-callback.js';
import { REFUSALS, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { startWebhookServer, type WebhookServer } from '../support/webhook-server.js';

let folder: string;
let twilio: TwilioServer;
let customer: WebhookServer;
let passbell: TestService;
let keys: TestService['keys'];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'passbell-prices-'));
  const prices = join(folder, 'prices.json');
  writeFileSync(prices, JSON.stringify({ currency: 'usd', prices: { SMS: { '*': '0.0079' } } }));
  twilio = await startTwilioServer();
  customer = await startWebhookServer();
  passbell = await startService({
    BASE_URL: CALLBACK_BASE,
    PRICES_FILE: prices,
    WEBHOOKS_ALLOW_PRIVATE: 'true',
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_VOICE_FROM: '+14155550100',
  });
}, 60_000);
afterAll(async () => {
  await passbell.stop();
  await Promise.all([twilio.close(), customer.close()]);
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  keys = await passbell.application(NO_LIMITS);
  // A provider that keeps failing rests; one that succeeds is forgiven.
  passbell.clock.advance(60_000);
  twilio.answer('accept');
  for (const authWay of ['SMS', 'VOICE']) await passbell.post('/auth/sendotp', { to: freshPhone(), authWay });
});

const newSid = (kind = 'SM') => `${kind}${randomBytes(16).toString('hex')}`;
const tell = (id: string, form: Record<string, string>, options: Partial<CallbackOptions> = {}) =>
  callBack(passbell, id, form, { authToken: twilio.authToken, ...options });
const status = (sid: string, MessageStatus: string) => ({ MessageSid: sid, MessageStatus });
const messageOf = async (id: string): Promise<Body> => (await passbell.get(`/messages/${id}`, {}, { keys })).data;
const stateOf = async (id: string): Promise<string> => (await messageOf(id)).state;

/** One that failed, as far as anybody could tell then. */
async function lose(authWay = 'SMS'): Promise<{ id: string; sid: string }> {
  twilio.answer('reset');
  const body = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay }, { keys });
  expect(body).toMatchObject({ success: false, code: 'SEND_FAILED' });
  return { id: body.data.results[0].messageId, sid: newSid(authWay === 'VOICE' ? 'CA' : 'SM') };
}
/** What was counted for the application of this test. */
async function counts() {
  const application = await passbell.service.applications.find(keys.appKey);
  const range = { from: '2027-01-01', to: '2027-12-31' };
  const usage = await passbell.service.messages.usage({ applicationId: application!.id, ...range });
  return usage.map(({ sent, delivered, undelivered, failed, cost }) => ({
    ...{ sent, delivered, undelivered, failed },
    cost: Number(cost),
  }));
}
const COUNTED = { sent: 0, delivered: 0, undelivered: 0, failed: 0, cost: 0 };

const ORDERS = [
  ['sent', 'undelivered', 'delivered'],
  ['sent', 'delivered', 'undelivered'],
  ['undelivered', 'sent', 'delivered'],
  ['undelivered', 'delivered', 'sent'],
  ['delivered', 'sent', 'undelivered'],
  ['delivered', 'undelivered', 'sent'],
];

it.each([
  ['queued', 'sent', {}],
  ['sent', 'sent', {}],
  ['delivered', 'delivered', { delivered: 1 }],
  ['undelivered', 'undelivered', { undelivered: 1 }],
])('is %s: told so, it is %s, and is paid once', async (told, state, counted) => {
  const { id, sid } = await lose();
  expect(await messageOf(id)).toMatchObject({ state: 'failed', charge: '0.0000' });
  expect(await counts()).toEqual([{ ...COUNTED, failed: 1 }]);
  passbell.clock.advance(24 * 3_600_000);
  await Promise.all(Array.from({ length: 5 }, () => tell(id, status(sid, told))));
  expect(await messageOf(id)).toMatchObject({
    state,
    charge: '0.0079',
    attempts: [{ authType: 'Sms', success: true, message: 'sent' }],
  });
  expect(await counts()).toEqual([{ ...COUNTED, sent: 1, cost: 79, ...counted }]);
});

it('is a call as well', async () => {
  const { id, sid } = await lose('VOICE');
  expect(await tell(id, { CallSid: sid, CallStatus: 'ringing' })).toBe(204);
  expect(await stateOf(id)).toBe('sent');
});

it.each(ORDERS.map((order) => [order.join(', '), order] as const))(
  'ends delivered and counted once, whatever the order: %s',
  async (_name, order) => {
    const { id, sid } = await lose();
    for (const told of order) expect(await tell(id, status(sid, told))).toBe(204);
    expect(await stateOf(id)).toBe('delivered');
    expect(await counts()).toEqual([{ ...COUNTED, sent: 1, delivered: 1, cost: 79 }]);
  },
);

it('is not sent again by the operator', async () => {
  const { id, sid } = await lose();
  await tell(id, status(sid, 'sent'));
  expect(await passbell.service.messages.retry(id)).toBe(false);
});

it('is known to be sent when the report was quicker than the loss, and the caller is told so', async () => {
  const sid = newSid();
  twilio.answer(async ({ form }) => {
    await tell(form['StatusCallback']!.split('/').at(-1)!, status(sid, 'queued'));
    return 'reset' as const;
  });
  const body = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
  expect(body).toMatchObject({ success: true, data: { results: [{ message: 'sent', charge: '0.0079' }] } });
  const { messageId } = body.data.results[0];
  await tell(messageId, status(sid, 'delivered'));
  expect(await stateOf(messageId)).toBe('delivered');
  expect(await counts()).toEqual([{ ...COUNTED, sent: 1, delivered: 1, cost: 79 }]);
});

it('is none that the provider refused: a report of that changes nothing', async () => {
  twilio.answer(REFUSALS.invalidNumber);
  const body = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
  const { messageId } = body.data.results[0];
  expect(await tell(messageId, status(newSid(), 'delivered'))).toBe(204);
  expect(await messageOf(messageId)).toMatchObject({ state: 'failed', charge: '0.0000' });
  expect(await counts()).toEqual([{ ...COUNTED, failed: 1 }]);
});

it('stays failed after a report with a wrong signature', async () => {
  const { id, sid } = await lose();
  expect(await tell(id, status(sid, 'delivered'), { authToken: 'f'.repeat(32) })).toBe(403);
  expect(await stateOf(id)).toBe('failed');
});

describe('webhooks', () => {
  /** Subscribes to both, loses a message, reports on it, and answers what was told. */
  async function toldOf(statuses: readonly string[], expected: number): Promise<Body[]> {
    const before = customer.calls.length;
    const events = ['message.delivered', 'message.failed'];
    await passbell.post('/webhooks', { url: `${customer.url}/events`, events }, { keys });
    // Long enough that every process knows of it.
    passbell.clock.advance(1000);
    const { id, sid } = await lose();
    passbell.clock.advance(60_000);
    for (const told of statuses) await tell(id, status(sid, told));
    while ((await waiting()) > 0) {
      passbell.clock.advance(100);
      await pause(5);
    }
    const calls = customer.calls.slice(before);
    expect(calls).toHaveLength(expected);
    return calls.map(({ event }) => event);
  }
  async function waiting(): Promise<number> {
    const db = passbell.openDatabase();
    const [row] = await db('webhook_deliveries').count({ events: '*' });
    await db.destroy();
    return Number(row!.events);
  }
  const recent = async (event: string) => (await passbell.get('/webhooks/recent', { event }, { keys })).data.events;

  it('are told once that it was delivered after all, with the id of the recent event', async () => {
    const events = await toldOf(['sent', 'sent', 'delivered'], 2);
    const delivered = events.find(({ event }) => event === 'message.delivered');
    expect(events.find(({ event }) => event === 'message.failed')).toMatchObject({ data: { state: 'failed' } });
    expect(delivered).toMatchObject({ data: { state: 'sent', message: 'sent', charge: '0.0079' } });
    expect(await recent('message.delivered')).toEqual([delivered]);
    expect(await recent('message.failed')).toEqual([]);
  });

  it('are told so also when a report that it was not came in between', async () => {
    const events = await toldOf(['undelivered', 'delivered', 'delivered'], 3);
    expect(events.map(({ data }) => data.state).sort()).toEqual(['failed', 'sent', 'undelivered']);
  });
});
