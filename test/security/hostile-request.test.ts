/** Fuzzed query strings and headers: every request fails cleanly or works as defined, without internal errors. */
import fc from 'fast-check';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { check, expectHandled, text } from './hostile.js';

let passbell: TestService;
let keys: KeyPair;
let session: { maskId: string; code: string };
beforeAll(async () => {
  passbell = await startService();
  keys = await passbell.application(NO_LIMITS);
  session = await passbell.send(freshPhone(), { expiry: 1440, otp: '7351902846' }, { keys });
});
afterAll(() => passbell.stop());

const send = (query: Record<string, string>): Promise<Body> => passbell.get('/auth/sendotp', query, { keys });

describe('a query string', () => {
  const names = ['to', 'TO', 'otp', 'maskId', 'maskid', 'authWay', 'expiry', 'otpLength', '__proto__', 'constructor'];
  const syntax = [...'==&&[].;?+"\'\\', '[]', '//', '%23', '%', '%0', '%00', '%FF', '%C3%28', '%2B', '%25', '%D9%A1'];
  const piece = fc.constantFrom(...names, ...syntax, '5', '123456');

  it.each(['/auth/sendotp', '/auth/verifyotp'])('can have any form in a call to %s', (path) =>
    check(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const response = await passbell.fetch(`/api/v1${path}?${pieces.join('')}`, {}, { keys });
      expect(response.status).toBe(200);
      const { success } = expectHandled(await response.json());
      if (path === '/auth/verifyotp') expect(success).toBe(false);
    }),
  );

  const short = text.filter((value) => value.length < 2000);
  it('can have any value for any parameter', () =>
    check(
      fc.tuple(fc.constantFrom('to', 'authWay', 'otpLength', 'expiry', 'otp'), short),
      async ([parameter, value]) => {
        expectHandled(await send({ to: '+14155550123', [parameter]: value }));
      },
    ));

  it('cannot verify a wrong code', () =>
    check(short, async (otp) => {
      const body = await passbell.get('/auth/verifyotp', { maskId: session.maskId, otp }, { keys });
      expect(expectHandled(body).success).toBe(false);
    }));
});

describe('a header', () => {
  const value = fc.oneof(
    fc.string({
      unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => (code === 0x7f ? 'x' : String.fromCharCode(code))),
      maxLength: 60,
    }),
    fc.constantFrom(
      'null',
      'http://',
      'http://[',
      'https://a@b@c',
      '::1',
      '%',
      'http://%00/',
      'x'.repeat(4000),
      'http://xn--',
      ',',
      'javascript:1',
    ),
  );
  const HEADERS = [
    'clientId',
    'clientSecret',
    'Origin',
    'Referer',
    'Idempotency-Key',
    'User-Agent',
    'X-Forwarded-For',
    'X-Request-Id',
    'Accept',
    'Cookie',
    'Forwarded',
    'If-None-Match',
    'Range',
    'Content-Type',
  ];

  it.each(HEADERS)('%s can have any value', async (header) => {
    const listed = await passbell.application({
      ...NO_LIMITS,
      settings: { authorizedEndpoints: ['https://shop.example', '*.good.example'] },
    });
    await check(
      value,
      async (content) => {
        for (const pair of header.startsWith('client') ? [keys] : [keys, listed]) {
          const body = expectHandled(
            await passbell.post(
              '/auth/sendotp',
              { to: '+14155550123' },
              { keys: pair, headers: { [header]: content } },
            ),
          );
          if (pair === listed || header.startsWith('client')) expect(body.success).toBe(false);
        }
      },
      40,
    );
  });
});
