/** sendOtp: what is answered while channels are slow or fail. */
import { setTimeout as pause } from 'node:timers/promises';
import { startTwilioServer, REFUSALS, type TwilioServer } from '../support/twilio-server.js';
import {
  freshMail,
  freshPhone,
  NO_SEND_LIMITS,
  startService,
  type Body,
  type TestService,
} from '../support/service.js';

let twilio: TwilioServer;
let passbell: TestService;
// A server a test: what one gave up by its clock may still be on its way when the next one counts.
beforeEach(async () => void (twilio = await startTwilioServer()));
afterEach(async () => {
  await passbell.stop();
  await twilio.close();
});

/** SMS and WhatsApp go to Twilio; the other channels to the dev inbox. */
const start = async (settings: Record<string, string> = {}): Promise<TestService> =>
  (passbell = await startService({
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_WHATSAPP_FROM: '+14155550100',
    PROVIDER_TIMEOUT_MS: '1000',
    ...settings,
  }));

/** Moves the clock in steps until the reply is there, while real connections do their work. */
async function whileTimePasses(reply: Promise<Body>, stepMs = 100): Promise<Body> {
  let done = false;
  void reply.finally(() => (done = true)).catch(() => undefined);
  while (!done) {
    await new Promise((resolve) => setImmediate(resolve));
    passbell.clock.advance(stepMs);
  }
  return reply;
}

describe('a channel that fails for good', () => {
  beforeEach(() => twilio.answer(({ form }) => (form.To!.startsWith('whatsapp:') ? 'accept' : REFUSALS.invalidNumber)));

  it('is followed by the next one: the one that succeeded comes first', async () => {
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

  it('gives way to the channel that the token then names', async () => {
    await start();
    const { maskId } = (await passbell.post('/auth/sendotp', { to: freshPhone() })).data.results[0];
    const otp = twilio.requests.at(-1)!.form.Body!.match(/^\d{6}/)![0];
    const { token } = (await passbell.post('/auth/verifyotp', { maskId, otp })).data;
    const { data } = await passbell.post('/auth/verifytoken', { token });
    expect(data.identities.channel).toBe('whatsapp');
  });

  it('is not followed by the dev inbox, which would make a success of a refusal', async () => {
    await start({ TWILIO_WHATSAPP_FROM: '' });
    const to = freshPhone();
    expect(await passbell.post('/auth/sendotp', { to })).toMatchObject({ success: false, data: { isTried: 1 } });
    expect(await passbell.inbox(to)).toEqual([]);
  });

  it('is never replaced when the caller named it: the failure keeps its data', async () => {
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

  it('fails with all that were tried, in their order', async () => {
    twilio.answer(REFUSALS.invalidNumber);
    await start({ TWILIO_VOICE_FROM: '+14155550102', DEV_INBOX: 'off' });
    const body = await passbell.post('/auth/sendotp', { to: freshPhone() });
    expect(body).toMatchObject({ success: false, code: 'SEND_FAILED', data: { isTried: 3, isSent: 0 } });
    expect(body.data.results.map((result: Body) => result.authType)).toEqual(['Sms', 'WHATSAPP', 'Voice']);
  });

  it('gives the identical failure again under one Idempotency-Key, with nothing tried', async () => {
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
  it('of 0 answers as soon as the send is stored, and says that it is queued', async () => {
    twilio.answer('accept');
    await start({ SEND_WAIT_MS: '0' });
    const to = freshPhone();
    const body = await passbell.post('/auth/sendotp', { to, authWay: 'VOICE' });
    expect(body).toMatchObject({
      success: true,
      message: expect.stringContaining('queued'),
      data: { isTried: 1, isSent: 1, results: [{ success: true, authType: 'Voice', message: 'queued' }] },
    });
    while ((await passbell.inbox(to)).length === 0) passbell.clock.advance(10);
    const { maskId } = body.data.results[0];
    const verified = await passbell.post('/auth/verifyotp', { maskId, otp: await passbell.codeFor(to) });
    expect(verified).toMatchObject({ success: true });
  });

  it('is the longest that a silent provider holds up the reply', async () => {
    twilio.answer('silent');
    await start({ SEND_WAIT_MS: '1000' });
    const before = passbell.clock.now();
    const body = await whileTimePasses(passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }));
    expect(body).toMatchObject({ success: true, message: expect.stringContaining('queued') });
    expect(passbell.clock.now() - before).toBeGreaterThanOrEqual(1000);
  });

  it('does not hold up a reply whose outcome is known', async () => {
    twilio.answer('accept');
    await start({ SEND_WAIT_MS: '30000' });
    const body = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' });
    expect(body).toMatchObject({ success: true, data: { results: [{ message: 'sent' }] } });
  });

  it('leaves the first request with a key in flight until then', async () => {
    twilio.answer('silent');
    await start({ SEND_WAIT_MS: '1000' });
    const options = { headers: { 'Idempotency-Key': 'slow' } };
    const parameters = { to: freshPhone(), authWay: 'SMS' };
    const count = twilio.requests.length;
    const first = passbell.post('/auth/sendotp', parameters, options);
    await twilio.request(count + 1);
    const second = await passbell.post('/auth/sendotp', parameters, options);
    expect(second).toMatchObject({ success: false, code: 'IDEMPOTENCY_IN_FLIGHT', retryAfterSeconds: 1 });
    passbell.clock.advance(second.retryAfterSeconds * 1000);
    const reply = await first;
    expect(reply).toMatchObject({ success: true });
    expect(await passbell.post('/auth/sendotp', parameters, options)).toEqual(reply);
  });
});

describe('a provider that is away for a while', () => {
  it('gets the message later, with the code of the reply', async () => {
    twilio.answer(REFUSALS.unavailable);
    await start({ SEND_WAIT_MS: '100' });
    const reply = await whileTimePasses(passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }), 20);
    expect(reply).toMatchObject({ success: true, message: expect.stringContaining('queued') });
    twilio.answer('accept');
    const next = twilio.request(twilio.requests.length + 1);
    const { form } = await whileTimePasses(next, 100);
    const otp = form.Body.match(/^\d{6}/)[0];
    const { maskId } = reply.data.results[0];
    expect(await passbell.post('/auth/verifyotp', { maskId, otp })).toMatchObject({ success: true });
  });

  it('is not asked again before the time that it names', async () => {
    twilio.answer(REFUSALS.tooMany);
    await start({ SEND_WAIT_MS: '0' });
    const before = passbell.clock.now();
    await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' });
    await twilio.request(1);
    const message = async () => (await passbell.service.messages.list({ limit: 1 }))[0]!;
    while ((await message()).state !== 'queued') await pause(10);
    expect(await message()).toMatchObject({ attempts: 1, dueAt: before + 7000 });
    twilio.answer('accept');
    passbell.clock.advance(7000);
    await twilio.request(2);
  });

  it('holds up no other channel', async () => {
    twilio.answer('silent');
    await start({ CHANNEL_CONCURRENCY: '2', SEND_WAIT_MS: '0' });
    const keys = await passbell.application(NO_SEND_LIMITS);
    const many = Array.from({ length: 10 }, () =>
      passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys }),
    );
    await Promise.all(many);
    await twilio.request(2);
    const to = freshMail();
    expect(await passbell.post('/auth/sendotp', { to }, { keys })).toMatchObject({ success: true });
    while ((await passbell.inbox(to)).length === 0) await pause(10);
  });

  it('is not asked any more when the code has expired', async () => {
    // The provider stays away: an attempt that left before the expiry may still arrive, and must not count as a delivery.
    twilio.answer(REFUSALS.unavailable);
    await start({ SEND_WAIT_MS: '100' });
    const parameters = { to: freshPhone(), authWay: 'SMS', expiry: 1 };
    await whileTimePasses(passbell.post('/auth/sendotp', parameters), 20);
    passbell.clock.advance(60_000);
    const state = async (): Promise<string> => (await passbell.service.messages.list({ limit: 1 }))[0]!.state;
    while (['queued', 'sending'].includes(await state())) {
      await new Promise(setImmediate);
      passbell.clock.advance(1000);
    }
    expect(['expired', 'failed']).toContain(await state());
  });
});

