/** sendOtp: send limits per recipient and per application. */
import { durationText } from '../../backend/src/platform/clock.js';
import type { ApplicationChange } from '../../backend/src/modules/applications/application-change.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());
beforeEach(() => passbell.clock.advance(60_000));

const NO_BURST_LIMIT = { burstPerSecond: 0, burstPerMinute: 0 };
const application = (limits: ApplicationChange['limits'] = {}): Promise<KeyPair> =>
  passbell.application({ limits: { ...NO_BURST_LIMIT, ...limits } });
const send = (to: string, keys: KeyPair, more: object = {}): Promise<Body> =>
  passbell.post('/auth/sendotp', { to, ...more }, { keys });
const SUCCESS = expect.objectContaining({ success: true });
const cooldownFailure = (seconds: number) => ({
  success: false,
  message: `Too many codes for this recipient. Try again in ${durationText(seconds)}`,
  code: 'COOLDOWN',
  retryAfterSeconds: seconds,
});

/** Sends repeatedly, and waits exactly `retryAfterSeconds` after each rejection. Returns the wait times. */
async function sendAfterWaiting(times: number, to: string, keys: KeyPair): Promise<number[]> {
  const waits: number[] = [];
  for (let sent = 0; sent < times; sent++) {
    let body = await send(to, keys);
    if (!body.success) {
      waits.push(body.retryAfterSeconds);
      passbell.clock.advance(body.retryAfterSeconds * 1000 - 1);
      expect(await send(to, keys)).toMatchObject(cooldownFailure(1));
      passbell.clock.advance(1);
      body = await send(to, keys);
    }
    expect(body).toEqual(SUCCESS);
  }
  return waits;
}

describe('the recipient cooldown', () => {
  it('is 30 seconds, then 60, then 120; the sixth send waits until the first is ten minutes old', async () => {
    const waits = await sendAfterWaiting(6, freshPhone(), await application());
    expect(waits).toEqual([30, 60, 120, 120, 600 - 30 - 60 - 120 - 120]);
  });

  it('starts again at 30 seconds after ten minutes without a send', async () => {
    const keys = await application();
    const to = freshPhone();
    await sendAfterWaiting(3, to, keys);
    passbell.clock.advance(600_000);
    expect(await sendAfterWaiting(2, to, keys)).toEqual([30]);
  });

  it('allows ten sends in any 24 hours', async () => {
    const keys = await application();
    const to = freshPhone();
    for (let i = 0; i < 10; i++) {
      expect(await send(to, keys)).toEqual(SUCCESS);
      passbell.clock.advance(1_800_000);
    }
    const { retryAfterSeconds } = await send(to, keys);
    expect(retryAfterSeconds).toBe(86_400 - 10 * 1800);
    passbell.clock.advance(retryAfterSeconds * 1000);
    expect(await send(to, keys)).toEqual(SUCCESS);
    expect(await send(to, keys)).toMatchObject(cooldownFailure(1800));
  });

  it('rejects every send until it has passed', async () => {
    const keys = await application();
    const to = freshPhone();
    await send(to, keys);
    for (let i = 0; i < 3; i++) expect(await send(to, keys)).toMatchObject(cooldownFailure(30));
    expect(await passbell.inbox(to)).toHaveLength(1);
  });

  it('is shared by all channels', async () => {
    const keys = await application();
    const to = freshPhone();
    await send(to, keys, { authWay: 'SMS' });
    for (const authWay of ['WHATSAPP', 'VOICE', 'SMS'])
      expect(await send(to, keys, { authWay })).toMatchObject(cooldownFailure(30));
  });

  it('is shared by all formats of a phone number', async () => {
    const keys = await application();
    await send('+14155550171', keys);
    for (const to of ['14155550171', '0014155550171', '+1 (415) 555-0171', ' +1-415-555-0171'])
      expect(await send(to, keys)).toMatchObject(cooldownFailure(30));
    expect(await passbell.get('/auth/sendotp', { to: ' 14155550171' }, { keys })).toMatchObject(cooldownFailure(30));
  });

  it('is shared by all variants of an email address, including plus-tags, but each address gets its own email', async () => {
    const keys = await application();
    await send('ana@bücher.example', keys);
    for (const to of [' Ana@BÜCHER.example', 'ana@xn--bcher-kva.example', 'ana+shop@bücher.example'])
      expect(await send(to, keys)).toMatchObject(cooldownFailure(30));
    passbell.clock.advance(30_000);
    expect(await send('ana+shop@bücher.example', keys)).toEqual(SUCCESS);
    expect((await passbell.inbox())[0]!.to).toBe('ana+shop@xn--bcher-kva.example');
    expect(await send('ana@bücher.example', keys)).toMatchObject(cooldownFailure(60));
  });

  it('treats a Gmail address with and without dots, and on both domains, as one mailbox', async () => {
    const keys = await application();
    expect(await send('ana.smith@gmail.com', keys)).toEqual(SUCCESS);
    expect(await send('a.n.a.smith@gmail.com', keys)).toMatchObject(cooldownFailure(30));
    expect(await send('AnaSmith+shop@googlemail.com', keys)).toMatchObject(cooldownFailure(30));
    expect((await passbell.inbox('ana.smith@gmail.com'))[0]!.to).toBe('ana.smith@gmail.com');
  });

  it('does not apply to other recipients and applications', async () => {
    const keys = await application();
    const to = freshPhone();
    await send(to, keys);
    expect(await send(freshPhone(), keys)).toEqual(SUCCESS);
    expect(await send(to, await application())).toEqual(SUCCESS);
  });

  it('is not started by a rejected send', async () => {
    const keys = await application();
    const to = freshPhone();
    for (const invalid of [{ expiry: 0 }, { otp: '1' }, { authWay: 'FAX' }, { authWay: 'EMAIL' }, { otpLength: [] }])
      expect(await send(to, keys, invalid)).toMatchObject({ success: false });
    expect(await send(to, keys)).toEqual(SUCCESS);
    passbell.clock.advance(29_000);
    expect(await send(to, keys)).toMatchObject(cooldownFailure(1));
    passbell.clock.advance(1000);
    expect(await send(to, keys)).toEqual(SUCCESS);
    expect(await send(to, keys)).toMatchObject(cooldownFailure(60));
  });

  it('does not apply to test recipients', async () => {
    const to = freshPhone();
    const keys = await passbell.application({
      settings: { testRecipients: { [to]: '123456' } },
      limits: NO_BURST_LIMIT,
    });
    for (let i = 0; i < 12; i++) expect(await send(to, keys)).toEqual(SUCCESS);
  });

  it('survives a restart, together with the daily send count', async () => {
    const keys = await application();
    const recent = freshPhone();
    const busy = freshPhone();
    for (let i = 0; i < 10; i++) {
      await send(busy, keys);
      passbell.clock.advance(1_800_000);
    }
    await send(recent, keys);
    passbell = await passbell.restart();
    expect(await send(recent, keys)).toMatchObject(cooldownFailure(30));
    expect(await send(busy, keys)).toMatchObject(cooldownFailure(86_400 - 10 * 1800));
  });
});

