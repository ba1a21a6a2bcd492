/** verifyOtp, verifyOtpByQuery: `/auth/verifyotp`. */
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { freshMail, freshPhone, NO_LIMITS, startService, wrongCode, type TestService } from '../support/service.js';

let passbell: TestService;
let keys: KeyPair;
beforeAll(async () => {
  passbell = await startService();
  keys = await passbell.application(NO_LIMITS);
});
afterAll(() => passbell.stop());

const verify = (maskId: unknown, otp: unknown) => passbell.post('/auth/verifyotp', { maskId, otp }, { keys });
const send = (parameters: object = {}, to = freshPhone()) => passbell.send(to, parameters, { keys });
const INVALID = { success: false, message: 'Invalid OTP', code: 'INVALID_OTP' };
const EXPIRED = { success: false, message: 'OTP has expired', code: 'OTP_EXPIRED' };
const MISSING = { success: false, message: 'missing parameters', code: 'MISSING_PARAMETERS' };
const invalid = (message: string) => ({ success: false, message, code: 'INVALID_PARAMETER' });

describe('a correct code', () => {
  it('returns a session token and its user', async () => {
    const to = freshPhone();
    const { maskId, code } = await send({}, to);
    expect(await verify(maskId, code)).toEqual({
      success: true,
      message: 'verified',
      status: 'verified',
      data: {
        tokenType: 'Bearer',
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        expiresIn: 1800,
        user: {
          email: '',
          phone: to,
          userId: expect.stringMatching(/^USR-[\w-]{32}$/),
          userApplicationId: expect.any(Number),
        },
      },
    });
  });

  it('is accepted in a query string', async () => {
    const { maskId, code } = await send();
    expect(await passbell.get('/auth/verifyotp', { maskId, otp: code }, { keys })).toMatchObject({ success: true });
  });

  it('returns the address if the code was sent to an email address', async () => {
    const to = freshMail();
    const { maskId, code } = await send({}, to);
    expect((await verify(maskId, code)).data.user).toMatchObject({ email: to, phone: '' });
  });

  it('is accepted only once', async () => {
    const { maskId, code } = await send();
    expect(await verify(maskId, code)).toMatchObject({ success: true });
    expect(await verify(maskId, code)).toMatchObject(INVALID);
    expect(await passbell.get('/auth/verifyotp', { maskId, otp: code }, { keys })).toMatchObject(INVALID);
  });

  it('is accepted after a wrong code', async () => {
    const { maskId, code } = await send();
    expect(await verify(maskId, wrongCode(code))).toMatchObject(INVALID);
    expect(await verify(maskId, code)).toMatchObject({ success: true });
  });
});

describe('the user', () => {
  it('is the same for all logins of an identity; each application numbers its users from one', async () => {
    const shop = await passbell.application(NO_LIMITS);
    const other = await passbell.application(NO_LIMITS);
    const ana = freshPhone();
    const bob = freshMail();
    const userOf = async (to: string, pair: KeyPair) => {
      const { maskId, code } = await passbell.send(to, {}, { keys: pair });
      return (await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys: pair })).data.user;
    };
    const first = await userOf(ana, shop);
    const second = await userOf(bob, shop);
    const foreign = await userOf(ana, other);
    expect([first, second, foreign].map((user) => user.userApplicationId)).toEqual([1, 2, 1]);
    expect(new Set([first, second, foreign].map((user) => user.userId)).size).toBe(3);
    expect(await userOf(ana, shop)).toEqual(first);
  });
});