describe('an outcome that nobody knows', () => {
  it('is not followed by another channel: it may have arrived', async () => {
    twilio.answer('reset');
    await start();
    const to = freshPhone();
    expect(await passbell.post('/auth/sendotp', { to })).toMatchObject({ success: false });
    expect(twilio.requests.filter(({ form }) => form.To!.endsWith(to)).map(({ form }) => form.To)).toEqual([to]);
  });
});

describe('channels that are not set up', () => {
  it('are refused by name, before a cooldown starts', async () => {
    await start({ DEV_INBOX: 'off' });
    twilio.answer('accept');
    const to = freshPhone();
    expect(await passbell.post('/auth/sendotp', { to, authWay: 'VOICE' })).toMatchObject({
      success: false,
      code: 'CHANNEL_NOT_CONFIGURED',
      message: 'VOICE is not set up on this server',
    });
    expect(await passbell.post('/auth/sendotp', { to: freshMail() })).toMatchObject({ code: 'CHANNEL_NOT_CONFIGURED' });
    expect(await passbell.post('/auth/sendotp', { to })).toMatchObject({ success: true });
  });

  it('are left out of the order of an application', async () => {
    await start({ DEV_INBOX: 'off' });
    twilio.answer('accept');
    const keys = await passbell.application({ settings: { channels: ['VOICE', 'SMS'] } });
    const body = await passbell.post('/auth/sendotp', { to: freshPhone() }, { keys });
    expect(body).toMatchObject({ success: true, data: { isTried: 1, results: [{ authType: 'Sms' }] } });
  });
});

describe('before a provider is called', () => {
  it.each([
    ['a premium-rate number', '+19005550123'],
    ['a number of no range that is assigned', '+12425550123'],
    ['a possible number that is nobody’s', '+441111111111'],
  ])('%s is refused', async (_what, to) => {
    await start();
    const count = twilio.requests.length;
    expect(await passbell.post('/auth/sendotp', { to, authWay: 'SMS' })).toMatchObject({ code: 'INVALID_RECIPIENT' });
    expect(twilio.requests).toHaveLength(count);
  });
});