describe('a correct code', () => {
  const verify = ({ maskId, code }: Body, keys: KeyPair, more: object = {}): Promise<Body> =>
    passbell.post('/auth/verifyotp', { maskId, otp: code, ...more }, { keys });

  it.each([
    ['phone number', freshPhone],
    ['email address', freshMail],
  ])("ends the cooldown of its recipient's %s, which then starts again at 30 seconds", async (_kind, fresh) => {
    const keys = await application();
    const to = fresh();
    await sendAfterWaiting(3, to, keys);
    const code = await passbell.codeFor(to);
    expect(await send(to, keys)).toMatchObject(cooldownFailure(120));
    expect(await passbell.post('/auth/verifyotp', { to, otp: code }, { keys })).toEqual(SUCCESS);
    expect(await send(to, keys)).toEqual(SUCCESS);
    expect(await send(to, keys)).toMatchObject(cooldownFailure(30));
  });

  it('ends the cooldown durably', async () => {
    const keys = await application();
    const to = freshPhone();
    await verify(await passbell.send(to, {}, { keys }), keys);
    passbell = await passbell.restart();
    expect(await send(to, keys)).toEqual(SUCCESS);
  });

  it('leaves the limits for ten minutes and for a day as they are', async () => {
    const keys = await application({ sendsPerDay: 7 });
    const to = freshPhone();
    const sendAndVerify = async (times: number) => {
      for (let n = 0; n < times; n++)
        expect(await verify(await passbell.send(to, {}, { keys }), keys)).toEqual(SUCCESS);
    };
    await sendAndVerify(5);
    expect(await send(to, keys)).toMatchObject(cooldownFailure(600));
    passbell.clock.advance(600_000);
    await sendAndVerify(2);
    expect(await send(to, keys)).toMatchObject(cooldownFailure(86_400 - 600));
  });

  it('ends the cooldown only once, even if its verification is repeated', async () => {
    const keys = await application();
    const to = freshPhone();
    const { maskId, code } = await passbell.send(to, {}, { keys });
    const repeat = () =>
      passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys, headers: { 'Idempotency-Key': 'again' } });
    expect(await repeat()).toEqual(SUCCESS);
    expect(await send(to, keys)).toEqual(SUCCESS);
    expect(await repeat()).toEqual(SUCCESS);
    expect(await verify({ maskId, code }, keys)).toMatchObject({ code: 'INVALID_OTP' });
    expect(await send(to, keys)).toMatchObject(cooldownFailure(30));
  });

  it('ends no other cooldown, and a wrong, locked or expired code ends none', async () => {
    const keys = await application({ wrongCodesPerLock: 1 });
    const to = freshPhone();
    const other = freshPhone();
    const { maskId, code } = await passbell.send(to, {}, { keys });
    await send(other, keys);
    expect(await verify({ maskId, code: `${code}0` }, keys)).toMatchObject({ code: 'INVALID_OTP' });
    expect(await verify({ maskId, code }, keys)).toMatchObject({ code: 'OTP_LOCKED' });
    expect(await send(to, keys)).toMatchObject(cooldownFailure(30));
    const expiring = await passbell.send(freshPhone(), { expiry: 1 }, { keys });
    passbell.clock.advance(60_000);
    expect(await verify(expiring, keys)).toMatchObject({ code: 'OTP_EXPIRED' });
    const sent = await passbell.send(to, {}, { keys });
    const third = freshPhone();
    await send(third, keys);
    expect(await verify(sent, keys)).toEqual(SUCCESS);
    expect(await send(third, keys)).toMatchObject(cooldownFailure(30));
  });
});

