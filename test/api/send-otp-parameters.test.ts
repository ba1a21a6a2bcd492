/** sendOtp, sendOtpByQuery: accepted and rejected values of each parameter. */
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
let keys: KeyPair;
beforeAll(async () => {
  passbell = await startService();
  keys = await passbell.application(NO_LIMITS);
});
afterAll(() => passbell.stop());

const byBody = (parameters: object): Promise<Body> => passbell.post('/auth/sendotp', parameters, { keys });
const byQuery = (query: Record<string, string>): Promise<Body> => passbell.get('/auth/sendotp', query, { keys });
const invalid = (message: string) => ({ success: false, code: 'INVALID_PARAMETER', message });
const OTP_TEXT = 'otp must be 4 to 10 letters or digits';
const LENGTH_TEXT = 'otpLength must be a whole number from 4 to 10 (digits)';
const EXPIRY_TEXT = 'expiry must be a whole number from 1 to 1440 (minutes)';

describe('parameter names', () => {
  it('are case-insensitive in a JSON body', async () => {
    const to = freshPhone();
    const body = await byBody({ TO: to, authway: 'voice', otplength: 7, EXPIRY: 2 });
    expect(body.data.results[0]).toMatchObject({ authType: 'Voice' });
    expect(body.data.results[0].expireTime - body.data.results[0].createdTime).toBe(120);
    expect(await passbell.codeFor(to)).toMatch(/^\d{7}$/);
  });

  it('are case-insensitive in a query string', async () => {
    const to = freshPhone();
    const body = await byQuery({ To: to, AUTHWAY: 'whatsapp', OtpLength: '4' });
    expect(body.data.results[0]).toMatchObject({ authType: 'WHATSAPP' });
    expect(await passbell.codeFor(to)).toMatch(/^\d{4}$/);
  });

  it.each([
    ['after', { otplength: 9, otpLength: 4 }],
    ['before', { otpLength: 4, otplength: 9 }],
  ])(
    'take precedence if their case matches exactly, even %s the same name in a different case',
    async (_where, lengths) => {
      const to = freshPhone();
      expect(await byBody({ to, ...lengths })).toMatchObject({ success: true });
      expect(await passbell.codeFor(to)).toMatch(/^\d{4}$/);
    },
  );

  it('are ignored if unknown, whatever the value', async () => {
    const body = await byBody({ to: freshPhone(), channel: 'FAX', callback: { a: [1] }, constructor: null });
    expect(body).toMatchObject({ success: true });
  });
});

describe('to', () => {
  const missing = { success: false, code: 'MISSING_RECIPIENT', message: 'missing sender address' };

  it.each([[{}], [{ to: '' }], [{ to: '  ' }], [{ to: '\t\n' }], [{ authWay: 'FAX', to: '' }]])(
    'is reported as missing in %j',
    async (parameters) => expect(await byBody(parameters)).toMatchObject(missing),
  );

  it('is reported as missing in an empty query string or body', async () => {
    expect(await byQuery({})).toMatchObject(missing);
    expect(await byQuery({ to: '' })).toMatchObject(missing);
    expect(await byBody('' as unknown as object)).toMatchObject(missing);
  });

  it.each([
    '+14155550142',
    '14155550142',
    '0014155550142',
    '+1 415 555 0142',
    '+1-415-555-0142',
    '+1 (415) 555-0142',
    '00 1 (415) 555 0142',
    ' +14155550142 ',
    '+1\u00a0415\u00a0555\u00a00142',
    '+1.415.555.0142',
  ])('accepts %j as a phone number', async (to) => {
    const before = (await passbell.inbox('+14155550142')).length;
    expect(await byBody({ to })).toMatchObject({ success: true, data: { results: [{ to: '+1415*****42' }] } });
    const inbox = await passbell.inbox('+14155550142');
    expect(inbox).toHaveLength(before + 1);
    expect(inbox[0]!.to).toBe('+14155550142');
  });

  it('accepts a JSON number', async () => {
    expect(await byBody({ to: 14155550142 })).toMatchObject({ success: true });
    expect((await passbell.inbox())[0]!.to).toBe('+14155550142');
  });

  it('accepts an unencoded plus sign in a query string', async () => {
    const response = await passbell.fetch('/api/v1/auth/sendotp?to=+14155550143', {}, { keys });
    expect(await response.json()).toMatchObject({ success: true });
    expect((await passbell.inbox())[0]!.to).toBe('+14155550143');
  });

  it.each([
    ['  Ana@EXAMPLE.com ', 'Ana@example.com', 'An***@example.com'],
    ['ana@bücher.example', 'ana@xn--bcher-kva.example', 'an***@xn--bcher-kva.example'],
    ['ana+tag@Example.Co.Uk', 'ana+tag@example.co.uk', 'an***@example.co.uk'],
    ['a@example.org', 'a@example.org', '***@example.org'],
    ["o'hara_1%x@example.org", "o'hara_1%x@example.org", "o'***@example.org"],
  ])('reads %j as the email address %s', async (to, address, masked) => {
    expect(await byBody({ to })).toMatchObject({ success: true, data: { results: [{ to: masked }] } });
    expect((await passbell.inbox())[0]!.to).toBe(address);
  });

  it.each([
    ['letters', 'not a number'],
    ['too few digits', '+123'],
    ['too many digits', '+1234567890123456'],
    ['an impossible number', '+1415555'],
    ['an unknown country code', '+99955550123'],
    ['an extension', '+14155550123 ext 5'],
    ['two numbers', '+14155550123,+14155550124'],
    ['Arabic digits', '+١٤١٥٥٥٥٠١٢٣'],
    ['full-width digits', '＋１４１５５５５０１２３'],
    ['NUL', '+14155550123\u0000'],
    ['an email address without a host', 'ana@'],
    ['an email address without a local part', '@example.com'],
    ['an email address without a dot', 'ana@localhost'],
    ['two email addresses', 'ana@example.com,bob@example.com'],
    ['two at signs', 'ana@bob@example.com'],
    ['a display name', 'Ana <ana@example.com>'],
    ['a line break', 'ana@example.com\r\nBcc: bob@example.com'],
    ['a quoted local part', '"ana"@example.com'],
    ['an address literal', 'ana@[127.0.0.1]'],
    ['an IP address as the host', 'ana@127.0.0.11'],
    ['consecutive dots', 'a..b@example.com'],
    ['more than 320 characters', `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c.'.repeat(200)}com`],
    ['a decimal fraction', 1415555012.3],
    ['a negative number', -14155550123],
  ])('rejects %s', async (_what, to) => {
    const before = await passbell.inbox();
    expect(await byBody({ to })).toMatchObject({
      success: false,
      code: 'INVALID_RECIPIENT',
      message: 'invalid recipient',
    });
    expect(await passbell.inbox()).toEqual(before);
  });

  it('rejects a list', async () => {
    const failure = { success: false, code: 'INVALID_RECIPIENT', message: 'invalid recipient' };
    expect(await byBody({ to: ['+14155550123'] })).toMatchObject(failure);
    expect(await byBody({ to: [] })).toMatchObject(failure);
    const twice = await passbell.fetch('/api/v1/auth/sendotp?to=%2B14155550123&to=%2B14155550124', {}, { keys });
    expect(await twice.json()).toMatchObject(failure);
  });
});

