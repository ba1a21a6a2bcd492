/** Fallback to the next channel while a provider is down. */
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { TWILIO_ERRORS, startTwilioServer, type TwilioBehavior, type TwilioServer } from '../support/twilio-server.js';
import { advancing, settled, until } from '../support/wait.js';

let twilio: TwilioServer;
let passbell: TestService;
let keys: Awaited<ReturnType<TestService['application']>>;

/** The channels are SMS and then WhatsApp, both through Twilio. */
beforeEach(async () => {
  twilio = await startTwilioServer();
  passbell = await startService({
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_WHATSAPP_FROM: '+14155550100',
    SEND_WAIT_MS: '30000',
  });
  keys = await passbell.application({ ...NO_LIMITS, settings: { channels: ['SMS', 'WHATSAPP'] } });
});
afterEach(async () => {
  await passbell.stop();
  await twilio.close();
});

const failSms = (behavior: TwilioBehavior) =>
  twilio.respondWith(({ form }) => (form.To!.startsWith('whatsapp:') ? 'accept' : behavior));
const send = (parameters: object = {}): Promise<Body> =>
  passbell.post('/auth/sendotp', { to: freshPhone(), ...parameters }, { keys });
/** Number of sends that reached Twilio on each channel. */
const sendCounts = () => {
  const sends = twilio.requests.filter(({ method }) => method === 'POST');
  const whatsApp = sends.filter(({ form }) => form.To!.startsWith('whatsapp:')).length;
  return { whatsApp, sms: sends.length - whatsApp };
};

/** Advances the clock until the promise settles, with real time for network calls. */
async function advanceUntilDone<T>(work: Promise<T>, stepMs = 10): Promise<T> {
  await until('a reply', settled(work), advancing(passbell.clock, stepMs));
  return work;
}

const newestMessage = async () => (await passbell.core.messages.lookup.newest({ limit: 1 }))[0]!;
const waitForState = (...states: string[]) =>
  until(
    `a message that is ${states.join(' or ')}`,
    async () => states.includes((await newestMessage()).state),
    advancing(passbell.clock, 1000),
  );

describe('a send without a requested channel', () => {
  it.each([
    ['is down', TWILIO_ERRORS.unavailable],
    ['asks to slow down', TWILIO_ERRORS.tooMany],
  ])('falls back to the next channel within five seconds when the provider %s', async (_what, behavior) => {
    failSms(behavior);
    const limit = passbell.clock.now() + 5000;
    const reply = send();
    // Stops the test clock at the limit. Network calls in progress then finish in real time.
    const step = () => advancing(passbell.clock, passbell.clock.now() + 10 < limit ? 10 : 0)();
    await until('a reply within five seconds of the clock', settled(reply), step);
    const body = await reply;
    expect(body).toMatchObject({
      success: true,
      message: 'OTP sent successfully',
      data: { isTried: 2, isSent: 1, results: [{ authType: 'WHATSAPP' }, { authType: 'Sms', success: false }] },
    });
    expect(sendCounts().whatsApp).toBe(1);
  });

  it('uses the first channel when the provider recovers by the second attempt', async () => {
    twilio.respondWith(() => (twilio.requests.length === 1 ? TWILIO_ERRORS.unavailable : 'accept'));
    const body = await advanceUntilDone(send());
    expect(body).toMatchObject({ data: { isTried: 1, results: [{ success: true, authType: 'Sms' }] } });
  });

  it('retries the last channel until the code expires', async () => {
    twilio.respondWith(TWILIO_ERRORS.unavailable);
    const reply = send({ expiry: 10 });
    await until('a message on WhatsApp', () => sendCounts().whatsApp > 0, advancing(passbell.clock, 10));
    const body = await advanceUntilDone(reply, 100);
    expect(body).toMatchObject({
      success: true,
      message: 'OTP is queued for delivery: Twilio is having problems (503)',
      data: { isTried: 2, isSent: 1, results: [{ authType: 'WHATSAPP' }, { authType: 'Sms', success: false }] },
    });
    const before = sendCounts();
    await waitForState('failed', 'expired');
    expect(sendCounts().whatsApp).toBeGreaterThan(before.whatsApp);
    expect(sendCounts().sms).toBe(before.sms);
  });

  it('does not fall back after a worker crash that may have sent the message', async () => {
    twilio.respondWith(TWILIO_ERRORS.unavailable);
    twilio.respondToLookUpsWith(TWILIO_ERRORS.unavailable);
    const reply = send();
    const wasTried = async () =>
      (await newestMessage())?.attemptCount === 1 && (await newestMessage()).state === 'queued';
    await until('the first attempt', wasTried);
    const db = passbell.openDatabase();
    await db('messages').update({ crashes: 1 });
    await db.destroy();
    expect(await advanceUntilDone(reply, 100)).toMatchObject({ message: expect.stringContaining('queued') });
    expect(sendCounts()).toEqual({ sms: 1, whatsApp: 0 });
    twilio.respondWith('accept');
    twilio.respondToLookUpsWith('accept');
    await waitForState('sent');
    expect(sendCounts()).toEqual({ sms: 2, whatsApp: 0 });
  });
});