describe('the application burst limit', () => {
  const burst = (seconds: number) => ({
    success: false,
    message: `Too many sends for this application. Try again in ${durationText(seconds)}`,
    code: 'BURST_LIMIT',
    retryAfterSeconds: seconds,
  });
  const sendMany = async (times: number, keys: KeyPair): Promise<Body[]> => {
    const replies = [];
    for (let i = 0; i < times; i++) replies.push(await send(freshPhone(), keys));
    return replies;
  };

  it('is 20 sends a second', async () => {
    const keys = await passbell.application();
    expect(await sendMany(20, keys)).toEqual(Array(20).fill(SUCCESS));
    expect(await sendMany(1, keys)).toMatchObject([burst(1)]);
    passbell.clock.advance(999);
    expect(await sendMany(1, keys)).toMatchObject([burst(1)]);
    passbell.clock.advance(1);
    expect(await sendMany(1, keys)).toEqual([SUCCESS]);
  });

  it('is 100 sends a minute', async () => {
    const keys = await passbell.application();
    for (let second = 0; second < 5; second++) {
      expect(await sendMany(20, keys)).toEqual(Array(20).fill(SUCCESS));
      passbell.clock.advance(1000);
    }
    expect(await sendMany(1, keys)).toMatchObject([burst(55)]);
    passbell.clock.advance(55_000);
    expect(await sendMany(20, keys)).toEqual(Array(20).fill(SUCCESS));
  });

  it('includes sends to test recipients', async () => {
    const to = freshPhone();
    const keys = await passbell.application({ settings: { testRecipients: { [to]: '123456' } } });
    for (let i = 0; i < 20; i++) await send(to, keys);
    expect(await send(to, keys)).toMatchObject(burst(1));
  });

  it('does not apply to other applications, or to verifying codes', async () => {
    const keys = await passbell.application({ limits: { burstPerSecond: 1 } });
    const { maskId, code } = await passbell.send(freshPhone(), {}, { keys });
    expect(await sendMany(1, keys)).toMatchObject([burst(1)]);
    expect(await send(freshPhone(), await passbell.application())).toEqual(SUCCESS);
    expect(await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys })).toEqual(SUCCESS);
  });

  it('ignores sends that the cooldown rejects, and the cooldown ignores sends that the burst limit rejects', async () => {
    const keys = await passbell.application({ limits: { burstPerSecond: 2 } });
    const first = freshPhone();
    const second = freshPhone();
    await send(first, keys);
    // The cooldown rejects this send, so the burst limit ignores it.
    expect(await send(first, keys)).toMatchObject(cooldownFailure(30));
    expect(await send(second, keys)).toEqual(SUCCESS);
    const third = freshPhone();
    expect(await send(third, keys)).toMatchObject(burst(1));
    passbell.clock.advance(1000);
    expect(await send(third, keys)).toEqual(SUCCESS);
  });

  it('reports the longer wait if the cooldown applies as well', async () => {
    const keys = await passbell.application({ limits: { burstPerSecond: 1 } });
    const to = freshPhone();
    await send(to, keys);
    expect(await send(to, keys)).toMatchObject(cooldownFailure(30));
    passbell.clock.advance(30_000);
    expect(await send(to, keys)).toEqual(SUCCESS);
  });
});

describe('application limits', () => {
  it('are disabled by 0', async () => {
    const keys = await passbell.application(NO_LIMITS);
    const to = freshPhone();
    for (let i = 0; i < 120; i++) expect(await send(to, keys)).toEqual(SUCCESS);
  });

  it.each([
    ['cooldownSeconds', { sendsPer10Minutes: 5 }, 5, cooldownFailure(600)],
    ['sendsPer10Minutes', { cooldownSeconds: 1 }, 1, cooldownFailure(1)],
    ['cooldownSeconds and sendsPer10Minutes', { sendsPerDay: 3 }, 3, cooldownFailure(86_400)],
  ])('can be disabled individually: %s', async (_name, on, allowed, refusal) => {
    const off = { cooldownSeconds: 0, sendsPer10Minutes: 0, sendsPerDay: 0 };
    const keys = await application({ ...off, ...on });
    const to = freshMail();
    for (let i = 0; i < allowed; i++) expect(await send(to, keys)).toEqual(SUCCESS);
    expect(await send(to, keys)).toMatchObject(refusal);
  });

  it('include cooldownSeconds, which sets the cooldown steps', async () => {
    const keys = await application({ cooldownSeconds: 10 });
    expect(await sendAfterWaiting(4, freshPhone(), keys)).toEqual([10, 20, 40]);
  });
});
