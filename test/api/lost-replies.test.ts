/** Messages that Twilio accepted although its reply was lost: delivery reports correct the message state once. */
import { retryMessage } from '../support/messages.js';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { CALLBACK_BASE, sendStatusCallback, type CallbackOptions } from '../support/twilio-callback.js';
import { TWILIO_ERRORS, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { startWebhookServer, type WebhookServer } from '../support/webhook-server.js';
import { advancing, until } from '../support/wait.js';

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
});
afterAll(async () => {
  await passbell.stop();
  await Promise.all([twilio.close(), customer.close()]);
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  keys = await passbell.application(NO_LIMITS);
  // A successful send closes circuit breakers that lost replies may have opened.
  passbell.clock.advance(60_000);
  twilio.respondWith('accept');
  for (const authWay of ['SMS', 'VOICE']) await passbell.post('/auth/sendotp', { to: freshPhone(), authWay });
});

const newSid = (kind = 'SM') => `${kind}${randomBytes(16).toString('hex')}`;
const sendReport = (id: string, form: Record<string, string>, options: Partial<CallbackOptions> = {}) =>
  sendStatusCallback(passbell, id, form, { authToken: twilio.authToken, ...options });
const status = (sid: string, MessageStatus: string) => ({ MessageSid: sid, MessageStatus });
const messageOf = async (id: string): Promise<Body> => (await passbell.get(`/messages/${id}`, {}, { keys })).data;
const stateOf = async (id: string): Promise<string> => (await messageOf(id)).state;

/** Sends a message whose reply from Twilio is lost, which leaves the message in the state `failed`. */
async function loseReply(authWay = 'SMS'): Promise<{ id: string; sid: string }> {
  twilio.respondWith('reset');
  const body = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay }, { keys });
  expect(body).toMatchObject({ success: false, code: 'SEND_FAILED' });
  return { id: body.data.results[0].messageId, sid: newSid(authWay === 'VOICE' ? 'CA' : 'SM') };
}
/** Returns the usage counts of the test application. */
async function usageCounts() {
  const application = await passbell.core.applications.service.find(keys.appKey);
  const range = { from: '2027-01-01', to: '2027-12-31' };
  const usage = await passbell.core.usage.service.sums({ applicationIds: [application!.id], ...range }, [
    'day',
    'channel',
  ]);
  return usage.map(({ sent, delivered, undelivered, failed, cost }) => ({
    sent,
    delivered,
    undelivered,
    failed,
    cost: Number(cost),
  }));
}
const NO_COUNTS = { sent: 0, delivered: 0, undelivered: 0, failed: 0, cost: 0 };

const REPORT_ORDERS = [
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
])('a message reported as %s becomes %s and is charged once', async (reported, state, counted) => {
  const { id, sid } = await loseReply();
  expect(await messageOf(id)).toMatchObject({ state: 'failed', charge: '0.0000' });
  expect(await usageCounts()).toEqual([{ ...NO_COUNTS, failed: 1 }]);
  passbell.clock.advance(24 * 3_600_000);
  await Promise.all(Array.from({ length: 5 }, () => sendReport(id, status(sid, reported))));
  expect(await messageOf(id)).toMatchObject({
    state,
    charge: '0.0079',
    attempts: [{ authType: 'Sms', success: true, message: 'sent' }],
  });
  expect(await usageCounts()).toEqual([{ ...NO_COUNTS, sent: 1, cost: 79, ...counted }]);
});

it('a delivery report corrects the state of a voice call', async () => {
  const { id, sid } = await loseReply('VOICE');
  expect(await sendReport(id, { CallSid: sid, CallStatus: 'ringing' })).toBe(204);
  expect(await stateOf(id)).toBe('sent');
});

it.each(REPORT_ORDERS.map((order) => [order.join(', '), order] as const))(
  'a message is delivered and counted once for the reports %s',
  async (_name, order) => {
    const { id, sid } = await loseReply();
    for (const reported of order) expect(await sendReport(id, status(sid, reported))).toBe(204);
    expect(await stateOf(id)).toBe('delivered');
    expect(await usageCounts()).toEqual([{ ...NO_COUNTS, sent: 1, delivered: 1, cost: 79 }]);
  },
);

