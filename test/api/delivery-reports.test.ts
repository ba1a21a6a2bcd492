/** Twilio's delivery reports: valid and forged signatures, and reports that arrive late, repeatedly or out of order. */
import { randomBytes } from 'node:crypto';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { CALLBACK_BASE, sendStatusCallback, type CallbackOptions } from '../support/twilio-callback.js';
import { startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { advancing, settled, until } from '../support/wait.js';

let twilio: TwilioServer;
let passbell: TestService;
let keys: TestService['keys'];
beforeAll(async () => {
  twilio = await startTwilioServer();
  passbell = await startService({
    BASE_URL: CALLBACK_BASE,
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
  await twilio.close();
});
beforeEach(async () => {
  twilio.respondWith(() => ({ status: 201, body: { sid: newSid() } }));
  keys = await passbell.application(NO_LIMITS);
});

const newSid = (kind = 'SM') => `${kind}${randomBytes(16).toString('hex')}`;

/** Sends one message. Returns its id and its Twilio sid. */
async function send(authWay = 'SMS'): Promise<{ id: string; sid: string }> {
  const sid = newSid(authWay === 'VOICE' ? 'CA' : 'SM');
  twilio.respondWith({ status: 201, body: { sid } });
  const body = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay }, { keys });
  return { id: body.data.results[0].messageId, sid };
}

const sendReport = (id: string, form: Record<string, string>, options: Partial<CallbackOptions> = {}) =>
  sendStatusCallback(passbell, id, form, { authToken: twilio.authToken, ...options });
const status = (sid: string, MessageStatus: string) => ({
  AccountSid: twilio.accountSid,
  MessageSid: sid,
  MessageStatus,
});
const messageOf = async (id: string): Promise<Body> => (await passbell.get(`/messages/${id}`, {}, { keys })).data;
const stateOf = async (id: string): Promise<string> => (await messageOf(id)).state;

/** Returns the usage counts of the test application. */
async function usageCounts() {
  const application = await passbell.core.applications.service.find(keys.appKey);
  const range = { applicationIds: [application!.id], from: '2027-01-01', to: '2027-12-31' };
  const usage = await passbell.core.usage.service.sums(range, ['day', 'channel']);
  return usage.map(({ day, channel, sent, delivered, undelivered }) => ({
    day,
    channel,
    sent,
    delivered,
    undelivered,
  }));
}

const permutations = <T>(items: readonly T[]): T[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item, at) =>
        permutations([...items.slice(0, at), ...items.slice(at + 1)]).map((rest) => [item, ...rest]),
      );

it('passes Twilio the callback URL of the message, for SMS and calls', async () => {
  for (const authWay of ['SMS', 'VOICE']) {
    const { id } = await send(authWay);
    expect(twilio.requests.at(-1)!.form['StatusCallback']).toBe(`${CALLBACK_BASE}/callbacks/twilio/${id}`);
  }
});

it('records that a message was delivered, and the delivery time', async () => {
  const { id, sid } = await send();
  const { finishedTime } = await messageOf(id);
  passbell.clock.advance(7000);
  expect(await sendReport(id, status(sid, 'delivered'))).toBe(204);
  expect(await messageOf(id)).toMatchObject({ state: 'delivered', finishedTime, deliveredTime: finishedTime + 7 });
});

