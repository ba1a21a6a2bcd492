/** A provider that is down: who goes on to the next channel, how soon, and who does not. */
import { setTimeout as pause } from 'node:timers/promises';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { REFUSALS, startTwilioServer, type TwilioBehaviour, type TwilioServer } from '../support/twilio-server.js';

let twilio: TwilioServer;
let passbell: TestService;
let keys: Awaited<ReturnType<TestService['application']>>;

/** SMS and WhatsApp go to Twilio, in this order. */
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

const smsDown = (behaviour: TwilioBehaviour) =>
  twilio.answer(({ form }) => (form.To!.startsWith('whatsapp:') ? 'accept' : behaviour));
const send = (parameters: object = {}): Promise<Body> =>
  passbell.post('/auth/sendotp', { to: freshPhone(), ...parameters }, { keys });
/** Sends that reached Twilio for each channel. */
const reached = () => {
  const sends = twilio.requests.filter(({ method }) => method === 'POST');
  const whatsApp = sends.filter(({ form }) => form.To!.startsWith('whatsapp:')).length;
  return { whatsApp, sms: sends.length - whatsApp };
};

/** Lets time pass, with room for real calls, until a promise is kept. */
async function whileTimePasses<T>(work: Promise<T>, stepMs = 10): Promise<T> {
  let done = false;
  void work.finally(() => (done = true)).catch(() => undefined);
  while (!done) {
    passbell.clock.advance(stepMs);
    await pause(5);
  }
  return work;
}

const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await pause(10);
};

const newest = async () => (await passbell.service.messages.list({ limit: 1 }))[0]!;

describe('without a named channel', () => {
  it.each([
    ['is down', REFUSALS.unavailable],
    ['asks to slow down', REFUSALS.tooMany],
  ])('the next one has the message within five seconds when the provider %s', async (_what, behaviour) => {
    smsDown(behaviour);
    const before = passbell.clock.now();
    const body = await whileTimePasses(send());
    expect(passbell.clock.now() - before).toBeLessThan(5000);
    expect(body).toMatchObject({
      success: true,
      message: 'OTP sent successfully',
      data: { isTried: 2, isSent: 1, results: [{ authType: 'WHATSAPP' }, { authType: 'Sms', success: false }] },
    });
    expect(reached().whatsApp).toBe(1);
  });

  it('the first one still has it when the provider is back at the second attempt', async () => {
    twilio.answer(() => (twilio.requests.length === 1 ? REFUSALS.unavailable : 'accept'));
    const body = await whileTimePasses(send());
    expect(body).toMatchObject({ data: { isTried: 1, results: [{ success: true, authType: 'Sms' }] } });
  });

  it('the last one is tried until the code expires', async () => {
    twilio.answer(REFUSALS.unavailable);
    const reply = send({ expiry: 1 });
    await whileTimePasses(until(() => reached().whatsApp > 0));
    const body = await whileTimePasses(reply, 100);
    expect(body).toMatchObject({
      success: true,
      message: 'OTP is queued for delivery: Twilio has a disturbance (503)',
      data: { isTried: 2, isSent: 1, results: [{ authType: 'WHATSAPP' }, { authType: 'Sms', success: false }] },
    });
    const before = reached();
    await whileTimePasses(
      until(async () => ['failed', 'expired'].includes((await newest()).state)),
      200,
    );
    expect(reached().whatsApp).toBeGreaterThan(before.whatsApp);
    expect(reached().sms).toBe(before.sms);
  });

  it('no other one has it when a worker died that may have sent it', async () => {
    twilio.answer(REFUSALS.unavailable);
    twilio.answerLookUps(REFUSALS.unavailable);
    const reply = send();
    await until(async () => (await newest())?.attempts === 1 && (await newest()).state === 'queued');
    const db = passbell.openDatabase();
    await db('messages').update({ crashes: 1 });
    await db.destroy();
    expect(await whileTimePasses(reply, 100)).toMatchObject({ message: expect.stringContaining('queued') });
    expect(reached()).toEqual({ sms: 1, whatsApp: 0 });
    twilio.answer('accept');
    twilio.answerLookUps('accept');
    await whileTimePasses(
      until(async () => (await newest()).state === 'sent'),
      100,
    );
    expect(reached()).toEqual({ sms: 2, whatsApp: 0 });
  });
});

describe('a named channel', () => {
  it('is never replaced: the reply says why it waits, and the message ends with its code', async () => {
    smsDown(REFUSALS.unavailable);
    const body = await whileTimePasses(send({ authWay: 'SMS', expiry: 1 }), 100);
    expect(body).toMatchObject({
      success: true,
      message: 'OTP is queued for delivery: Twilio has a disturbance (503)',
      data: {
        isTried: 1,
        results: [{ authType: 'Sms', message: 'queued for delivery: Twilio has a disturbance (503)' }],
      },
    });
    await whileTimePasses(
      until(async () => ['failed', 'expired'].includes((await newest()).state)),
      200,
    );
    expect(reached().whatsApp).toBe(0);
  });

  it('fails at once when the provider refuses the message', async () => {
    smsDown(REFUSALS.invalidNumber);
    expect(await send({ authWay: 'SMS' })).toMatchObject({ success: false, code: 'SEND_FAILED', data: { isTried: 1 } });
    expect(reached()).toEqual({ sms: 1, whatsApp: 0 });
  });
});

describe('a provider that keeps failing', () => {
  /** Sends until the provider is not asked any more, in no process. */
  async function exhaust(behaviour: TwilioBehaviour): Promise<void> {
    smsDown(behaviour);
    let skipped = 0;
    for (let sends = 0; skipped < 6; sends++) {
      if (sends > 60) throw new Error('the provider never rests');
      const before = reached().sms;
      expect(await whileTimePasses(send())).toMatchObject({ success: true });
      skipped = reached().sms === before ? skipped + 1 : 0;
    }
  }

  it('rests: messages go on at once, and those of a named channel wait', async () => {
    await exhaust(REFUSALS.unavailable);
    const before = passbell.clock.now();
    const asked = reached().sms;
    const body = await send();
    expect(body.data.results[1]).toMatchObject({ authType: 'Sms', message: 'the provider keeps failing' });
    expect(passbell.clock.now()).toBe(before);
    expect(reached().sms).toBe(asked);
  });

  it('is tried again by one message after its rest, and by all when that one got through', async () => {
    await exhaust(REFUSALS.unavailable);
    twilio.answer('accept');
    passbell.clock.advance(10_000);
    const first = await Promise.all(Array.from({ length: 4 }, () => whileTimePasses(send())));
    for (const body of first) expect(body).toMatchObject({ success: true, message: 'OTP sent successfully' });
    const later = await Promise.all(Array.from({ length: 8 }, () => whileTimePasses(send())));
    expect(later.map(({ data }) => data.results[0].authType)).toContain('Sms');
    const { authType } = (await whileTimePasses(send({ authWay: 'SMS' }))).data.results[0];
    expect(authType).toBe('Sms');
  });

  it('has no rest for refusing messages: it works', async () => {
    smsDown(REFUSALS.invalidNumber);
    for (let n = 0; n < 12; n++) await send();
    expect(reached()).toEqual({ sms: 12, whatsApp: 12 });
  });
});
