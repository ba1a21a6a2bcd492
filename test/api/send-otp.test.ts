/** sendOtp, sendOtpByQuery: replies and messages of `/auth/sendotp`. */
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());
beforeEach(() => passbell.clock.advance(60_000));

const firstResult = (body: Body): Body => body.data.results[0];

it('sends a six-digit code over the first channel of the application', async () => {
  const to = freshPhone();
  const body = await passbell.post('/auth/sendotp', { to });
  expect(body).toMatchObject({ success: true, data: { isTried: 1, isSent: 1, results: [{ authType: 'Sms' }] } });
  expect(await passbell.inbox(to)).toMatchObject([
    { channel: 'SMS', to, text: expect.stringMatching(/^\d{6} is your Test Shop code/) },
  ]);
});

it('accepts the parameters in a query string', async () => {
  const to = freshPhone();
  const body = await passbell.get('/auth/sendotp', { to, authWay: 'SMS', otpLength: '8', expiry: '10' });
  expect(firstResult(body)).toMatchObject({ success: true, authType: 'Sms' });
  expect(firstResult(body).expireTime - firstResult(body).createdTime).toBe(600);
  expect(await passbell.codeFor(to)).toMatch(/^\d{8}$/);
});

it('returns every field of a result, including alternative names', async () => {
  const body = await passbell.post('/auth/sendotp', { to: '+14155550199' });
  const now = passbell.clock.now() / 1000;
  expect(body).toEqual({
    success: true,
    message: expect.any(String),
    data: {
      isTried: 1,
      isSent: 1,
      results: [
        {
          success: true,
          message: 'sent',
          to: '+1415*****99',
          authType: 'Sms',
          authtype: 'Sms',
          maskId: expect.stringMatching(/^[0-9a-f]{32}$/),
          messageId: expect.stringMatching(/^[0-9a-f]{32}$/),
          createdTime: now,
          expireTime: now + 300,
          expiretime: now + 300,
          charge: '0.0000',
          currency: 'usd',
        },
      ],
    },
  });
});

it.each([1, 7, 1440])(
  'sets the expiry to exactly %i minutes after creation, even in the middle of a second',
  async (expiry) => {
    passbell.clock.advance(734);
    const result = firstResult(await passbell.post('/auth/sendotp', { to: freshPhone(), expiry }));
    expect(result.expireTime - result.createdTime).toBe(60 * expiry);
    expect(result.createdTime).toBe(Math.floor(passbell.clock.now() / 1000));
    passbell.clock.advance(266);
  },
);

it('creates a unique maskId for every send', async () => {
  const keys = await passbell.application(NO_LIMITS);
  const to = freshPhone();
  const ids = [];
  for (let i = 0; i < 10; i++) ids.push((await passbell.send(to, {}, { keys })).maskId);
  expect(new Set(ids).size).toBe(10);
});

it.each([
  ['SMS', 'Sms', 'SMS'],
  ['sms', 'Sms', 'SMS'],
  ['Whatsapp', 'WHATSAPP', 'WHATSAPP'],
  ['WHATSAPP', 'WHATSAPP', 'WHATSAPP'],
  ['voice', 'Voice', 'VOICE'],
  ['VoiceCall', 'Voice', 'VOICE'],
  ['voicecall', 'Voice', 'VOICE'],
  ['CALL', 'Voice', 'VOICE'],
  ['call', 'Voice', 'VOICE'],
  [' sms ', 'Sms', 'SMS'],
])('accepts authWay %s and returns %s', async (authWay, authType, channel) => {
  const to = freshPhone();
  expect(firstResult(await passbell.post('/auth/sendotp', { to, authWay }))).toMatchObject({
    authType,
    authtype: authType,
  });
  expect(await passbell.inbox(to)).toMatchObject([{ channel }]);
});

it.each(['EMAIL', 'email', 'eMail', '', undefined])('sends an email when authWay is %p', async (authWay) => {
  const to = freshMail();
  expect(firstResult(await passbell.post('/auth/sendotp', { to, authWay }))).toMatchObject({ authType: 'Email' });
  expect(await passbell.inbox(to)).toMatchObject([{ channel: 'EMAIL', to }]);
});