describe.each([
  ['otpLength', LENGTH_TEXT, 4, 10],
  ['expiry', EXPIRY_TEXT, 1, 1440],
])('%s', (name, text, least, most) => {
  const outcome = async (value: unknown) => byBody({ to: freshPhone(), [name]: value });

  it.each([least, most, String(least), String(most), ` ${least} `])('accepts %j', async (value) => {
    expect(await outcome(value)).toMatchObject({ success: true });
    expect(await byQuery({ to: freshPhone(), [name]: String(value) })).toMatchObject({ success: true });
  });

  it.each([least - 1, most + 1, least + 0.5, -least, 1e9, 1e300, String(least - 1), String(most + 1)])(
    'rejects %j with an error that contains the range and unit',
    async (value) => {
      expect(await outcome(value)).toMatchObject(invalid(text));
      expect(await byQuery({ to: freshPhone(), [name]: String(value) })).toMatchObject(invalid(text));
    },
  );

  it.each(['five', '5 minutes', '5.0', '0x5', '1e1', '+5', '٥', 'NaN', 'Infinity', '5,5'])(
    'rejects %j',
    async (value) => {
      expect(await outcome(value)).toMatchObject(invalid(text));
    },
  );

  it.each([[''], ['  ']])('treats %j as missing', async (value) => {
    expect(await outcome(value)).toMatchObject({ success: true });
  });
});

describe('otp', () => {
  it.each([
    ['1234', '1234'],
    ['0000000000', '0000000000'],
    ['aB3dE', 'aB3dE'],
    ['12 34-56', '123456'],
    [4711, '4711'],
    [9876543210, '9876543210'],
  ])('%j is sent as %s, regardless of otpLength', async (otp, code) => {
    const to = freshPhone();
    const { maskId } = (await byBody({ to, otp, otpLength: 5 })).data.results[0];
    expect((await passbell.inbox(to))[0]!.text).toMatch(new RegExp(`^${code} is your`));
    expect(await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys })).toMatchObject({ success: true });
  });

  it.each([
    ['too short', '123'],
    ['too long', '12345678901'],
    ['a text with punctuation', '12_34'],
    ['written in Arabic digits', '١٢٣٤'],
    ['a text with accents', 'pâté'],
    ['a fraction', 1234.5],
    ['a negative number', -1234],
    ['a number of three digits', 123],
    ['a number of one digit', 0],
    ['a number of eleven digits', 12345678901],
    ['a number beyond the safe integers', 1e20],
    ['a number with an exponent', 1e21],
  ])('is rejected if it is %s, and nothing is sent', async (_what, otp) => {
    const to = freshPhone();
    expect(await byBody({ to, otp })).toMatchObject(invalid(OTP_TEXT));
    expect(await passbell.inbox(to)).toEqual([]);
  });
});

describe('a value of the wrong type', () => {
  const WRONG = [null, true, false, {}, { a: 1 }, [], ['SMS'], [[1]]];
  it.each(
    ['to', 'authWay', 'otpLength', 'expiry', 'otp'].flatMap((name) => WRONG.map((value) => [name, value] as const)),
  )('is rejected for %s = %j with a message that names the parameter', async (name, value) => {
    const to = freshPhone();
    const body = await byBody({ to, [name]: value });
    expect(body.success).toBe(false);
    // A list of recipients has a different error message.
    expect(body.message).toMatch(name === 'to' && Array.isArray(value) ? /^invalid recipient$/ : new RegExp(name));
    expect(await passbell.inbox(to)).toEqual([]);
  });
});
