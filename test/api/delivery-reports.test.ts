/** What Twilio reports of messages that it accepted: signed, in any order, any number of times. */
import { randomBytes } from 'node:crypto';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { CALLBACK_BASE, callBack, type CallbackOptions } from '../support/twilio-callback.js';
import { startTwilioServer, type TwilioServer } from '../support/twilio-server.js';

let twilio: TwilioServer;
let passbell: TestService;
let keys: TestService['keys'];
beforeAll(async () => {
  twilio = await startTwilioServer();
  passbell = await startService({
    BASE_URL: CALLBACK_BASE,
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_VOICE_FROM: '+14155550100',
  });
}, 60_000);
afterAll(async () => {
  await passbell.stop();
  await twilio.close();
});
beforeEach(async () => {
  twilio.answer(() => ({ status: 201, body: { sid: newSid() } }));
  keys = await passbell.application(NO_LIMITS);
});

const newSid = (kind = 'SM') => `${kind}${randomBytes(16).toString('hex')}`;

/** Sends one message; answers its id and Twilio's. */
async function send(authWay = 'SMS'): Promise<{ id: string; sid: string }> {
  const sid = newSid(authWay === 'VOICE' ? 'CA' : 'SM');
  twilio.answer({ status: 201, body: { sid } });
  const body = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay }, { keys });
  return { id: body.data.results[0].messageId, sid };
}

const tell = (id: string, form: Record<string, string>, options: Partial<CallbackOptions> = {}) =>
  callBack(passbell, id, form, { authToken: twilio.authToken, ...options });
const status = (sid: string, MessageStatus: string) => ({
  AccountSid: twilio.accountSid,
  MessageSid: sid,
  MessageStatus,
});
const messageOf = async (id: string): Promise<Body> => (await passbell.get(`/messages/${id}`, {}, { keys })).data;
const stateOf = async (id: string): Promise<string> => (await messageOf(id)).state;

