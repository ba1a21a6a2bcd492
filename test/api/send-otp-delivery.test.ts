/** sendOtp: replies while channels are slow or fail. */
import { startTwilioServer, TWILIO_ERRORS, type TwilioServer } from '../support/twilio-server.js';
import {
  freshMail,
  freshPhone,
  NO_SEND_LIMITS,
  startService,
  type Body,
  type TestService,
} from '../support/service.js';
import { advancing, settled, until } from '../support/wait.js';

let twilio: TwilioServer;
let passbell: TestService;
// Each test gets a new server, because requests that timed out by the test clock may still arrive during the next test.
beforeEach(async () => void (twilio = await startTwilioServer()));
afterEach(async () => {
  // Closes the connections of unanswered requests, which would delay the service's shutdown.
  await twilio.close();
  await passbell.stop();
});

/** SMS and WhatsApp are sent through Twilio; all other channels use the dev inbox. */
const start = async (settings: Record<string, string> = {}): Promise<TestService> =>
  (passbell = await startService({
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_WHATSAPP_FROM: '+14155550100',
    PROVIDER_TIMEOUT_MS: '60000',
    ...settings,
  }));

/** Advances the clock in steps until the reply arrives, with real time for network calls. */
async function advanceUntilDone(reply: Promise<Body>, stepMs = 100): Promise<Body> {
  await until('a reply', settled(reply), advancing(passbell.clock, stepMs));
  return reply;
}

describe('a channel that fails permanently', () => {
  beforeEach(() =>
    twilio.respondWith(({ form }) => (form.To!.startsWith('whatsapp:') ? 'accept' : TWILIO_ERRORS.invalidNumber)),
  );

  it('is replaced by the next channel, whose result is first in the reply', async () => {
    await start();
    const to = freshPhone();
    const body = await passbell.post('/auth/sendotp', { to });
    expect(body).toMatchObject({
      success: true,
      data: {
        isTried: 2,
        isSent: 1,
        results: [
          { success: true, authType: 'WHATSAPP' },
          { success: false, authType: 'Sms' },
        ],
      },
    });
    const [sent, failed] = body.data.results;
    expect(failed).toMatchObject({ maskId: sent.maskId, expireTime: sent.expireTime, to: sent.to });
    expect(failed.message).not.toContain(to);
  });

  it('is not recorded in the token, which contains the channel that succeeded', async () => {
    await start();
    const { maskId } = (await passbell.post('/auth/sendotp', { to: freshPhone() })).data.results[0];
    const otp = twilio.requests.at(-1)!.form.Body!.match(/^\d{6}/)![0];
    const { token } = (await passbell.post('/auth/verifyotp', { maskId, otp })).data;
    const { data } = await passbell.post('/auth/verifytoken', { token });
    expect(data.identities.channel).toBe('whatsapp');
  });

  it('is not replaced by the dev inbox, which would turn a rejection into a success', async () => {
    await start({ TWILIO_WHATSAPP_FROM: '' });
    const to = freshPhone();
    expect(await passbell.post('/auth/sendotp', { to })).toMatchObject({ success: false, data: { isTried: 1 } });
    expect(await passbell.inbox(to)).toEqual([]);
  });

  it('is not replaced by another channel if the caller requested it, and the failure reply includes its result', async () => {
    await start();
    const to = freshPhone();
    const body = await passbell.post('/auth/sendotp', { to, authWay: 'SMS' });
    expect(body).toMatchObject({
      success: false,
      code: 'SEND_FAILED',
      data: { isTried: 1, isSent: 0, results: [{ success: false, authType: 'Sms' }] },
    });
    expect(body.message).not.toContain(to);
    expect(await passbell.inbox(to)).toEqual([]);
  });

  it('is listed together with all other attempts, in order, if every channel fails', async () => {
    twilio.respondWith(TWILIO_ERRORS.invalidNumber);
    await start({ TWILIO_VOICE_FROM: '+14155550102', DEV_INBOX: 'off' });
    const body = await passbell.post('/auth/sendotp', { to: freshPhone() });
    expect(body).toMatchObject({ success: false, code: 'SEND_FAILED', data: { isTried: 3, isSent: 0 } });
    expect(body.data.results.map((result: Body) => result.authType)).toEqual(['Sms', 'WHATSAPP', 'Voice']);
  });

  it('causes the same failure reply for the same Idempotency-Key, without another attempt', async () => {
    await start();
    const options = { headers: { 'Idempotency-Key': 'failed-once' } };
    const parameters = { to: freshPhone(), authWay: 'SMS' };
    const first = await passbell.post('/auth/sendotp', parameters, options);
    const requests = twilio.requests.length;
    expect(first.success).toBe(false);
    expect(await passbell.post('/auth/sendotp', parameters, options)).toEqual(first);
    expect(twilio.requests).toHaveLength(requests);
  });
});

