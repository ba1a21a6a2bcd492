/** clients/node: what results and errors say about a call, such as the request ID, in addition to the reply's data. */
import { Passbell, PassbellError, type PassbellOptions } from '../../../clients/node/src/index.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR } from '../../../backend/src/platform/clock.js';
import { root } from '../../support/process.js';
import { freshMail, freshPhone, NO_LIMITS, startService, wrongCode, type TestService } from '../../support/service.js';
import { advancing, until } from '../../support/wait.js';

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

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

describe('request IDs', () => {
  it('are those of the caller, or random', async () => {
    const { meta } = await clientOf().listWebhooks({ requestId: 'my.request_1' });
    expect(meta.requestId).toBe('my.request_1');
    expect(passbell.logged.join('\n')).toContain('"requestId":"my.request_1"');
    expect((await clientOf().listWebhooks()).meta.requestId).toMatch(UUID);
  });

  it.each(['short', 'x'.repeat(65), 'a b c d e f', '"requestId":1', 'ümlaut-12'])(
    '%p is replaced',
    async (requestId) => {
      const response = await passbell.fetch('/api/v1/webhooks', {}, { headers: { 'X-Request-Id': requestId } });
      expect(response.headers.get('x-request-id')).toMatch(UUID);
    },
  );

  it('come with the name and version of the client', async () => {
    const agents: unknown[] = [];
    const record: typeof fetch = (input, init) => {
      agents.push(new Headers(init!.headers).get('user-agent'));
      return fetch(input, init);
    };
    await clientOf({ fetch: record }).listWebhooks();
    const { version } = JSON.parse(readFileSync(join(root, 'clients/node/package.json'), 'utf8'));
    expect(agents).toEqual([`passbell-node/${version}`]);
  });
});

describe('messages', () => {
  it('iterateMessages returns those of all pages', async () => {
    const { appKey, appSecret } = await passbell.application(NO_LIMITS);
    let calls = 0;
    const record: typeof fetch = (input, init) => (calls++, fetch(input, init));
    const client = clientOf({ appKey, appSecret, fetch: record });
    for (let n = 0; n < 5; n++) await client.sendOtp({ to: freshPhone() });
    calls = 0;
    const ids: string[] = [];
    for await (const { messageId } of client.iterateMessages({ limit: 2 })) ids.push(messageId);
    expect([new Set(ids).size, ids.length, calls]).toEqual([5, 5, 3]);
  });

  it('finds messages by their reference', async () => {
    const { messageId, maskId } = await clientOf().sendOtp({ to: freshMail(), reference: 'A-1001' });
    const { messages } = await clientOf().listMessages({ reference: 'A-1001' });
    expect(messages).toMatchObject([{ messageId, reference: 'A-1001' }]);
    expect(await clientOf().getOtp(maskId)).toMatchObject({ reference: 'A-1001' });
  });

  it('waitFor waits until a message is sent, and no longer than its time limit', async () => {
    const sendAt = new Date(passbell.clock.now() + HOUR).toISOString();
    const order = { to: freshMail(), templateType: 'order_shipped', variables: { orderId: 'A-1' }, sendAt };
    const { messageId } = await clientOf().sendOrderNotification(order);
    const late = await errorOf(clientOf().waitFor(messageId, { waitMs: 0 }));
    expect(late).toMatchObject({ code: 'TIMED_OUT', message: 'the message is still scheduled after 0 ms' });
    let calls = 0;
    const record: typeof fetch = async (input, init) => {
      const reply = await fetch(input, init);
      calls++;
      return reply;
    };
    const waiting = clientOf({ fetch: record }).waitFor(messageId);
    await until('the first reply', () => calls > 0);
    passbell.clock.advance(HOUR);
    const outcome: unknown[] = [];
    void waiting.then((message) => outcome.push(message));
    await until('the message', () => outcome.length > 0, advancing(passbell.clock, 1000));
    expect(outcome).toMatchObject([{ messageId, state: 'sent' }]);
    expect(calls).toBeGreaterThan(1);
    const delivered = clientOf().waitFor(messageId, { until: 'delivered', waitMs: 0 });
    expect((await errorOf(delivered)).message).toContain('still sent');
  });
});