describe('parameter formats', () => {
  it.each([
    ['spaces', (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)} `],
    ['dashes', (code: string) => `${code.slice(0, 2)}-${code.slice(2, 4)}-${code.slice(4)}`],
    ['a no-break space', (code: string) => `${code.slice(0, 3)}\u00a0${code.slice(3)}`],
    ['invisible characters', (code: string) => `\u200e${code.slice(0, 3)}\u200b${code.slice(3)}\u202c`],
    ['an en dash', (code: string) => `${code.slice(0, 3)}–${code.slice(3)}`],
  ])('a code may contain %s', async (_what, spell) => {
    const { maskId, code } = await send();
    expect(await verify(maskId, spell(code))).toMatchObject({ success: true });
  });

  it('a code in a query string may contain a plus sign for a space', async () => {
    const { maskId, code } = await send();
    const url = `/api/v1/auth/verifyotp?maskId=${maskId}&otp=${code.slice(0, 3)}+${code.slice(3)}`;
    expect(await (await passbell.fetch(url, {}, { keys })).json()).toMatchObject({ success: true });
  });

  it.each([
    ['0000', 0],
    ['0042', 42],
    ['0000000001', 1],
    ['987654', 987654],
  ])('a code as a JSON number is padded with the leading zeros of %s', async (otp, number) => {
    const { maskId } = await send({ otp });
    expect(await verify(maskId, number)).toMatchObject({ success: true });
  });

  it('a code as a string is not padded with zeros', async () => {
    const { maskId } = await send({ otp: '0042' });
    expect(await verify(maskId, '42')).toMatchObject(INVALID);
    expect(await verify(maskId, '00042')).toMatchObject(INVALID);
  });

  it('a code is case-sensitive', async () => {
    const { maskId } = await passbell
      .post('/auth/sendotp', { to: freshPhone(), otp: 'aBcDe' }, { keys })
      .then((body) => body.data.results[0]);
    expect(await verify(maskId, 'abcde')).toMatchObject(INVALID);
    expect(await verify(maskId, 'aBcDe')).toMatchObject({ success: true });
  });

  it('a code must not contain digits of other scripts', async () => {
    const { maskId } = await send({ otp: '123456' });
    expect(await verify(maskId, '１２３４５６')).toMatchObject(INVALID);
    expect(await verify(maskId, '١٢٣٤٥٦')).toMatchObject(INVALID);
  });

  it('parameter names are case-insensitive', async () => {
    const { maskId, code } = await send();
    expect(await passbell.post('/auth/verifyotp', { MASKID: maskId, OTP: code }, { keys })).toMatchObject({
      success: true,
    });
  });

  it('a maskId may have capital letters and surrounding spaces', async () => {
    const { maskId, code } = await send();
    expect(await verify(` ${maskId.toUpperCase()} `, code)).toMatchObject({ success: true });
  });

  it('a parameter name that matches exactly takes precedence', async () => {
    const { maskId, code } = await send();
    const body = { maskid: 'f'.repeat(32), otp: code, maskId, OTP: wrongCode(code) };
    expect(await passbell.post('/auth/verifyotp', body, { keys })).toMatchObject({ success: true });
  });
});

describe('missing parameters', () => {
  it.each([
    [{}],
    [{ maskId: 'f'.repeat(32) }],
    [{ otp: '123456' }],
    [{ maskId: '', otp: '' }],
    [{ maskId: ' ', otp: '123456' }],
    [{ maskId: 'f'.repeat(32), otp: '  ' }],
    [{ maskId: 'f'.repeat(32), otp: ' - ' }],
  ])('are rejected in %j', async (parameters) => {
    expect(await passbell.post('/auth/verifyotp', parameters, { keys })).toMatchObject(MISSING);
    expect(await passbell.get('/auth/verifyotp', parameters as Record<string, string>, { keys })).toMatchObject(
      MISSING,
    );
  });
});

describe('a value of the wrong type', () => {
  const WRONG = [null, true, false, {}, [], { $ne: '' }];
  it.each(WRONG)('is rejected for maskId %j', async (value) => {
    expect(await verify(value, '123456')).toMatchObject(invalid('maskId must be a string'));
  });
  it.each([...WRONG, 1.5])('is rejected for otp %j', async (value) => {
    const { maskId } = await send();
    expect(await verify(maskId, value)).toMatchObject(invalid('otp must be a string'));
  });
  it('is rejected even if it is a list that contains the correct value', async () => {
    const { maskId, code } = await send();
    expect(await verify([maskId], code)).toMatchObject(invalid('maskId must be a string'));
    expect(await verify(maskId, [code])).toMatchObject(invalid('otp must be a string'));
    const twice = await passbell.fetch(`/api/v1/auth/verifyotp?maskId=${maskId}&otp=${code}&otp=${code}`, {}, { keys });
    expect(await twice.json()).toMatchObject(invalid('otp must be a string'));
  });
});

describe('a maskId', () => {
  it.each(['f'.repeat(32), 'nonsense', '0', `' or 1=1 --`, 'a'.repeat(5000), '\u0000', '\ud800', 'é'.repeat(32)])(
    'is reported as an invalid OTP if it is unknown (%.40j)',
    async (maskId) => expect(await verify(maskId, '123456')).toMatchObject(INVALID),
  );

  it('is treated as unknown if it belongs to another application', async () => {
    const { maskId, code } = await send();
    const other = await passbell.application();
    for (let i = 0; i < 7; i++)
      expect(await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys: other })).toMatchObject(INVALID);
    passbell.clock.advance(300_000);
    expect(await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys: other })).toMatchObject(INVALID);
  });
});

