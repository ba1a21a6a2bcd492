/** Send OTP and Verify OTP of the Zapier app. */
import type { KeyPair } from '../../backend/src/modules/applications/applications-service.js';
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
/** The inputs of a run that no other one has. */
const run = (inputs: object = {}): object => ({ reference: `run ${++runs}`, ...inputs });
const send = (inputs: object = {}, client = shop): Promise<Body> => client.act('send_otp', run(inputs));

describe('Send OTP', () => {
  it.each([
    ['SMS', 'Sms', freshPhone()],
    ['WHATSAPP', 'WHATSAPP', freshPhone()],
    ['VOICE', 'Voice', freshPhone()],
    ['EMAIL', 'Email', freshMail()],
  ])('over %s: the data of the service, and its identifiers beside it', async (channel, authType, to) => {
    const output = await send({ to, channel });
    expect(output).toMatchObject({ authType, isTried: 1, isSent: 1, maskId: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(output.results).toHaveLength(1);
    expect(output.results[0]).toMatchObject({ success: true, authType, maskId: output.maskId, currency: 'usd' });
    expect(Date.parse(output.expiresAt) - Date.parse(output.createdAt)).toBe(300_000);
    expect(await passbell.codeFor(to)).toMatch(/^\d{6}$/);
    expect(JSON.stringify(output)).not.toContain(await passbell.codeFor(to));
  });

  it('passes on every parameter', async () => {
    const to = freshPhone();
    const output = await send({ to, channel: 'SMS', otpLength: 8, expiry: '10', language: 'de' });
    expect(Date.parse(output.expiresAt) - Date.parse(output.createdAt)).toBe(600_000);
    expect(await passbell.codeFor(to)).toMatch(/^\d{8}$/);
    expect((await passbell.inbox(to))[0]!.text).toMatch(/Code/);
    const own = freshPhone();
    await send({ to: own, otp: 'AB12cd' });
    expect((await passbell.inbox(own))[0]!.text).toContain('AB12cd');
  });

  it.each(['', null, undefined])('takes a field that is %p for one that was left out', async (empty) => {
    const to = freshPhone();
    const fields = { channel: empty, otpLength: empty, expiry: empty, otp: empty, language: empty };
    expect(await send({ to, ...fields })).toMatchObject({ isSent: 1, authType: 'Sms' });
    expect(await passbell.codeFor(to)).toMatch(/^\d{6}$/);
    const failure = await shop.refused('send_otp', run({ to: empty }));
    expect(failure).toMatchObject({ name: 'AppError', code: 'MISSING_RECIPIENT' });
  });

  it.each([
    ['blank To', { to: '  ' }, 'MISSING_RECIPIENT', 'To is empty'],
    ['a To that is nothing', { to: 'nobody' }, 'INVALID_RECIPIENT', 'To needs one phone number'],
    ['several recipients', { to: ['+14155550123', '+14155550124'] }, 'INVALID_RECIPIENT', 'To needs one'],
    ['an unknown channel', { to: '+14155550123', channel: 'PIGEON' }, 'INVALID_AUTH_WAY', 'Invalid Channel'],
    ['a mail address by SMS', { to: 'ana@example.com', channel: 'SMS' }, 'INVALID_RECIPIENT', 'the channel can reach'],
    ['a code that is too long', { to: '+14155550123', otpLength: 11 }, 'INVALID_PARAMETER', 'Code Length must be'],
    ['a validity of nothing', { to: '+14155550123', expiry: 0 }, 'INVALID_PARAMETER', 'Valid for Minutes must be'],
    ['an own code that is too short', { to: '+14155550123', otp: '12' }, 'INVALID_PARAMETER', 'Code must be 4 to 10'],
    ['an unknown language', { to: '+14155550123', language: 'x'.repeat(36) }, 'INVALID_PARAMETER', 'Language must be'],
    [
      'a Reference that was mapped to nothing',
      { to: '+14155550123', reference: ' ' },
      'MISSING_REFERENCE',
      'Reference is',
    ],
  ])('fails the run for %s, in the words of the form', async (_case, inputs, code, words) => {
    const failure = await shop.refused('send_otp', run(inputs));
    expect(failure).toMatchObject({ name: 'AppError', code, text: expect.stringContaining(words) });
    expect(failure.text).toMatch(/^[A-Z].*\.$/);
    expect(failure.text).not.toMatch(/[a-z][A-Z](?!pp)/);
  });

  it.each(['', null, undefined])('takes no Reference that is %p for that of another code', async (reference) => {
    const failure = await shop.refused('send_otp', { to: freshPhone(), reference });
    expect(failure).toMatchObject({ name: 'AppError', code: 'MISSING_REFERENCE' });
  });

  it('is tried again later when the recipient or the application has had enough', async () => {
    const strict = connect(passbell.url, await passbell.application({ limits: { burstPerSecond: 2 } }));
    const to = freshPhone();
    await send({ to }, strict);
    expect(await strict.refused('send_otp', run({ to }))).toMatchObject({ name: 'ThrottledError', delay: 30 });
    await send({ to: freshPhone() }, strict);
    const burst = await strict.refused('send_otp', run({ to: freshPhone() }));
    expect(burst).toMatchObject({ name: 'ThrottledError', delay: 1 });
  });

  it('fails the run for a country that the application leaves out', async () => {
    const german = await passbell.application({ ...NO_LIMITS, settings: { countries: ['DE'] } });
    expect(await connect(passbell.url, german).refused('send_otp', run({ to: freshPhone() }))).toMatchObject({
      name: 'AppError',
      code: 'COUNTRY_NOT_ALLOWED',
    });
  });

  it('fails the run while the account is blocked', async () => {
    const { applications } = passbell.service;
    await applications.setAccountStatus(keys.appKey, 'blocked');
    expect(await shop.refused('send_otp', run({ to: freshPhone() }))).toMatchObject({ code: 'ACCOUNT_BLOCKED' });
    await applications.setAccountStatus(keys.appKey, 'active');
  });
});

describe('Verify OTP', () => {
  async function sent(inputs: object = {}, client = shop): Promise<{ maskId: string; code: string; to: string }> {
    const to = freshPhone();
    const { maskId } = await send({ to, ...inputs }, client);
    return { maskId, code: await passbell.codeFor(to), to };
  }
  const wrong = (inputs: object, whenWrong?: string): Promise<Body> => shop.act('verify_otp', { ...inputs, whenWrong });

  it('verifies the right code and starts a session', async () => {
    const { maskId, code, to } = await sent();
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

  it('takes a code that lost its zeros on the way, and one with spaces', async () => {
    const first = await sent({ otp: '004217' });
    expect(await shop.act('verify_otp', { maskId: first.maskId, otp: 4217 })).toMatchObject({ verified: true });
    const second = await sent({ otp: '004218' });
    expect(await shop.act('verify_otp', { maskId: second.maskId, otp: ' 004-218 ' })).toMatchObject({ verified: true });
  });

  it.each([undefined, null, '', 'stop', 'anything else'])(
    'stops softly at a wrong code when the choice is %p',
    async (whenWrong) => {
      const { maskId, code } = await sent();
      const otp = wrongCode(code);
      const failure = await shop.refused('verify_otp', { maskId, otp, whenWrong });
      expect(failure).toEqual({ name: 'HaltedError', text: 'Invalid OTP.' });
    },
  );

  it('goes on at a wrong code when the person chose so, and the right one still counts', async () => {
    const { maskId, code } = await sent();
    const output = await wrong({ maskId, otp: wrongCode(code) }, 'continue');
    expect(output).toEqual({ verified: false, reason: 'Invalid OTP' });
    expect(await wrong({ maskId, otp: code }, 'continue')).toMatchObject({ verified: true });
    expect(await wrong({ maskId, otp: code }, 'continue')).toMatchObject({ verified: false });
  });

  it('tells an expired code by the same choice', async () => {
    const { maskId, code } = await sent({ expiry: 1 });
    passbell.clock.advance(61_000);
    expect(await wrong({ maskId, otp: code }, 'continue')).toEqual({ verified: false, reason: 'OTP has expired' });
    expect(await shop.refused('verify_otp', { maskId, otp: code })).toEqual({
      name: 'HaltedError',
      text: 'OTP has expired.',
    });
  });

  it.each(['stop', 'continue'])('is tried again later when the code is locked (%s)', async (whenWrong) => {
    const strict = connect(passbell.url, await passbell.application(NO_SEND_LIMITS));
    const { maskId, code } = await sent({ expiry: 60 }, strict);
    for (let i = 1; i <= 5; i++)
      await strict.act('verify_otp', { maskId, otp: wrongCode(code, i), whenWrong: 'continue' });
    expect(await strict.refused('verify_otp', { maskId, otp: code, whenWrong })).toMatchObject({
      name: 'ThrottledError',
      delay: 60,
    });
  });

  it.each([
    ['no Mask ID', { maskId: '', otp: '123456' }],
    ['no code', { maskId: '0'.repeat(32), otp: '' }],
    ['no code at all', { maskId: '0'.repeat(32), otp: null }],
    ['nothing', {}],
  ])('fails the run for %s, whatever the choice', async (_case, inputs) => {
    for (const whenWrong of ['stop', 'continue'])
      expect(await shop.refused('verify_otp', { ...inputs, whenWrong })).toMatchObject({
        name: 'AppError',
        code: 'MISSING_PARAMETERS',
      });
  });

  it('a code of another application is wrong', async () => {
    const other = connect(passbell.url, await passbell.application(NO_LIMITS));
    const { maskId, code } = await sent();
    const output = await other.act('verify_otp', { maskId, otp: code, whenWrong: 'continue' });
    expect(output).toMatchObject({ verified: false });
  });
});
