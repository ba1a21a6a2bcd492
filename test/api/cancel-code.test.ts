/** The messages of codes that are canceled or verified before a provider has accepted them: they are not sent any more. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { Message } from '../../backend/src/modules/messages/message.js';
import { readMessage } from '../support/another-way.js';
import { checkReply } from '../support/contract.js';
import { startTwilioServer, TWILIO_ERRORS, type TwilioBehavior, type TwilioServer } from '../support/twilio-server.js';
import { freshPhone, NO_SEND_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { storedUsage } from '../support/usage.js';
import { until } from '../support/wait.js';

const OTP = '482913';

let twilio: TwilioServer;
let passbell: TestService;
let keys: TestService['keys'];
/** Credentials of another application. */
let others: TestService['keys'];
beforeAll(async () => {
  twilio = await startTwilioServer();
  passbell = await startService({
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    PROVIDER_TIMEOUT_MS: '60000',
    SEND_WAIT_MS: '0',
  });
  others = await passbell.application(NO_SEND_LIMITS);
});
beforeEach(async () => {
  keys = await passbell.application(NO_SEND_LIMITS);
  twilio.respondWith('accept');
  twilio.forgetRequests();
});
afterAll(async () => {
  await twilio.close();
  await passbell.stop();
});

interface SentCode {
  readonly maskId: string;
  readonly messageId: string;
}

async function send(to = freshPhone(), headers: Record<string, string> = {}): Promise<SentCode> {
  const reply = await passbell.post('/auth/sendotp', { to, authWay: 'SMS', otp: OTP }, { keys, headers });
  return reply.data.results[0];
}

const read = ({ messageId }: SentCode): Promise<Message> => readMessage(passbell, keys, messageId);
/** Keeps the circuit breaker of each process closed. */
async function closeCircuits(): Promise<void> {
  const own = keys;
  keys = others;
  for (let n = 0; n < passbell.cores.length; n++) await reaches(await send(), 'sent');
  keys = own;
}

const reaches = (code: SentCode, state: Message['state']) =>
  until(`the state ${state}`, async () => (await read(code)).state === state);

async function codeCall(method: 'get' | 'delete', { maskId }: SentCode): Promise<Body> {
  const path = `/auth/otp/${maskId}`;
  const response = await passbell.fetch(`/api/v1${path}`, { method: method.toUpperCase() }, { keys });
  const reply: Body = await checkReply(method, path, response);
  return reply.data;
}
const cancel = (code: SentCode): Promise<Body> => codeCall('delete', code);
const verify = ({ maskId }: SentCode): Promise<Body> =>
  passbell.post('/auth/verifyotp', { maskId, otp: OTP }, { keys });

/** Sends a code whose first attempt fails, so that its message waits for a retry. */
async function sendWaiting(to?: string, headers?: Record<string, string>): Promise<SentCode> {
  await closeCircuits();
  twilio.respondWith(TWILIO_ERRORS.unavailable);
  const code = await send(to, headers);
  await reaches(code, 'queued');
  twilio.respondWith('accept');
  twilio.forgetRequests();
  return code;
}

/** Gives every worker the opportunity to send the message. */
async function deliverAgain({ messageId }: SentCode): Promise<void> {
  passbell.clock.advance(60_000);
  for (const core of passbell.cores) {
    await core.messages.sweep();
    await core.messages.deliver({ id: messageId, channel: 'SMS' });
  }
}

async function usage() {
  const days = { from: '2027-01-01', to: '2027-12-31' };
  return storedUsage(passbell, keys.appKey, days, []);
}
const messageOf = async ({ messageId }: SentCode): Promise<Body> =>
  (await passbell.get(`/messages/${messageId}`, {}, { keys })).data;

it('a message that waits for a retry is canceled with its code, and costs nothing', async () => {
  const code = await sendWaiting();
  expect(await cancel(code)).toMatchObject({ state: 'canceled', messageState: 'canceled' });
  await deliverAgain(code);
  expect(twilio.requests).toEqual([]);
  expect(await messageOf(code)).toMatchObject({
    state: 'canceled',
    charge: '0.0000',
    finishedTime: expect.any(Number),
  });
  expect((await read(code)).payload).toBeNull();
  expect(await usage()).toEqual([]);
  expect((await passbell.get('/messages', { state: 'canceled' }, { keys })).data.messages).toHaveLength(1);
});

it('a message is canceled when its code is verified by other means', async () => {
  const code = await sendWaiting();
  expect(await verify(code)).toMatchObject({ success: true });
  await deliverAgain(code);
  expect(twilio.requests).toEqual([]);
  expect(await messageOf(code)).toMatchObject({ state: 'canceled', charge: '0.0000' });
});

