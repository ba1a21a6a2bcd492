/**
 * Fuzzed bodies: every request fails cleanly or works as defined, without internal errors, and no wrong code is
 * verified.
 */
import fc from 'fast-check';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { check, json, name, expectHandled } from './hostile.js';

let passbell: TestService;
let keys: KeyPair;
/** Credentials of an application that has sent nothing, so that no report can succeed. */
let reportKeys: KeyPair;
let session: { maskId: string; code: string };
let token: string;

beforeAll(async () => {
  passbell = await startService();
  keys = await passbell.application({ ...NO_LIMITS, settings: { countries: ['US', 'DE'] } });
  reportKeys = await passbell.application(NO_LIMITS);
  session = await passbell.send(freshPhone(), { expiry: 1440, otp: '7351902846' }, { keys });
  const other = await passbell.send(freshPhone(), {}, { keys });
  token = (await passbell.post('/auth/verifyotp', { maskId: other.maskId, otp: other.code }, { keys })).data.token;
});
afterAll(() => passbell.stop());

const post = async (path: string, body: unknown): Promise<Body> =>
  expectHandled(await passbell.post(path, body, { keys: path === '/auth/reportverified' ? reportKeys : keys }));

const PARAMETERS: Record<string, string[]> = {
  '/auth/sendotp': ['to', 'authWay', 'otpLength', 'expiry', 'otp'],
  '/auth/verifyotp': ['maskId', 'to', 'authWay', 'otp'],
  '/auth/verifytoken': ['token'],
  '/auth/revokesession': ['token'],
  '/auth/reportverified': ['maskId', 'to'],
};
const PATHS = Object.keys(PARAMETERS);
const validBody = (path: string): Record<string, unknown> =>
  path === '/auth/sendotp' ? { to: '+14155550123' } : path === '/auth/verifyotp' ? session : { token };

/** JSON text of an object that may have duplicate names. */
const objectText = (entries: [string, unknown][]): string =>
  `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`;

/** Fails if an invalid request succeeded. */
function expectLegitimate(path: string, body: Body, value: unknown): void {
  if (!body.success) return;
  if (path === '/auth/sendotp') expect(body.data.isSent).toBe(1);
  // The fuzzed requests contain a single valid token and no valid code.
  else if (path === '/auth/verifyotp') throw new Error('a wrong code was verified');
  else expect(String(value).trim()).toBe(token);
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '?');
const wholeNumber = (value: unknown, least: number, most: number): boolean => {
  const number = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
  return text(value) === '' || (Number.isInteger(number) && Number(number) >= least && Number(number) <= most);
};
/** The values that each sendotp parameter may have. A send with any other value must fail. */
const IS_ALLOWED: Record<string, (value: unknown) => boolean> = {
  to: (value) => /[\d@]/.test(String(value)) && ['string', 'number'].includes(typeof value),
  authWay: (value) => /^(|sms|whatsapp|voice|voicecall|call|email)$/i.test(text(value)),
  otpLength: (value) => wholeNumber(value, 4, 10),
  expiry: (value) => wholeNumber(value, 1, 1440),
  otp: (value) =>
    typeof value === 'number'
      ? /^\d{4,10}$/.test(String(value))
      : /^([A-Za-z0-9]{4,10}|)$/.test(text(value).replace(/[\s-]/g, '')),
};

describe.each(PATHS.flatMap((path) => PARAMETERS[path]!.map((parameter) => [path, parameter] as const)))(
  '%s: %s',
  (path, parameter) => {
    it('handles any JSON value', () =>
      check(json, async (value) => {
        const body = await post(path, { ...validBody(path), [parameter]: value });
        expectLegitimate(path, body, value);
        if (path === '/auth/sendotp' && body.success)
          expect({ value, allowed: IS_ALLOWED[parameter]!(value) }).toEqual({ value, allowed: true });
      }));
  },
);

describe.each(PATHS)('%s', (path) => {
  it('ignores unknown, duplicate and prototype names with any value', () =>
    check(
      fc.array(fc.tuple(name, json), { maxLength: 6 }),
      async (entries) => {
        const known = PARAMETERS[path]!.map((parameter) => parameter.toLowerCase());
        const unknown = entries.filter(([key]) => !known.includes(key.toLowerCase()));
        const plain = path === '/auth/verifyotp' ? { maskId: session.maskId, otp: '0000000000' } : validBody(path);
        const pairs = Object.entries(plain);
        const body = await post(path, objectText([...unknown, ...pairs, ...unknown, ...pairs]));
        const expected = {
          '/auth/verifyotp': 'INVALID_OTP',
          '/auth/verifytoken': undefined,
          '/auth/sendotp': undefined,
        };
        if (path in expected) expect(body.code).toBe(expected[path as keyof typeof expected]);
      },
      60,
    ));

  it('handles any parameter names with any values', () =>
    check(
      fc.array(fc.tuple(fc.oneof(name, fc.constantFrom(...PARAMETERS[path]!)), json), { maxLength: 8 }),
      async (entries) => {
        expectLegitimate(
          path,
          await post(path, objectText(entries)),
          entries.filter(([key]) => /^token$/i.test(key)).at(-1)?.[1],
        );
      },
    ));

  it('handles any JSON text as its body', () =>
    check(json, async (value) => void expectLegitimate(path, await post(path, JSON.stringify(value)), undefined), 60));

  it('handles any bytes as its body, with any type and encoding', () => {
    const type = fc.constantFrom(
      'application/json',
      'text/plain',
      'multipart/form-data',
      'application/json; charset=utf-16',
      ';;',
      '',
    );
    const encoding = fc.constantFrom(undefined, undefined, 'identity', 'gzip', 'deflate', 'br', 'zstd', 'x, y');
    return check(
      fc.tuple(fc.uint8Array({ maxLength: 400 }), type, encoding),
      async ([bytes, contentType, contentEncoding]) => {
        const headers = { 'Content-Type': contentType, 'Content-Encoding': contentEncoding };
        const init = { method: 'POST', body: Buffer.from(bytes) };
        const response = await passbell.fetch(`/api/v1${path}`, init, { keys, headers });
        expect(response.status).toBe(200);
        expect(expectHandled(await response.json())).toMatchObject({ success: false });
      },
    );
  });

  it('handles deep and wide nesting', async () => {
    const [first] = PARAMETERS[path]!;
    for (const value of ['['.repeat(20_000) + ']'.repeat(20_000), '{"a":'.repeat(9000) + '1' + '}'.repeat(9000)])
      expect(await post(path, `{"${first}":${value}}`)).toMatchObject({ success: false });
    const wide = Array.from({ length: 6000 }, (_, n) => [`k${n}`, 0] as [string, unknown]);
    expect(await post(path, objectText(wide))).toMatchObject({ success: false });
  });
});

it('the correct code is still accepted after all other tests', async () => {
  const body = await passbell.post('/auth/verifyotp', { maskId: session.maskId, otp: session.code }, { keys });
  expect(body).toMatchObject({ success: true });
});