describe('the code expiry', () => {
  it('takes effect exactly at expireTime', async () => {
    const { maskId, code, expireTime } = await send();
    passbell.clock.advance(expireTime * 1000 - 1 - passbell.clock.now());
    expect(await verify(maskId, code)).toMatchObject({ success: true });
    const other = await send();
    passbell.clock.advance(other.expireTime * 1000 - passbell.clock.now());
    expect(await verify(other.maskId, other.code)).toMatchObject(EXPIRED);
  });

  it('is reported for correct and wrong codes, even after a day', async () => {
    const { maskId, code } = await send({ expiry: 1 });
    for (const later of [60_000, 86_400_000]) {
      passbell.clock.advance(later);
      expect(await verify(maskId, code)).toMatchObject(EXPIRED);
      expect(await verify(maskId, wrongCode(code))).toMatchObject(EXPIRED);
    }
  });

  it('takes precedence over a lock', async () => {
    const strict = await passbell.application({ limits: { cooldownSeconds: 0 } });
    const { maskId, code } = await passbell.send(freshPhone(), { expiry: 1 }, { keys: strict });
    const guess = (otp: string) => passbell.post('/auth/verifyotp', { maskId, otp }, { keys: strict });
    passbell.clock.advance(50_000);
    for (let i = 1; i <= 5; i++) await guess(wrongCode(code, i));
    expect(await guess(code)).toMatchObject({ code: 'OTP_LOCKED' });
    passbell.clock.advance(10_000);
    expect(await guess(code)).toMatchObject(EXPIRED);
  });

  it('is not reported for a used code', async () => {
    const { maskId, code } = await send({ expiry: 1 });
    await verify(maskId, code);
    passbell.clock.advance(86_400_000);
    expect(await verify(maskId, code)).toMatchObject(INVALID);
  });
});

describe('a resend', () => {
  it('creates a new code and keeps the older one valid', async () => {
    const to = freshPhone();
    const older = await send({}, to);
    const newer = await send({}, to);
    expect(newer.maskId).not.toBe(older.maskId);
    expect(await verify(newer.maskId, wrongCode(newer.code))).toMatchObject(INVALID);
    expect(await verify(older.maskId, older.code)).toMatchObject({ success: true });
  });

  it('is invalidated when another code of the recipient is verified, on every channel and in every format of the address', async () => {
    const to = freshPhone();
    const sessions = [await send({}, to), await send({ authWay: 'VOICE' }, to), await send({}, to.replace('+', ''))];
    const [first, ...others] = sessions;
    expect(await verify(first.maskId, first.code)).toMatchObject({ success: true });
    for (const { maskId, code } of others) expect(await verify(maskId, code)).toMatchObject(INVALID);
  });

  it('does not affect codes for other recipients, other applications or other plus-tags', async () => {
    const to = freshMail();
    const first = await send({}, to);
    const other = await send();
    const tagged = await send({}, to.replace('@', '+tag@'));
    const foreign = await passbell.send(to);
    await verify(first.maskId, first.code);
    expect(await verify(other.maskId, other.code)).toMatchObject({ success: true });
    expect(await verify(tagged.maskId, tagged.code)).toMatchObject({ success: true });
    const body = await passbell.post('/auth/verifyotp', { maskId: foreign.maskId, otp: foreign.code });
    expect(body).toMatchObject({ success: true });
  });
});

it('used and unused sessions survive a restart', async () => {
  const live = await send({ expiry: 10 });
  const used = await send({ expiry: 10 });
  await verify(used.maskId, used.code);
  passbell = await passbell.restart();
  expect(await verify(used.maskId, used.code)).toMatchObject(INVALID);
  expect(await verify(live.maskId, live.code)).toMatchObject({ success: true });
});