describe('time limits', () => {
  /** Never replies. Fails when the call is aborted. */
  const silent: typeof fetch = (_input, init) =>
    new Promise((_resolve, reject) => init!.signal!.addEventListener('abort', () => reject(new Error('aborted'))));

  it('waitFor waits no longer for a server that does not reply', async () => {
    const error = await errorOf(clientOf({ fetch: silent, timeoutMs: 2 ** 30 }).waitFor('x', { waitMs: 30 }));
    expect(error).toMatchObject({ code: 'TIMED_OUT', message: 'no reply after 30 ms' });
  });

  it('waitFor waits no longer than its time limit for the next call', async () => {
    let calls = 0;
    const first: typeof fetch = async (input, init) => {
      if (calls++ > 0) return silent(input, init);
      return Response.json({ success: true, message: 'message', data: { state: 'queued' } });
    };
    const error = await errorOf(clientOf({ fetch: first, timeoutMs: 2 ** 30 }).waitFor('x', { waitMs: 600 }));
    expect(error).toMatchObject({ code: 'TIMED_OUT', message: 'the message is still queued after 600 ms' });
    expect(calls).toBe(2);
  });

  it.each([1500.5, 2 ** 40, Infinity])('waitFor waits %d ms', async (waitMs) => {
    const sent: typeof fetch = async () =>
      Response.json({ success: true, message: 'message', data: { state: 'sent' } });
    expect(await clientOf({ fetch: sent }).waitFor('x', { waitMs })).toMatchObject({ state: 'sent' });
  });

  it('waitFor throws the reason of the caller who cancels it', async () => {
    const reason = new Error('canceled by the caller');
    const signal = AbortSignal.abort(reason);
    expect(await errorOf(clientOf({ fetch: silent }).waitFor('x', { signal }))).toBe(reason);
  });
});

describe('errors', () => {
  it.each(['my-request\nX: y', 'request-Ω-12', ''])('name a request ID that cannot be sent: %j', async (requestId) => {
    const error: Error = await errorOf(clientOf().listWebhooks({ requestId }));
    expect([error.name, error.message]).toEqual([
      'TypeError',
      'Passbell: requestId must be one or more printable ASCII characters',
    ]);
    const idempotencyKey = 'order-Ω';
    const sent = await errorOf(clientOf().sendOtp({ to: freshPhone() }, { idempotencyKey }));
    expect(sent.message).toContain('idempotencyKey must be');
  });

  it.each(['https://user:password@otp.example', 'https://user@otp.example/api/v1'])(
    'never contain the password of a URL: %s',
    (baseUrl) => {
      const expected = new TypeError('Passbell: baseUrl must not contain a username or password');
      expect(() => clientOf({ baseUrl })).toThrow(expected);
    },
  );

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

  it('have the request ID also if no reply was received', async () => {
    const client = clientOf({ baseUrl: 'http://127.0.0.1:9', maxRetries: 0 });
    const error = await errorOf(client.listWebhooks());
    expect([error.requestId, error.replayed, error.warnings]).toEqual([expect.stringMatching(UUID), false, []]);
    expect((await errorOf(client.listWebhooks({ requestId: 'my-request' }))).requestId).toBe('my-request');
  });

  it('of another copy of the client are instances of PassbellError; other errors are not', () => {
    const copy = Object.assign(new Error('wrong code'), { name: 'PassbellError', code: 'INVALID_OTP' });
    expect(copy).toBeInstanceOf(PassbellError);
    expect([copy, new Error('x')].map((value) => PassbellError.is(value))).toEqual([true, false]);
    class Subclass extends PassbellError {}
    expect(copy).not.toBeInstanceOf(Subclass);
    expect(new Subclass('X', '')).toBeInstanceOf(PassbellError);
    for (const other of [new Error('x'), { name: 'PassbellError' }, 'PassbellError', null, undefined])
      expect(other).not.toBeInstanceOf(PassbellError);
  });
});