it("a message is canceled when another code of its recipient is verified, which ends the message's code", async () => {
  const to = freshPhone();
  const first = await send(to);
  await reaches(first, 'sent');
  const second = await sendWaiting(to);
  expect(await verify(first)).toMatchObject({ success: true });
  await deliverAgain(second);
  expect(twilio.requests).toEqual([]);
  expect(await codeCall('get', second)).toMatchObject({ state: 'canceled', messageState: 'canceled' });
});

it('a person cannot send the message of a canceled code again after it has failed', async () => {
  twilio.respondWith(TWILIO_ERRORS.invalidNumber);
  const code = await send();
  await reaches(code, 'failed');
  expect(await cancel(code)).toMatchObject({ state: 'canceled', messageState: 'failed' });
  const application = await passbell.core.applications.service.load(keys.appKey);
  expect(await passbell.core.messages.service.retry(OPERATOR, [application], code.messageId)).toBe('expired');
  expect((await read(code)).payload).toBeNull();
});

describe('a code that is canceled while a worker is sending its message', () => {
  /** Cancels the code after the provider got the message and before it replies. */
  async function cancelWhileSending(behavior: TwilioBehavior): Promise<SentCode> {
    let reply!: (behavior: TwilioBehavior) => void;
    twilio.respondWith(() => new Promise((resolve) => (reply = resolve)));
    const code = await send();
    await twilio.waitForRequest(1);
    expect(await cancel(code)).toMatchObject({ state: 'canceled', messageState: 'sending' });
    reply(behavior);
    return code;
  }

  it('is sent and charged if the provider accepts the message', async () => {
    const code = await cancelWhileSending('accept');
    await reaches(code, 'sent');
    expect(await codeCall('get', code)).toMatchObject({ state: 'canceled', messageState: 'sent' });
    expect(await usage()).toMatchObject([{ sent: 1 }]);
    expect(await verify(code)).toMatchObject({ success: false, code: 'INVALID_OTP' });
  });

  it.each([
    ['is having problems', TWILIO_ERRORS.unavailable],
    ['rejects the message', TWILIO_ERRORS.invalidNumber],
  ])('fails without another attempt if the provider %s', async (_what, behavior) => {
    const code = await cancelWhileSending(behavior);
    await reaches(code, 'failed');
    await deliverAgain(code);
    expect(twilio.requests).toHaveLength(1);
    expect(await messageOf(code)).toMatchObject({ state: 'failed', charge: '0.0000', attempts: [{ success: false }] });
  });
});

it.each(['cancel first', 'claim first'])('a concurrent cancel and claim have one outcome (%s)', async (order) => {
  // The second starts after a growing number of other requests, so that it arrives at different points of the first.
  for (let n = 0; n < 12; n++) {
    const code = await sendWaiting();
    const later = async <T>(work: () => Promise<T>): Promise<T> => {
      for (let other = 0; other < n; other++) await fetch(`${passbell.url}/health/live`);
      return work();
    };
    const deliver = () => passbell.cores.at(-1)!.messages.deliver({ id: code.messageId, channel: 'SMS' });
    await Promise.all(
      order === 'cancel first' ? [cancel(code), later(deliver)] : [deliver(), later(() => cancel(code))],
    );
    const { state } = await read(code);
    expect(['sent', 'canceled']).toContain(state);
    expect(twilio.requests).toHaveLength(state === 'sent' ? 1 : 0);
    expect((await codeCall('get', code)).state).toBe('canceled');
  }
});

it('a request that is repeated after a crash fails if its code was canceled before it was sent', async () => {
  const headers = { 'Idempotency-Key': 'canceled-1' };
  const to = freshPhone();
  const code = await sendWaiting(to, headers);
  await cancel(code);
  // As if the process had crashed before it replied.
  const db = passbell.openDatabase();
  await db('idempotency_keys').update({ reply: null, lease_until: 0 });
  await db.destroy();
  const reply = await passbell.post('/auth/sendotp', { to, authWay: 'SMS', otp: OTP }, { keys, headers });
  expect(reply).toMatchObject({ success: false, code: 'SEND_FAILED' });
  expect(reply.message).toContain('its code is no longer valid');
});

it('looking up a code waits for no lock', async () => {
  const code = await send();
  await reaches(code, 'sent');
  const db = passbell.openDatabase();
  const trx = await db.transaction();
  await trx('otp_sessions').where({ mask_id: code.maskId }).update({ guesses: 1 });
  // Another process has locked the code, and has not committed.
  expect(await codeCall('get', code)).toMatchObject({ state: 'pending', attemptsLeft: 5 });
  await trx.rollback();
  await db.destroy();
});