/** What was counted for the application of this test. */
async function counts() {
  const application = await passbell.service.applications.find(keys.appKey);
  const usage = await passbell.service.messages.usage({
    applicationId: application!.id,
    from: '2027-01-01',
    to: '2027-12-31',
  });
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

it('asks Twilio to report to the address of the message, on SMS and on calls', async () => {
  for (const authWay of ['SMS', 'VOICE']) {
    const { id } = await send(authWay);
    expect(twilio.requests.at(-1)!.form['StatusCallback']).toBe(`${CALLBACK_BASE}/callbacks/twilio/${id}`);
  }
});

it('shows a message as delivered, and when', async () => {
  const { id, sid } = await send();
  const { finishedTime } = await messageOf(id);
  passbell.clock.advance(7000);
  expect(await tell(id, status(sid, 'delivered'))).toBe(204);
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
])('a message that Twilio calls %s is %s', async (told, state) => {
  const { id, sid } = await send();
  expect(await tell(id, status(sid, told))).toBe(204);
  expect(await stateOf(id)).toBe(state);
});

it.each([
  ['in-progress', 'sent'],
  ['completed', 'delivered'],
  ['busy', 'undelivered'],
  ['no-answer', 'undelivered'],
])('a call that Twilio calls %s is %s', async (CallStatus, state) => {
  const { id, sid } = await send('VOICE');
  expect(await tell(id, { CallSid: sid, CallStatus })).toBe(204);
  expect(await stateOf(id)).toBe(state);
});

describe('reports that come doubled, late and in any order', () => {
  it.each(
    permutations(['sent', 'undelivered', 'delivered', 'delivered']).map((order) => [order.join(', '), order] as const),
  )('end in the same state, counted once: %s', async (_name, order) => {
    const { id, sid } = await send();
    for (const told of order) expect(await tell(id, status(sid, told))).toBe(204);
    expect(await stateOf(id)).toBe('delivered');
    expect(await counts()).toMatchObject([{ sent: 1, delivered: 1, undelivered: 0 }]);
  });

  it('are counted once when all come at one time, on every process', async () => {
    const { id, sid } = await send();
    const all = ['delivered', 'undelivered', 'sent', 'delivered'].flatMap((told) => Array<string>(5).fill(told));
    expect(new Set(await Promise.all(all.map((told) => tell(id, status(sid, told)))))).toEqual(new Set([204]));
    expect(await stateOf(id)).toBe('delivered');
    expect(await counts()).toMatchObject([{ sent: 1, delivered: 1, undelivered: 0 }]);
  });

  it('do not move the time of the delivery', async () => {
    const { id, sid } = await send();
    await tell(id, status(sid, 'delivered'));
    const { deliveredTime } = await messageOf(id);
    passbell.clock.advance(60_000);
    for (const told of ['delivered', 'undelivered', 'read']) await tell(id, status(sid, told));
    expect(await messageOf(id)).toMatchObject({ state: 'delivered', deliveredTime });
  });

  it('count on the day on which the message was sent', async () => {
    const { id, sid } = await send();
    const [before] = await counts();
    passbell.clock.advance(24 * 3_600_000);
    await tell(id, status(sid, 'delivered'));
    expect(await counts()).toEqual([{ ...before, delivered: 1 }]);
  });

  it('are kept when they are quicker than our own note that it was sent', async () => {
    const sid = newSid();
    const replies: number[] = [];
    twilio.answer(async ({ form }) => {
      const id = form['StatusCallback']!.split('/').at(-1)!;
      for (const told of ['delivered', 'undelivered']) replies.push(await tell(id, status(sid, told)));
      return { status: 201, body: { sid } };
    });
    const body = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
    expect(body).toMatchObject({ success: true, data: { results: [{ message: 'sent' }] } });
    expect(replies).toEqual([204, 204]);
    expect(await stateOf(body.data.results[0].messageId)).toBe('delivered');
    expect(await counts()).toMatchObject([{ sent: 1, delivered: 1, undelivered: 0 }]);
  });

  it('of something else that was so quick are dropped', async () => {
    twilio.answer(async ({ form }) => {
      await tell(form['StatusCallback']!.split('/').at(-1)!, status(newSid(), 'delivered'));
      return { status: 201, body: { sid: newSid() } };
    });
    const body = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
    const message = await messageOf(body.data.results[0].messageId);
    expect(message.state).toBe('sent');
    expect(message).not.toHaveProperty('deliveredTime');
    expect(await counts()).toMatchObject([{ sent: 1, delivered: 0 }]);
  });
});

describe('a call-back that changes nothing', () => {
  const right = (sid: string) => status(sid, 'delivered');
  const forgeries: [string, (id: string) => Partial<CallbackOptions>][] = [
    ['without a signature', () => ({ signature: undefined })],
    ['with an empty one', () => ({ signature: '' })],
    ['with one that is none', () => ({ signature: 'x'.repeat(28) })],
    ['with one of another account', () => ({ authToken: 'f'.repeat(32) })],
    ['signed for another message', () => ({ url: `${CALLBACK_BASE}/callbacks/twilio/${'0'.repeat(32)}` })],
    ['signed for another address', (id) => ({ url: `https://evil.example/callbacks/twilio/${id}` })],
    [
      'signed for the host that it claims to call',
      (id) => ({
        url: `https://evil.example/callbacks/twilio/${id}`,
        headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' },
      }),
    ],
  ];
  it.each(forgeries)('is one %s: 403', async (_name, options) => {
    const { id, sid } = await send();
    expect(await tell(id, right(sid), options(id))).toBe(403);
    expect(await stateOf(id)).toBe('sent');
    expect(await counts()).toMatchObject([{ sent: 1, delivered: 0 }]);
  });

  it('is one whose fields are not those that were signed: 403', async () => {
    const { id, sid } = await send();
    const path = `/callbacks/twilio/${id}`;
    const { twilioSignature } = await import('../support/twilio-callback.js');
    const signature = twilioSignature(twilio.authToken, `${CALLBACK_BASE}${path}`, status(sid, 'sent'));
    expect(await tell(id, right(sid), { signature })).toBe(403);
    expect(await tell(id, { ...status(sid, 'sent'), More: '1' }, { signature })).toBe(403);
    expect(await stateOf(id)).toBe('sent');
  });

  it('is one of another message at Twilio, though signed', async () => {
    const { id } = await send();
    expect(await tell(id, right(newSid()))).toBe(204);
    expect(await stateOf(id)).toBe('sent');
    expect(await counts()).toMatchObject([{ sent: 1, delivered: 0 }]);
  });

  it('is one of a message that is not known any more', async () => {
    expect(await tell('0'.repeat(32), right(newSid()))).toBe(204);
  });

  it('is one whose address names no message: 403', async () => {
    for (const id of ['x', '%00', 'A'.repeat(32)]) expect(await tell(id, right(newSid()))).toBe(403);
  });

  it('is a body that is too long: 413', async () => {
    const { id, sid } = await send();
    expect(await tell(id, { ...right(sid), More: 'x'.repeat(70_000) })).toBe(413);
    expect(await stateOf(id)).toBe('sent');
  });

  it('is any other method: 404', async () => {
    const { id } = await send();
    expect((await passbell.fetch(`/callbacks/twilio/${id}`)).status).toBe(404);
  });
});
