/** clients/node: what results and errors say about a call, such as the request ID, in addition to the reply's data. */
import { Passbell, PassbellError, type PassbellOptions } from '../../../clients/node/src/index.js';
import { freshPhone, startService, wrongCode, type TestService } from '../../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());

const clientOf = (options: Partial<PassbellOptions> = {}) =>
  new Passbell({ baseUrl: passbell.url, ...passbell.keys, ...options });

/** Returns the error that a call throws. */
const errorOf = (call: Promise<unknown>): Promise<PassbellError> =>
  call.then(
    () => Promise.reject(new Error('the call succeeded')),
    (error: PassbellError) => error,
  );

describe('meta', () => {
  it('has the warnings, the request ID and whether the reply is a replay, and is not enumerable', async () => {
    const client = clientOf();
    const request = { to: freshPhone(), chanel: 'SMS' };
    const options = { idempotencyKey: 'order-meta' };
    const first = await client.sendOtp(request, options);
    const second = await client.sendOtp(request, options);
    const warnings = [expect.stringMatching(/^chanel is not a parameter/)];
    expect(first.meta).toEqual({ requestId: expect.any(String), replayed: false, warnings });
    expect(second.meta).toEqual({ requestId: expect.any(String), replayed: true, warnings });
    expect(second.meta.requestId).not.toBe(first.meta.requestId);
    expect(passbell.logged.join('\n')).toContain(`"requestId":"${first.meta.requestId}"`);
    expect(Object.keys(first)).not.toContain('meta');
    expect(JSON.stringify(first)).not.toContain(first.meta.requestId);
  });

  it('is part of every result', async () => {
    const client = clientOf();
    const meta = { requestId: expect.any(String), replayed: false, warnings: [] };
    for (const result of [
      await client.listWebhooks(),
      await client.listRecentEvents('message.failed'),
      await client.listMessages(),
      await client.getApplication(),
    ])
      expect(result.meta).toEqual(meta);
  });

  it('passes warnings to onWarning, also of calls without a result', async () => {
    const warnings: unknown[] = [];
    const client = clientOf({ onWarning: (warning, operation) => warnings.push([warning, operation]) });
    const to = freshPhone();
    await client.sendOtp({ to });
    const request = { to, chanel: 'SMS' };
    await client.reportVerified(request);
    await errorOf(client.verifyOtp({ ...request, otp: '1' }));
    const text = expect.stringMatching(/^chanel is not a parameter/);
    expect(warnings).toEqual([
      [text, '/auth/reportverified'],
      [text, '/auth/verifyotp'],
    ]);
  });
});

describe('errors', () => {
  it('have attemptsLeft, the request ID and whether the reply is a replay', async () => {
    const client = clientOf();
    const to = freshPhone();
    const { maskId } = await client.sendOtp({ to });
    const error = await errorOf(client.verifyOtp({ maskId, otp: wrongCode(await passbell.codeFor(to)) }));
    expect(error).toMatchObject({ attemptsLeft: 4, replayed: false, warnings: [] });
    expect(passbell.logged.join('\n')).toContain(`"requestId":"${error.requestId}"`);
  });

  it('have the received value and the warnings', async () => {
    const request = { to: freshPhone(), expiry: 0, chanel: 'SMS' };
    expect(await errorOf(clientOf().sendOtp(request))).toMatchObject({
      field: 'expiry',
      received: '0',
      warnings: [expect.stringMatching(/^chanel is not a parameter/)],
    });
  });

  it('have no request ID if no reply was received', async () => {
    const error = await errorOf(clientOf({ baseUrl: 'http://127.0.0.1:9', maxRetries: 0 }).listWebhooks());
    expect([error.requestId, error.replayed, error.warnings]).toEqual([undefined, false, []]);
  });

  it('of another copy of the client are instances of PassbellError; other errors are not', () => {
    const copy = Object.assign(new Error('wrong code'), { name: 'PassbellError', code: 'INVALID_OTP' });
    expect(copy).toBeInstanceOf(PassbellError);
    class Subclass extends PassbellError {}
    expect(copy).not.toBeInstanceOf(Subclass);
    expect(new Subclass('X', '')).toBeInstanceOf(PassbellError);
    for (const other of [new Error('x'), { name: 'PassbellError' }, 'PassbellError', null, undefined])
      expect(other).not.toBeInstanceOf(PassbellError);
  });
});
