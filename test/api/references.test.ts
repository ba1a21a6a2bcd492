/** `reference`: the caller's own reference of a code or a notification. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { checkReply } from '../support/contract.js';
import { startTwilioServer, TWILIO_ERRORS, type TwilioServer } from '../support/twilio-server.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { until } from '../support/wait.js';

let twilio: TwilioServer;
let passbell: TestService;
let keys: TestService['keys'];
beforeAll(async () => {
  twilio = await startTwilioServer();
  passbell = await startService({
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    PROVIDER_TIMEOUT_MS: '60000',
    WEBHOOKS_ALLOW_PRIVATE: 'true',
  });
});
beforeEach(async () => {
  keys = await passbell.application(NO_LIMITS);
  twilio.respondWith('accept');
});
afterAll(async () => {
  await twilio.close();
  await passbell.stop();
});

const sendCode = (parameters: object, headers: Record<string, string> = {}): Promise<Body> =>
  passbell.post('/auth/sendotp', { to: freshMail(), ...parameters }, { keys, headers });
const sendOrder = (parameters: object, headers: Record<string, string> = {}): Promise<Body> =>
  passbell.post(
    '/notifications/order',
    { to: freshMail(), templateType: 'order_shipped', variables: { orderId: 'A-1' }, ...parameters },
    { keys, headers },
  );
const resultOf = (reply: Body) => reply.data.results[0];
const messageOf = async (messageId: string): Promise<Body> =>
  (await passbell.get(`/messages/${messageId}`, {}, { keys })).data;
async function find(query: Record<string, string>): Promise<string[]> {
  const reply = await passbell.get('/messages', query, { keys });
  return reply.data.messages.map(({ messageId }: Body) => messageId);
}
const recent = async (event: string): Promise<Body[]> =>
  (await passbell.get('/webhooks/recent', { event }, { keys })).data.events;

it('is in the message, the code and the events of a code, and only there', async () => {
  const to = freshMail();
  const reply = await sendCode({ to, reference: 'A-1001' });
  const { messageId, maskId } = resultOf(reply);
  expect(JSON.stringify(reply)).not.toContain('A-1001');
  expect(await messageOf(messageId)).toMatchObject({ reference: 'A-1001' });
  const path = `/auth/otp/${maskId}`;
  const code: Body = await checkReply('get', path, await passbell.fetch(`/api/v1${path}`, {}, { keys }));
  expect(code.data).toMatchObject({ state: 'pending', reference: 'A-1001' });
  expect(await recent('message.accepted')).toMatchObject([{ data: { maskId, reference: 'A-1001' } }]);
  const otp = await passbell.codeFor(to);
  await passbell.post('/auth/verifyotp', { maskId, otp }, { keys });
  expect(await recent('otp.verified')).toMatchObject([{ data: { maskId, reference: 'A-1001' } }]);
});

it('is in the message and the events of a notification; without it, the field is missing', async () => {
  const { messageId } = resultOf(await sendOrder({ reference: ' order 7 ' }));
  const { messageId: other } = resultOf(await sendOrder({}));
  expect(await messageOf(messageId)).toMatchObject({ reference: 'order 7' });
  expect(await messageOf(other)).not.toHaveProperty('reference');
  const events = await recent('message.accepted');
  expect(events.map(({ data }) => data.reference).sort()).toEqual(['order 7', undefined]);
});

it('is in the status of a code for a test recipient, to whom nothing is sent', async () => {
  const application = { ...NO_LIMITS, settings: { testRecipients: { '+14155550199': '123456' } } };
  keys = await passbell.application(application);
  const { maskId } = resultOf(await sendCode({ to: '+14155550199', reference: 'T-1' }));
  const response = await passbell.fetch(`/api/v1/auth/otp/${maskId}`, {}, { keys });
  expect(((await response.json()) as Body).data).toMatchObject({ messageId: '', reference: 'T-1' });
});

it.each([['x'.repeat(65)], ['tab\there'], ['línea'], ['a\u202eb'], [{}], [['A-1']], [true]])(
  'rejects %p',
  async (reference) => {
    expect(await sendCode({ reference })).toMatchObject({ code: 'INVALID_PARAMETER', field: 'reference' });
    expect(await sendOrder({ reference })).toMatchObject({ code: 'INVALID_PARAMETER', field: 'reference' });
  },
);

it('may be a number or empty, and loses spaces at its start and end', async () => {
  const to = freshMail();
  expect(await messageOf(resultOf(await sendCode({ to, reference: ' M 1 ' })).messageId)).toMatchObject({
    reference: 'M 1',
  });
  expect(await find({ to, reference: 'M 1 ' })).toHaveLength(1);
  expect(await messageOf(resultOf(await sendCode({ reference: 1001 })).messageId)).toMatchObject({ reference: '1001' });
  expect(await messageOf(resultOf(await sendCode({ reference: ' ' })).messageId)).not.toHaveProperty('reference');
});

describe('the list of messages', () => {
  it('finds messages by reference, in the same case, newest first and page by page', async () => {
    const ids: string[] = [];
    for (const reference of ['A-1', 'A-1', 'a-1', 'A-10', 'A-1']) {
      passbell.clock.advance(1000);
      ids.unshift(resultOf(await sendCode({ reference })).messageId);
    }
    const found = [ids[0], ids[3], ids[4]];
    expect(await find({ reference: 'A-1' })).toEqual(found);
    expect(await find({ reference: 'a-1' })).toEqual([ids[2]]);
    expect(await find({ reference: 'A-2' })).toEqual([]);
    expect(await find({ reference: 'A-1', limit: '2', after: ids[0]! })).toEqual(found.slice(1));
    expect(await passbell.get('/messages', { reference: 'x'.repeat(65) }, { keys })).toMatchObject({
      code: 'INVALID_PARAMETER',
      field: 'reference',
    });
  });

  it('combines it with recipient, channel and state, also of open messages', async () => {
    const to = freshPhone();
    const sent = resultOf(await sendCode({ to, authWay: 'SMS', reference: 'B' })).messageId;
    twilio.respondWith(TWILIO_ERRORS.invalidNumber);
    const failed = resultOf(await sendCode({ to, authWay: 'SMS', reference: 'B' })).messageId;
    const mail = resultOf(await sendCode({ reference: 'B' })).messageId;
    await sendCode({ to, authWay: 'SMS', reference: 'C' });
    expect(await find({ reference: 'B', to })).toEqual(expect.arrayContaining([sent, failed]));
    expect(await find({ reference: 'B', authWay: 'EMAIL' })).toEqual([mail]);
    expect(await find({ reference: 'B', state: 'failed' })).toEqual([failed]);
    expect(await find({ reference: 'B', state: 'sent', to })).toEqual([sent]);
    let accept!: (behavior: 'accept') => void;
    twilio.respondWith(() => new Promise((resolve) => (accept = resolve)));
    const requests = twilio.requests.length;
    const open = ['D', 'E'].map((reference) => sendCode({ to: freshPhone(), authWay: 'SMS', reference }));
    await twilio.waitForRequest(requests + 2);
    expect(await find({ state: 'sending', reference: 'D' })).toHaveLength(1);
    expect(await find({ state: 'sending', reference: 'B' })).toEqual([]);
    twilio.respondWith('accept');
    accept('accept');
    passbell.clock.advance(120_000);
    await Promise.all(open);
  });

  it("does not find another application's messages", async () => {
    await sendCode({ reference: 'F' });
    keys = await passbell.application(NO_LIMITS);
    expect(await find({ reference: 'F' })).toEqual([]);
  });

  it('finds refused sends', async () => {
    keys = await passbell.application({ ...NO_LIMITS, settings: { countries: ['DE'] } });
    expect(await sendCode({ to: freshPhone(), reference: 'G' })).toMatchObject({ success: false });
    expect(await sendOrder({ to: freshPhone(), reference: 'G' })).toMatchObject({ success: false });
    await until('two refused messages', async () => (await find({ reference: 'G', state: 'refused' })).length === 2);
  });
});

it('is part of a request with an Idempotency-Key only if it is set', async () => {
  const to = freshMail();
  const headers = { 'Idempotency-Key': 'reference-1' };
  const first = resultOf(await sendCode({ to, reference: 'H' }, headers));
  expect(resultOf(await sendCode({ to, reference: 'H' }, headers))).toEqual(first);
  for (const parameters of [{ to }, { to, reference: 'I' }])
    expect(await sendCode(parameters, headers)).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  const order = { 'Idempotency-Key': 'reference-2' };
  await sendOrder({ to, reference: 'H' }, order);
  expect(await sendOrder({ to, reference: 'I' }, order)).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
});

it('does not make a repeated notification a new one', async () => {
  keys = await passbell.application();
  const to = freshMail();
  expect(await sendOrder({ to, reference: 'J' })).toMatchObject({ success: true });
  expect(await sendOrder({ to, reference: 'K' })).toMatchObject({ code: 'DUPLICATE_NOTIFICATION' });
});

it('is erased with the recipient', async () => {
  const to = freshMail();
  const { messageId, maskId } = resultOf(await sendCode({ to, reference: 'L-4711' }));
  await sendOrder({ to, reference: 'L-4711' });
  const application = await passbell.core.applications.service.load(keys.appKey);
  await passbell.core.erasure.service.erase(OPERATOR, [application], to);
  expect(await find({ reference: 'L-4711' })).toEqual([]);
  expect(await messageOf(messageId)).not.toHaveProperty('reference');
  const db = passbell.openDatabase();
  for (const table of ['messages', 'otp_sessions']) expect(await db(table).where({ reference: 'L-4711' })).toEqual([]);
  expect(await db('otp_sessions').where({ mask_id: maskId })).toHaveLength(1);
  await db.destroy();
});