describe('SEND_WAIT_MS', () => {
  it('set to 0 causes a reply as soon as the message is stored and queued', async () => {
    twilio.respondWith('accept');
    await start({ SEND_WAIT_MS: '0' });
    const to = freshPhone();
    const body = await passbell.post('/auth/sendotp', { to, authWay: 'VOICE' });
    expect(body).toMatchObject({
      success: true,
      message: expect.stringContaining('queued'),
      data: { isTried: 1, isSent: 1, results: [{ success: true, authType: 'Voice', message: 'queued' }] },
    });
    const inInbox = async () => (await passbell.inbox(to)).length > 0;
    await until('a voice call', inInbox, advancing(passbell.clock, 10));
    const { maskId } = body.data.results[0];
    const verified = await passbell.post('/auth/verifyotp', { maskId, otp: await passbell.codeFor(to) });
    expect(verified).toMatchObject({ success: true });
  });

  it('limits how long a silent provider delays the reply', async () => {
    twilio.respondWith('silent');
    await start({ SEND_WAIT_MS: '1000' });
    const before = passbell.clock.now();
    const body = await advanceUntilDone(passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }));
    expect(body).toMatchObject({ success: true, message: expect.stringContaining('queued') });
    expect(passbell.clock.now() - before).toBeGreaterThanOrEqual(1000);
  });

  it('does not delay the reply once the outcome is known', async () => {
    twilio.respondWith('accept');
    await start({ SEND_WAIT_MS: '30000' });
    const body = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' });
    expect(body).toMatchObject({ success: true, data: { results: [{ message: 'sent' }] } });
  });

  it('ends with a failure reply if the message failed during the wait, even if the waiting process received no outcome', async () => {
    twilio.respondWith(TWILIO_ERRORS.unavailable);
    await start({ SEND_WAIT_MS: '30000' });
    const reply = passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' });
    const db = passbell.openDatabase();
    const { id } = await until('the first attempt', () => db('messages').where('history', '<>', '[]').first());
    await db.destroy();
    twilio.respondWith(TWILIO_ERRORS.invalidNumber);
    // The job does not name the process that waits.
    await passbell.core.messages.deliver({ id, channel: 'SMS' });
    expect(await advanceUntilDone(reply, 1000)).toMatchObject({ success: false, code: 'SEND_FAILED' });
  });

  it('limits how long a slow request with an Idempotency-Key is in flight', async () => {
    twilio.respondWith('silent');
    await start({ SEND_WAIT_MS: '1000' });
    const options = { headers: { 'Idempotency-Key': 'slow' } };
    const parameters = { to: freshPhone(), authWay: 'SMS' };
    const count = twilio.requests.length;
    const first = passbell.post('/auth/sendotp', parameters, options);
    await twilio.waitForRequest(count + 1);
    const second = await passbell.post('/auth/sendotp', parameters, options);
    expect(second).toMatchObject({ success: false, code: 'IDEMPOTENCY_IN_FLIGHT', retryAfterSeconds: 1 });
    passbell.clock.advance(second.retryAfterSeconds * 1000);
    const reply = await first;
    expect(reply).toMatchObject({ success: true });
    expect(await passbell.post('/auth/sendotp', parameters, options)).toEqual(reply);
  });
});

