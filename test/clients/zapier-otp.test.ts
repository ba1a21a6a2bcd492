/** Send Code and Verify Code of the Zapier app. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import {
  freshMail,
  freshPhone,
  NO_LIMITS,
  NO_SEND_LIMITS,
  startService,
  wrongCode,
  type Body,
  type TestService,
} from '../support/service.js';
import { connect } from '../support/zapier.js';

let passbell: TestService;
let keys: KeyPair;
let shop: ReturnType<typeof connect>;
beforeAll(async () => {
  passbell = await startService();
  keys = await passbell.application(NO_LIMITS);
  shop = connect(passbell.url, keys);
});
afterAll(() => passbell.stop());

let runs = 0;
/** Inputs with a unique reference, as for a new run. */
const run = (inputs: object = {}): object => ({ reference: `run ${++runs}`, ...inputs });
const send = (inputs: object = {}, client = shop): Promise<Body> => client.act('send_otp', run(inputs));

describe('Send Code', () => {
  it.each([
    ['SMS', 'Sms', freshPhone()],
    ['WHATSAPP', 'WHATSAPP', freshPhone()],
    ['VOICE', 'Voice', freshPhone()],
    ['EMAIL', 'Email', freshMail()],
  ])('sends over %s, and returns the result with its identifiers at the top level', async (channel, authType, to) => {
    const output = await send({ to, channel });
    expect(output).toMatchObject({ authType, isTried: 1, isSent: 1, maskId: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(output.results).toHaveLength(1);
    expect(output.results[0]).toMatchObject({ success: true, authType, maskId: output.maskId, currency: 'usd' });
    expect(Date.parse(output.expiresAt) - Date.parse(output.createdAt)).toBe(300_000);
    expect(await passbell.codeFor(to)).toMatch(/^\d{6}$/);
    expect(JSON.stringify(output)).not.toContain(await passbell.codeFor(to));
  });

  it('passes every parameter to the service', async () => {
    const to = freshPhone();
    const output = await send({
      to,
      channel: 'SMS',
      otpLength: 8,
      expiry: '10',
      language: 'de',
      clientIp: '2001:db8::1',
    });
    expect(Date.parse(output.expiresAt) - Date.parse(output.createdAt)).toBe(600_000);
    expect(await passbell.codeFor(to)).toMatch(/^\d{8}$/);
    expect((await passbell.inbox(to))[0]!.text).toMatch(/Code/);
    const other = freshPhone();
    await send({ to: other, otp: 'AB12cd' });
    expect((await passbell.inbox(other))[0]!.text).toContain('AB12cd');
  });

  it.each(['', null, undefined])('treats a field that is %p as missing', async (empty) => {
    const to = freshPhone();
    const fields = { channel: empty, otpLength: empty, expiry: empty, otp: empty, language: empty };
    expect(await send({ to, ...fields })).toMatchObject({ isSent: 1, authType: 'Sms' });
    expect(await passbell.codeFor(to)).toMatch(/^\d{6}$/);
    const failure = await shop.actError('send_otp', run({ to: empty }));
    expect(failure).toMatchObject({ name: 'AppError', code: 'MISSING_RECIPIENT' });
  });

  it.each([
    ['blank To', { to: '  ' }, 'MISSING_RECIPIENT', 'To is empty'],
    ['an invalid To', { to: 'nobody' }, 'INVALID_RECIPIENT', 'Enter a phone number with'],
    ['several recipients', { to: ['+14155550123', '+14155550124'] }, 'INVALID_RECIPIENT', 'Use a phone number with'],
    ['an unknown channel', { to: '+14155550123', channel: 'PIGEON' }, 'INVALID_AUTH_WAY', 'Invalid Channel'],
    [
      'an email address with SMS',
      { to: 'ana@example.com', channel: 'SMS' },
      'INVALID_RECIPIENT',
      'The channel SMS needs a phone number. Change the recipient, or omit Channel.',
    ],
    ['a code that is too long', { to: '+14155550123', otpLength: 11 }, 'INVALID_PARAMETER', 'Code Length must be'],
    ['an address that is none', { to: '+14155550123', clientIp: 'nonsense' }, 'INVALID_PARAMETER', 'Client IP must be'],
    ['a validity of 0', { to: '+14155550123', expiry: 0 }, 'INVALID_PARAMETER', 'Valid For (Minutes) must be'],
    [
      'a custom code that is too short',
      { to: '+14155550123', otp: '12' },
      'INVALID_PARAMETER',
      'Own Code must be 4 to 10',
    ],
    ['an unknown language', { to: '+14155550123', language: 'x'.repeat(36) }, 'INVALID_PARAMETER', 'Language must be'],
    ['a blank Reference', { to: '+14155550123', reference: ' ' }, 'MISSING_REFERENCE', 'Reference is'],
  ])('fails the run for %s, with an error that uses the field labels', async (_case, inputs, code, text) => {
    const failure = await shop.actError('send_otp', run(inputs));
    expect(failure).toMatchObject({ name: 'AppError', code, text: expect.stringContaining(text) });
    expect(failure.text).toMatch(/^[A-Z].*\.$/);
    expect(failure.text).not.toMatch(/[a-z][A-Z](?!pp)/);
  });

  it.each(['', null, undefined])('rejects the Reference %p', async (reference) => {
    const failure = await shop.actError('send_otp', { to: freshPhone(), reference });
    expect(failure).toMatchObject({ name: 'AppError', code: 'MISSING_REFERENCE' });
  });

  it('is retried later during a cooldown or a burst limit', async () => {
    const strict = connect(passbell.url, await passbell.application({ limits: { burstPerSecond: 2 } }));
    const to = freshPhone();
    await send({ to }, strict);
    expect(await strict.actError('send_otp', run({ to }))).toMatchObject({ name: 'ThrottledError', delay: 30 });
    await send({ to: freshPhone() }, strict);
    const burst = await strict.actError('send_otp', run({ to: freshPhone() }));
    expect(burst).toMatchObject({ name: 'ThrottledError', delay: 1 });
  });

  it('fails the run for a country that the application does not allow', async () => {
    const german = await passbell.application({ ...NO_LIMITS, settings: { countries: ['DE'] } });
    expect(await connect(passbell.url, german).actError('send_otp', run({ to: freshPhone() }))).toMatchObject({
      name: 'AppError',
      code: 'COUNTRY_NOT_ALLOWED',
    });
  });

  it('fails the run while the account is blocked', async () => {
    const { applications } = passbell.core;
    await applications.service.setAccountStatus(OPERATOR, keys.appKey, 'blocked');
    expect(await shop.actError('send_otp', run({ to: freshPhone() }))).toMatchObject({ code: 'ACCOUNT_BLOCKED' });
    await applications.service.setAccountStatus(OPERATOR, keys.appKey, 'active');
  });
});

describe('Verify Code', () => {
  async function sendCode(inputs: object = {}, client = shop): Promise<{ maskId: string; code: string; to: string }> {
    const to = freshPhone();
    const { maskId } = await send({ to, ...inputs }, client);
    return { maskId, code: await passbell.codeFor(to), to };
  }
  const verify = (inputs: object, whenWrong?: string): Promise<Body> =>
    shop.act('verify_otp', { ...inputs, whenWrong });

  it('verifies the correct code and starts a session', async () => {
    const { maskId, code, to } = await sendCode();
    const output: Body = await shop.act('verify_otp', { maskId, otp: code });
    expect(output).toMatchObject({
      verified: true,
      reason: '',
      tokenType: 'Bearer',
      expiresIn: 1800,
      user: { phone: to, email: '', userId: expect.stringMatching(/^USR-/) },
    });
    expect(await shop.act('verify_token', { session: output.token })).toMatchObject({ userId: output.user.userId });
  });

  it('accepts a code without its leading zeros, and a code with spaces', async () => {
    const first = await sendCode({ otp: '004217' });
    expect(await shop.act('verify_otp', { maskId: first.maskId, otp: 4217 })).toMatchObject({ verified: true });
    const second = await sendCode({ otp: '004218' });
    expect(await shop.act('verify_otp', { maskId: second.maskId, otp: ' 004-218 ' })).toMatchObject({ verified: true });
    // Zapier converts numbers to text.
    const third = await sendCode({ otp: '004219' });
    expect(await shop.act('verify_otp', { maskId: third.maskId, otp: '4219' })).toMatchObject({ verified: true });
  });

  it.each([undefined, null, '', 'stop', 'anything else'])(
    'halts on a wrong code if whenWrong is %p',
    async (whenWrong) => {
      const { maskId, code } = await sendCode();
      const otp = wrongCode(code);
      const failure = await shop.actError('verify_otp', { maskId, otp, whenWrong });
      expect(failure).toEqual({ name: 'HaltedError', text: 'Invalid OTP.' });
    },
  );

  it('finds the code by its recipient, but uses the Verification ID if both are given', async () => {
    const first = await sendCode();
    expect(await shop.act('verify_otp', { to: first.to, otp: first.code })).toMatchObject({
      user: { phone: first.to },
    });
    const second = await sendCode();
    const third = await sendCode();
    const inputs = { to: third.to, maskId: second.maskId, otp: second.code };
    expect(await shop.act('verify_otp', inputs)).toMatchObject({ user: { phone: second.to } });
  });

  it('returns the first result when Zapier repeats the step with the same Reference', async () => {
    const { to, code } = await sendCode();
    const first: Body = await shop.act('verify_otp', { to, otp: code, reference: 'response 7' });
    const second: Body = await shop.act('verify_otp', { to, otp: code, reference: 'response 7' });
    expect(second).toEqual({ ...first, token: expect.any(String) });
    for (const reference of ['response 8', ''])
      expect(await verify({ to, otp: code, reference }, 'continue')).toMatchObject({ verified: false });
  });

  it('continues after a wrong code if whenWrong is "continue", and then accepts the correct code', async () => {
    const { maskId, code } = await sendCode();
    const output = await verify({ maskId, otp: wrongCode(code) }, 'continue');
    expect(output).toEqual({ verified: false, reason: 'Invalid OTP', retryAfterSeconds: 0 });
    expect(await verify({ maskId, otp: code }, 'continue')).toMatchObject({ verified: true });
    expect(await verify({ maskId, otp: code }, 'continue')).toMatchObject({ verified: false });
  });

  it('applies whenWrong to expired codes, too', async () => {
    const { maskId, code } = await sendCode({ expiry: 1 });
    passbell.clock.advance(61_000);
    expect(await verify({ maskId, otp: code }, 'continue')).toMatchObject({
      verified: false,
      reason: 'OTP has expired',
    });
    expect(await shop.actError('verify_otp', { maskId, otp: code })).toEqual({
      name: 'HaltedError',
      text: 'OTP has expired.',
    });
  });

  it('is retried later when the code is locked, or continues with the wait time', async () => {
    const strict = connect(passbell.url, await passbell.application(NO_SEND_LIMITS));
    const { maskId, code } = await sendCode({ expiry: 60 }, strict);
    for (let i = 1; i <= 5; i++)
      await strict.act('verify_otp', { maskId, otp: wrongCode(code, i), whenWrong: 'continue' });
    expect(await strict.actError('verify_otp', { maskId, otp: code, whenWrong: 'stop' })).toMatchObject({
      name: 'ThrottledError',
      delay: 60,
    });
    expect(await strict.act('verify_otp', { maskId, otp: code, whenWrong: 'continue' })).toMatchObject({
      verified: false,
      retryAfterSeconds: 60,
    });
  });

  it.each([
    ['no Recipient and no Verification ID', { to: '', maskId: '', otp: '123456' }],
    ['no code', { maskId: '0'.repeat(32), otp: '' }],
    ['a null code', { maskId: '0'.repeat(32), otp: null }],
    ['nothing', {}],
  ])('fails the run for %s, regardless of whenWrong', async (_case, inputs) => {
    for (const whenWrong of ['stop', 'continue'])
      expect(await shop.actError('verify_otp', { ...inputs, whenWrong })).toMatchObject({
        name: 'AppError',
        code: 'MISSING_PARAMETERS',
      });
  });

  it('names the empty field, and says after the last attempt that the code is locked', async () => {
    expect(await shop.actError('verify_otp', { otp: '123456' })).toMatchObject({
      text: 'Recipient is empty. Map it, or map Verification ID instead.',
    });
    expect(await shop.actError('verify_otp', { maskId: '0'.repeat(32) })).toMatchObject({
      text: expect.stringContaining('Code is empty.'),
    });
    expect(await shop.actError('verify_otp', { to: '(415) 555-0199', otp: '123456' })).toMatchObject({
      code: 'INVALID_RECIPIENT',
      text: expect.stringContaining('country code'),
    });
    const strict = connect(passbell.url, await passbell.application(NO_SEND_LIMITS));
    const to = freshPhone();
    const { maskId } = await send({ to }, strict);
    const code = await passbell.codeFor(to);
    for (let n = 1; n <= 4; n++)
      await strict.act('verify_otp', { maskId, otp: wrongCode(code, n), whenWrong: 'continue' });
    expect(await strict.actError('verify_otp', { maskId, otp: wrongCode(code, 5), whenWrong: 'stop' })).toMatchObject({
      text: 'Invalid OTP. Too many wrong codes. Try again in 60 seconds.',
    });
  });

  it('treats a code from another application as wrong', async () => {
    const other = connect(passbell.url, await passbell.application(NO_LIMITS));
    const { maskId, code } = await sendCode();
    const output = await other.act('verify_otp', { maskId, otp: code, whenWrong: 'continue' });
    expect(output).toMatchObject({ verified: false });
  });
});