it.each([
  ['sent', 'sent'],
  ['queued', 'sent'],
  ['nonsense', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['undelivered', 'undelivered'],
  ['failed', 'undelivered'],
  ['canceled', 'undelivered'],
])('maps the message status %s to %s', async (reported, state) => {
  const { id, sid } = await send();
  expect(await sendReport(id, status(sid, reported))).toBe(204);
  expect(await stateOf(id)).toBe(state);
});

it.each([
  ['in-progress', 'sent'],
  ['completed', 'delivered'],
  ['busy', 'undelivered'],
  ['no-answer', 'undelivered'],
])('maps the call status %s to %s', async (CallStatus, state) => {
  const { id, sid } = await send('VOICE');
  expect(await sendReport(id, { CallSid: sid, CallStatus })).toBe(204);
  expect(await stateOf(id)).toBe(state);
});

describe('duplicate, late and unordered reports', () => {
  it.each(
    permutations(['sent', 'undelivered', 'delivered', 'delivered']).map((order) => [order.join(', '), order] as const),
  )('result in the same state and are counted once: %s', async (_name, order) => {
    const { id, sid } = await send();
    for (const reported of order) expect(await sendReport(id, status(sid, reported))).toBe(204);
    expect(await stateOf(id)).toBe('delivered');
    expect(await usageCounts()).toMatchObject([{ sent: 1, delivered: 1, undelivered: 0 }]);
  });

  it('are counted once when they arrive in parallel on every process', async () => {
    const { id, sid } = await send();
    const all = ['delivered', 'undelivered', 'sent', 'delivered'].flatMap((reported) =>
      Array<string>(5).fill(reported),
    );
    expect(new Set(await Promise.all(all.map((reported) => sendReport(id, status(sid, reported)))))).toEqual(
      new Set([204]),
    );
    expect(await stateOf(id)).toBe('delivered');
    expect(await usageCounts()).toMatchObject([{ sent: 1, delivered: 1, undelivered: 0 }]);
  });

  it('do not change the delivery time', async () => {
    const { id, sid } = await send();
    await sendReport(id, status(sid, 'delivered'));
    const { deliveredTime } = await messageOf(id);
    passbell.clock.advance(61_000);
    for (const reported of ['delivered', 'undelivered', 'read']) await sendReport(id, status(sid, reported));
    expect(await messageOf(id)).toMatchObject({ state: 'delivered', deliveredTime });
  });

  it('are counted on the day of the send', async () => {
    const { id, sid } = await send();
    const [before] = await usageCounts();
    passbell.clock.advance(24 * 3_600_000);
    await sendReport(id, status(sid, 'delivered'));
    expect(await usageCounts()).toEqual([{ ...before, delivered: 1 }]);
  });

  it('are applied when they arrive before the send is recorded', async () => {
    const sid = newSid();
    const replies: number[] = [];
    twilio.respondWith(async ({ form }) => {
      const id = form['StatusCallback']!.split('/').at(-1)!;
      for (const reported of ['delivered', 'undelivered']) replies.push(await sendReport(id, status(sid, reported)));
      return { status: 201, body: { sid } };
    });
    const body = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
    expect(body).toMatchObject({ success: true, data: { results: [{ message: 'sent' }] } });
    expect(replies).toEqual([204, 204]);
    expect(await stateOf(body.data.results[0].messageId)).toBe('delivered');
    expect(await usageCounts()).toMatchObject([{ sent: 1, delivered: 1, undelivered: 0 }]);
  });

  it('are ignored if they arrive before the send is recorded and have a different sid', async () => {
    twilio.respondWith(async ({ form }) => {
      await sendReport(form['StatusCallback']!.split('/').at(-1)!, status(newSid(), 'delivered'));
      return { status: 201, body: { sid: newSid() } };
    });
    const body = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
    const message = await messageOf(body.data.results[0].messageId);
    expect(message.state).toBe('sent');
    expect(message).not.toHaveProperty('deliveredTime');
    expect(await usageCounts()).toMatchObject([{ sent: 1, delivered: 0 }]);
  });
});

describe('a Twilio callback', () => {
  const delivered = (sid: string) => status(sid, 'delivered');
  const forgeries: [string, (id: string) => Partial<CallbackOptions>][] = [
    ['without a signature', () => ({ signature: undefined })],
    ['with an empty signature', () => ({ signature: '' })],
    ['with a malformed signature', () => ({ signature: 'x'.repeat(28) })],
    ['signed by another account', () => ({ authToken: 'f'.repeat(32) })],
    ['signed for another message', () => ({ url: `${CALLBACK_BASE}/callbacks/twilio/${'0'.repeat(32)}` })],
    ['signed for another host', (id) => ({ url: `https://evil.example/callbacks/twilio/${id}` })],
    [
      'signed for a forged forwarded host',
      (id) => ({
        url: `https://evil.example/callbacks/twilio/${id}`,
        headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' },
      }),
    ],
  ];
  it.each(forgeries)('is rejected with 403: %s', async (_name, options) => {
    const { id, sid } = await send();
    expect(await sendReport(id, delivered(sid), options(id))).toBe(403);
    expect(await stateOf(id)).toBe('sent');
    expect(await usageCounts()).toMatchObject([{ sent: 1, delivered: 0 }]);
  });

  it('is rejected with 403 if its fields differ from the signed fields', async () => {
    const { id, sid } = await send();
    const path = `/callbacks/twilio/${id}`;
    const { twilioSignature } = await import('../support/twilio-callback.js');
    const signature = twilioSignature(twilio.authToken, `${CALLBACK_BASE}${path}`, status(sid, 'sent'));
    expect(await sendReport(id, delivered(sid), { signature })).toBe(403);
    expect(await sendReport(id, { ...status(sid, 'sent'), More: '1' }, { signature })).toBe(403);
    expect(await stateOf(id)).toBe('sent');
  });

  it('is ignored if it is for another Twilio message, despite a valid signature', async () => {
    const { id } = await send();
    expect(await sendReport(id, delivered(newSid()))).toBe(204);
    expect(await stateOf(id)).toBe('sent');
    expect(await usageCounts()).toMatchObject([{ sent: 1, delivered: 0 }]);
  });

  it('is ignored if it is for an unknown message', async () => {
    expect(await sendReport('0'.repeat(32), delivered(newSid()))).toBe(204);
  });

  it('is rejected with 403 if its path contains an invalid message id', async () => {
    for (const id of ['x', '%00', 'A'.repeat(32)]) expect(await sendReport(id, delivered(newSid()))).toBe(403);
  });

  it('is rejected with 413 if its body is too large', async () => {
    const { id, sid } = await send();
    expect(await sendReport(id, { ...delivered(sid), More: 'x'.repeat(1_100_000) })).toBe(413);
    expect(await stateOf(id)).toBe('sent');
  });

  it('is rejected with 404 if its method is not POST', async () => {
    const { id } = await send();
    expect((await passbell.fetch(`/callbacks/twilio/${id}`)).status).toBe(404);
  });
});

describe('webhooks', () => {
  /** Creates a webhook that does not respond, so that its events stay in the outbox. */
  async function subscribe(...events: string[]): Promise<string> {
    const { data } = await passbell.post('/webhooks', { url: 'http://127.0.0.1:9/events', events }, { keys });
    // Makes the webhook visible to every process.
    passbell.clock.advance(1000);
    return data.webhookId;
  }

  async function withDatabase<T>(work: (db: ReturnType<TestService['openDatabase']>) => Promise<T>): Promise<T> {
    const db = passbell.openDatabase();
    return work(db).finally(() => db.destroy());
  }

  const eventsFor = (webhookId: string): Promise<Body[]> =>
    withDatabase(async (db) => {
      const { id } = await db('webhooks').where({ webhook_id: webhookId }).first('id');
      const bodies: string[] = await db('webhook_deliveries').where({ webhook_id: id }).orderBy('id').pluck('body');
      return bodies.map((body) => JSON.parse(body));
    });
  const recent = async (event: string): Promise<Body[]> =>
    (await passbell.get('/webhooks/recent', { event }, { keys })).data.events;

  it('get message.accepted for the send, and message.delivered once for the report', async () => {
    const webhookId = await subscribe('message.accepted', 'message.delivered');
    const { id: messageId, sid } = await send();
    passbell.clock.advance(60_000);
    await Promise.all(Array.from({ length: 5 }, () => sendReport(messageId, status(sid, 'delivered'))));
    const events = await eventsFor(webhookId);
    expect(events).toMatchObject([
      { event: 'message.accepted', data: { messageId, state: 'sent' } },
      { event: 'message.delivered', data: { messageId, state: 'delivered' } },
    ]);
    expect(await recent('message.accepted')).toEqual([events[0]]);
    expect(await recent('message.delivered')).toEqual([events[1]]);
  });

  it('of an earlier version get message.delivered for the send, also after a change of their events', async () => {
    const webhookId = await subscribe('message.failed');
    await withDatabase((db) =>
      db('webhooks').where({ webhook_id: webhookId }).update({ events: '["message.delivered"]' }),
    );
    const application = await passbell.core.applications.service.load(keys.appKey);
    await passbell.core.webhooks.service.setEvents(OPERATOR, application, webhookId, [
      'message.delivered',
      'otp.verified',
    ]);
    const [webhook] = (await passbell.get('/webhooks', {}, { keys })).data.webhooks;
    expect(webhook.events).toEqual(['message.delivered', 'otp.verified']);
    const { id: messageId, sid } = await send();
    await sendReport(messageId, status(sid, 'delivered'));
    const [accepted] = await recent('message.accepted');
    expect(await eventsFor(webhookId)).toEqual([{ ...accepted, event: 'message.delivered' }]);
  });
});

it.each([
  ['502', 'failed'],
  ['503', 'queued'],
])(
  'a message that Twilio accepts despite replying %s, and reports before a retry, is sent once',
  async (httpStatus, state) => {
    const before = twilio.requests.filter(({ method }) => method === 'POST').length;
    twilio.respondWith({ status: Number(httpStatus), body: '', headers: { 'Retry-After': '60' } });
    // A reply that waits for a retry takes `SEND_WAIT_MS`.
    const reply = passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
    await until('the reply', settled(reply), advancing(passbell.clock, 100));
    const [message] = (await passbell.get('/messages', {}, { keys })).data.messages;
    expect(message.state).toBe(state);
    expect(await sendReport(message.messageId, status(newSid(), 'delivered'))).toBe(204);
    twilio.respondWith('accept');
    passbell.clock.advance(60_000);
    expect(await messageOf(message.messageId)).toMatchObject({ state: 'delivered' });
    await passbell.core.messages.service.checkBacklog();
    expect(twilio.requests.filter(({ method }) => method === 'POST').length - before).toBe(1);
  },
);