it('the operator cannot retry a message whose state was corrected', async () => {
  const { id, sid } = await loseReply();
  await sendReport(id, status(sid, 'sent'));
  expect(await retryMessage(passbell, id)).toBe('not failed');
});

it('the reply reports the message as sent if the delivery report arrives before the connection is lost', async () => {
  const sid = newSid();
  twilio.respondWith(async ({ form }) => {
    await sendReport(form['StatusCallback']!.split('/').at(-1)!, status(sid, 'queued'));
    return 'reset' as const;
  });
  const body = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
  expect(body).toMatchObject({ success: true, data: { results: [{ message: 'sent', charge: '0.0079' }] } });
  const { messageId } = body.data.results[0];
  await sendReport(messageId, status(sid, 'delivered'));
  expect(await stateOf(messageId)).toBe('delivered');
  expect(await usageCounts()).toEqual([{ ...NO_COUNTS, sent: 1, delivered: 1, cost: 79 }]);
});

it('a report does not change a message that the provider rejected', async () => {
  twilio.respondWith(TWILIO_ERRORS.invalidNumber);
  const body = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
  const { messageId } = body.data.results[0];
  expect(await sendReport(messageId, status(newSid(), 'delivered'))).toBe(204);
  expect(await messageOf(messageId)).toMatchObject({ state: 'failed', charge: '0.0000' });
  expect(await usageCounts()).toEqual([{ ...NO_COUNTS, failed: 1 }]);
});

it('a report with a wrong signature changes nothing', async () => {
  const { id, sid } = await loseReply();
  expect(await sendReport(id, status(sid, 'delivered'), { authToken: 'f'.repeat(32) })).toBe(403);
  expect(await stateOf(id)).toBe('failed');
});

describe('webhooks', () => {
  /**
   * Subscribes to all message events, loses a reply, sends the reports, and returns the events that the webhook
   * received.
   */
  async function eventsAfterReports(statuses: readonly string[], expected: number): Promise<Body[]> {
    const before = customer.calls.length;
    const events = ['message.accepted', 'message.failed'];
    await passbell.post('/webhooks', { url: `${customer.url}/events`, events }, { keys });
    // Makes the subscription visible to every process.
    passbell.clock.advance(1000);
    const { id, sid } = await loseReply();
    passbell.clock.advance(60_000);
    for (const reported of statuses) await sendReport(id, status(sid, reported));
    await until('an empty outbox', async () => (await countPending()) === 0, advancing(passbell.clock, 100));
    const calls = customer.calls.slice(before);
    expect(calls).toHaveLength(expected);
    return calls.map(({ event }) => event);
  }
  async function countPending(): Promise<number> {
    const db = passbell.openDatabase();
    const [row] = await db('webhook_deliveries').count({ events: '*' });
    await db.destroy();
    return Number(row!.events);
  }
  const recent = async (event: string) => (await passbell.get('/webhooks/recent', { event }, { keys })).data.events;

  it('receive one event for the corrected message, with the same id as in the list of recent events', async () => {
    const events = await eventsAfterReports(['sent', 'sent', 'delivered'], 2);
    const delivered = events.find(({ event }) => event === 'message.accepted');
    expect(events.find(({ event }) => event === 'message.failed')).toMatchObject({ data: { state: 'failed' } });
    expect(delivered).toMatchObject({ data: { state: 'sent', message: 'sent', charge: '0.0079' } });
    expect(await recent('message.accepted')).toEqual([delivered]);
    expect(await recent('message.failed')).toEqual([]);
  });

  it('also receive the event after a report that the message was undelivered', async () => {
    const events = await eventsAfterReports(['undelivered', 'delivered', 'delivered'], 3);
    expect(events.map(({ data }) => data.state).sort()).toEqual(['failed', 'sent', 'undelivered']);
  });
});
