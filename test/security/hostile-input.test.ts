/** Whatever arrives: a clear failure or the defined meaning, never an internal error, never a wrong code verified. */
import fc from 'fast-check';
import type { KeyPair } from '../../backend/src/modules/applications/applications-service.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { check, json, name, sound } from './hostile.js';

let passbell: TestService;
let keys: KeyPair;
let session: { maskId: string; code: string };
let token: string;

beforeAll(async () => {
  passbell = await startService();
  keys = await passbell.application({ ...NO_LIMITS, settings: { countries: ['US', 'DE'] } });
  session = await passbell.send(freshPhone(), { expiry: 1440, otp: '7351902846' }, { keys });
  const other = await passbell.send(freshPhone(), {}, { keys });
  token = (await passbell.post('/auth/verifyotp', { maskId: other.maskId, otp: other.code }, { keys })).data.token;
});
afterAll(() => passbell.stop());

const post = async (path: string, body: unknown): Promise<Body> => sound(await passbell.post(path, body, { keys }));

const PARAMETERS: Record<string, string[]> = {
  '/auth/sendotp': ['to', 'authWay', 'otpLength', 'expiry', 'otp'],
  '/auth/verifyotp': ['maskId', 'otp'],
  '/auth/verifytoken': ['token'],
  '/auth/revokesession': ['token'],
};
const PATHS = Object.keys(PARAMETERS);
const good = (path: string): Record<string, unknown> =>
  path === '/auth/sendotp' ? { to: '+14155550123' } : path === '/auth/verifyotp' ? session : { token };

/** JSON text of an object that may have a name twice. */
const objectText = (entries: [string, unknown][]): string =>
  `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`;

/** A success must be one that the request asked for. */
function onlyIfMeant(path: string, body: Body, given: unknown): void {
  if (!body.success) return;
  if (path === '/auth/sendotp') expect(body.data.isSent).toBe(1);
  // The one token that there is, and the one code that there is.
  else if (path === '/auth/verifyotp') throw new Error('a wrong code was verified');
  else expect(String(given).trim()).toBe(token);
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '?');
const wholeNumber = (value: unknown, least: number, most: number): boolean => {
  const number = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
  return text(value) === '' || (Number.isInteger(number) && Number(number) >= least && Number(number) <= most);
};
/** Whether a value of a send means something; everything else must fail. */
const MEANS_SOMETHING: Record<string, (value: unknown) => boolean> = {
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
    it('may be any JSON value', () =>
      check(json, async (value) => {
        const body = await post(path, { ...good(path), [parameter]: value });
        onlyIfMeant(path, body, value);
        if (path === '/auth/sendotp' && body.success)
          expect({ value, means: MEANS_SOMETHING[parameter]!(value) }).toEqual({ value, means: true });
      }));
  },
);

describe.each(PATHS)('%s', (path) => {
  it('ignores unknown, doubled and prototype names, whatever they hold', () =>
    check(
      fc.array(fc.tuple(name, json), { maxLength: 6 }),
      async (entries) => {
        const known = PARAMETERS[path]!.map((parameter) => parameter.toLowerCase());
        const unknown = entries.filter(([key]) => !known.includes(key.toLowerCase()));
        const plain = path === '/auth/verifyotp' ? { maskId: session.maskId, otp: '0000000000' } : good(path);
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

  it('takes any names with any values', () =>
    check(
      fc.array(fc.tuple(fc.oneof(name, fc.constantFrom(...PARAMETERS[path]!)), json), { maxLength: 8 }),
      async (entries) => {
        onlyIfMeant(
          path,
          await post(path, objectText(entries)),
          entries.filter(([key]) => /^token$/i.test(key)).at(-1)?.[1],
        );
      },
    ));

  it('takes any JSON text as its body', () =>
    check(json, async (value) => void onlyIfMeant(path, await post(path, JSON.stringify(value)), undefined), 60));

  it('takes any bytes as its body, under any type and encoding', () => {
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
        expect(sound(await response.json())).toMatchObject({ success: false });
      },
    );
  });

  it('survives deep and wide nesting', async () => {
    const [first] = PARAMETERS[path]!;
    for (const value of ['['.repeat(20_000) + ']'.repeat(20_000), '{"a":'.repeat(9000) + '1' + '}'.repeat(9000)])
      expect(await post(path, `{"${first}":${value}}`)).toMatchObject({ success: false });
    const wide = Array.from({ length: 6000 }, (_, n) => [`k${n}`, 0] as [string, unknown]);
    expect(await post(path, objectText(wide))).toMatchObject({ success: false });
  });
});

it('still verifies the right code after all of that', async () => {
  const body = await passbell.post('/auth/verifyotp', { maskId: session.maskId, otp: session.code }, { keys });
  expect(body).toMatchObject({ success: true });
});