it('treats a blank authWay as missing', async () => {
  expect(firstResult(await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: '' })).authType).toBe('Sms');
  expect(firstResult(await passbell.get('/auth/sendotp', { to: freshPhone(), authWay: ' ' })).authType).toBe('Sms');
});

it.each(['FAX', 'SMS,EMAIL', 'sms voice', '0', 'ѕms', 'constructor', '__proto__'])(
  'rejects authWay %s and sends nothing',
  async (authWay) => {
    const to = freshPhone();
    const failure = { success: false, message: 'invalid authWay', code: 'INVALID_AUTH_WAY' };
    expect(await passbell.post('/auth/sendotp', { to, authWay })).toMatchObject(failure);
    expect(await passbell.get('/auth/sendotp', { to, authWay })).toMatchObject(failure);
    expect(await passbell.inbox(to)).toEqual([]);
  },
);

it.each([
  ['EMAIL', '+14155550123'],
  ['SMS', 'ana@example.com'],
  ['WHATSAPP', 'ana@example.com'],
  ['VOICE', 'ana@example.com'],
])('rejects the channel %s for the recipient %s', async (authWay, to) => {
  expect(await passbell.post('/auth/sendotp', { to, authWay })).toMatchObject({
    success: false,
    message: 'invalid recipient',
    code: 'INVALID_RECIPIENT',
  });
});

it('uses the first channel of a custom channel order', async () => {
  const keys = await passbell.application({ settings: { channels: ['VOICE', 'SMS'] } });
  expect(firstResult(await passbell.post('/auth/sendotp', { to: freshPhone() }, { keys })).authType).toBe('Voice');
});

it('names the application in a voice call and reads the code digit by digit', async () => {
  const to = freshPhone();
  await passbell.post('/auth/sendotp', { to, authWay: 'VOICE', otp: '4711' });
  expect((await passbell.inbox(to))[0]!.text).toMatch(/Test Shop[^]*4, 7, 1, 1/);
});

describe('the allowed countries of an application', () => {
  it('restrict phone numbers, but not email addresses', async () => {
    const keys = await passbell.application({ settings: { countries: ['DE'] } });
    expect(await passbell.post('/auth/sendotp', { to: freshPhone() }, { keys })).toMatchObject({
      success: false,
      code: 'COUNTRY_NOT_ALLOWED',
    });
    expect(await passbell.post('/auth/sendotp', { to: '+4917612345678' }, { keys })).toMatchObject({ success: true });
    expect(await passbell.post('/auth/sendotp', { to: freshMail() }, { keys })).toMatchObject({ success: true });
  });
});

describe('a test recipient', () => {
  const testRecipients = { '+15005550006': '246810', 'review@example.com': '0007' };

  it.each([
    ['+15005550006', '246810', 'Sms'],
    ['001 (500) 555-0006', '246810', 'Sms'],
    ['review@EXAMPLE.com', '0007', 'Email'],
  ])('%s has a fixed code, costs nothing and gets no message', async (to, code, authType) => {
    const keys = await passbell.application({ settings: { testRecipients } });
    const result = firstResult(await passbell.post('/auth/sendotp', { to, otp: '999999' }, { keys }));
    expect(result).toMatchObject({ success: true, authType, charge: '0.0000' });
    expect(await passbell.inbox(to)).toEqual([]);
    const wrong = await passbell.post('/auth/verifyotp', { maskId: result.maskId, otp: '999999' }, { keys });
    expect(wrong).toMatchObject({ success: false, message: 'Invalid OTP' });
    const right = await passbell.post('/auth/verifyotp', { maskId: result.maskId, otp: code }, { keys });
    expect(right).toMatchObject({ success: true, status: 'verified' });
  });

  it('is a normal recipient for other applications', async () => {
    await passbell.application({ settings: { testRecipients: { '+14155550177': '246810' } } });
    const sent = await passbell.send('+14155550177');
    expect(await passbell.inbox('+14155550177')).toHaveLength(1);
    expect(sent.code).toMatch(/^\d{6}$/);
  });

  it('is rejected for a channel that does not match its address', async () => {
    const keys = await passbell.application({ settings: { testRecipients } });
    const body = await passbell.post('/auth/sendotp', { to: '+15005550006', authWay: 'EMAIL' }, { keys });
    expect(body).toMatchObject({ success: false, code: 'INVALID_RECIPIENT' });
  });
});