describe('a provider that is temporarily unavailable', () => {
  it('receives the message later, with the same code', async () => {
    twilio.respondWith(TWILIO_ERRORS.unavailable);
    await start({ SEND_WAIT_MS: '100' });
    const reply = await advanceUntilDone(passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }), 20);
    expect(reply).toMatchObject({ success: true, message: expect.stringContaining('queued') });
    twilio.respondWith('accept');
    const next = twilio.waitForRequest(twilio.requests.length + 1);
    const { form } = await advanceUntilDone(next, 100);
    const otp = form.Body.match(/^\d{6}/)[0];
    const { maskId } = reply.data.results[0];
    expect(await passbell.post('/auth/verifyotp', { maskId, otp })).toMatchObject({ success: true });
  });

  it('is not called again until its Retry-After has passed', async () => {
    twilio.respondWith(TWILIO_ERRORS.tooMany);
    await start({ SEND_WAIT_MS: '0' });
    const before = passbell.clock.now();
    await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' });
    await twilio.waitForRequest(1);
    const message = async () => (await passbell.core.messages.lookup.newest({ limit: 1 }))[0]!;
    await until('the message to be queued again', async () => (await message()).state === 'queued');
    expect(await message()).toMatchObject({ attemptCount: 1, dueAt: before + 7000 });
    twilio.respondWith('accept');
    passbell.clock.advance(7000);
    await twilio.waitForRequest(2);
  });

  it('does not delay other channels', async () => {
    twilio.respondWith('silent');
    await start({ CHANNEL_CONCURRENCY: '2', SEND_WAIT_MS: '0' });
    const keys = await passbell.application(NO_SEND_LIMITS);
    const many = Array.from({ length: 10 }, () =>
      passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys }),
    );
    await Promise.all(many);
    await twilio.waitForRequest(2);
    const to = freshMail();
    expect(await passbell.post('/auth/sendotp', { to }, { keys })).toMatchObject({ success: true });
    await until('an email', async () => (await passbell.inbox(to)).length > 0);
  });

  it('is not called again once the code has expired', async () => {
    // The provider stays unavailable: otherwise, an attempt started before the expiry could still succeed.
    twilio.respondWith(TWILIO_ERRORS.unavailable);
    await start({ SEND_WAIT_MS: '100' });
    const parameters = { to: freshPhone(), authWay: 'SMS', expiry: 1 };
    await advanceUntilDone(passbell.post('/auth/sendotp', parameters), 20);
    passbell.clock.advance(60_000);
    const state = async (): Promise<string> => (await passbell.core.messages.lookup.newest({ limit: 1 }))[0]!.state;
    const isFinal = async () => !['queued', 'sending'].includes(await state());
    await until('a final state', isFinal, advancing(passbell.clock, 1000));
    expect(['expired', 'failed']).toContain(await state());
  });
});

describe('an unknown outcome', () => {
  it('does not cause a fallback to another channel, because the message may have arrived', async () => {
    twilio.respondWith('reset');
    await start();
    const to = freshPhone();
    expect(await passbell.post('/auth/sendotp', { to })).toMatchObject({ success: false });
    expect(twilio.requests.filter(({ form }) => form.To?.endsWith(to)).map(({ form }) => form.To)).toEqual([to]);
  });
});

describe('unconfigured channels', () => {
  it('are rejected without starting a cooldown if the request selects them', async () => {
    await start({ DEV_INBOX: 'off' });
    twilio.respondWith('accept');
    const to = freshPhone();
    expect(await passbell.post('/auth/sendotp', { to, authWay: 'VOICE' })).toMatchObject({
      success: false,
      code: 'CHANNEL_NOT_CONFIGURED',
      message: 'VOICE is not set up on this server',
    });
    expect(await passbell.post('/auth/sendotp', { to: freshMail() })).toMatchObject({ code: 'CHANNEL_NOT_CONFIGURED' });
    expect(await passbell.post('/auth/sendotp', { to })).toMatchObject({ success: true });
  });

  it("are skipped in the application's channel order", async () => {
    await start({ DEV_INBOX: 'off' });
    twilio.respondWith('accept');
    const keys = await passbell.application({ settings: { channels: ['VOICE', 'SMS'] } });
    const body = await passbell.post('/auth/sendotp', { to: freshPhone() }, { keys });
    expect(body).toMatchObject({ success: true, data: { isTried: 1, results: [{ authType: 'Sms' }] } });
  });
});

describe('number validation', () => {
  it.each([
    ['a number outside of the assigned ranges', '+12425550123'],
    ['a possible but invalid number', '+441111111111'],
  ])('rejects %s before a provider is called', async (_what, to) => {
    await start();
    const count = twilio.requests.length;
    expect(await passbell.post('/auth/sendotp', { to, authWay: 'SMS' })).toMatchObject({ code: 'INVALID_RECIPIENT' });
    expect(twilio.requests).toHaveLength(count);
  });
});