describe('an explicitly requested channel', () => {
  it('is not replaced by another channel: the reply gives the reason for the delay, and the message expires with its code', async () => {
    failSms(TWILIO_ERRORS.unavailable);
    const body = await advanceUntilDone(send({ authWay: 'SMS', expiry: 10 }), 100);
    expect(body).toMatchObject({
      success: true,
      message: 'OTP is queued for delivery: Twilio is having problems (503)',
      data: {
        isTried: 1,
        results: [{ authType: 'Sms', message: 'queued for delivery: Twilio is having problems (503)' }],
      },
    });
    await waitForState('failed', 'expired');
    expect(sendCounts().whatsApp).toBe(0);
  });

  it('fails immediately when the provider rejects the message', async () => {
    failSms(TWILIO_ERRORS.invalidNumber);
    expect(await send({ authWay: 'SMS' })).toMatchObject({ success: false, code: 'SEND_FAILED', data: { isTried: 1 } });
    expect(sendCounts()).toEqual({ sms: 1, whatsApp: 0 });
  });
});

describe('a provider that keeps failing', () => {
  /** Sends messages until the circuit breaker is open in every process. */
  async function openCircuits(behavior: TwilioBehavior): Promise<void> {
    failSms(behavior);
    let skipped = 0;
    for (let sends = 0; skipped < 6; sends++) {
      if (sends > 60) throw new Error('the circuit never opens');
      const before = sendCounts().sms;
      expect(await advanceUntilDone(send())).toMatchObject({ success: true });
      skipped = sendCounts().sms === before ? skipped + 1 : 0;
    }
  }

  it('is skipped: messages use the next channel immediately', async () => {
    await openCircuits(TWILIO_ERRORS.unavailable);
    const before = passbell.clock.now();
    const smsBefore = sendCounts().sms;
    const body = await send();
    expect(body.data.results[1]).toMatchObject({ authType: 'Sms', message: 'the provider keeps failing' });
    expect(passbell.clock.now()).toBe(before);
    expect(sendCounts().sms).toBe(smsBefore);
  });

  it('receives a single trial message after the pause, and all messages once the trial has succeeded', async () => {
    await openCircuits(TWILIO_ERRORS.unavailable);
    twilio.respondWith('accept');
    passbell.clock.advance(10_000);
    const first = await Promise.all(Array.from({ length: 4 }, () => advanceUntilDone(send())));
    for (const body of first) expect(body).toMatchObject({ success: true, message: 'OTP sent successfully' });
    const later = await Promise.all(Array.from({ length: 8 }, () => advanceUntilDone(send())));
    expect(later.map(({ data }) => data.results[0].authType)).toContain('Sms');
    const { authType } = (await advanceUntilDone(send({ authWay: 'SMS' }))).data.results[0];
    expect(authType).toBe('Sms');
  });

  it('is not skipped when it only rejects messages', async () => {
    failSms(TWILIO_ERRORS.invalidNumber);
    for (let n = 0; n < 12; n++) await send();
    expect(sendCounts()).toEqual({ sms: 12, whatsApp: 12 });
  });
});
