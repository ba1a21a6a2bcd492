/** sendOtp, sendOtpByQuery: the Idempotency-Key header. */
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
let keys: KeyPair;
beforeAll(async () => {
  passbell = await startService();
  keys = await passbell.application(NO_LIMITS);
});
afterAll(() => passbell.stop());

let keyCount = 0;
const freshKey = (): string => `key-${++keyCount}`;
const send = (parameters: object, key: string, pair = keys): Promise<Body> =>
  passbell.post('/auth/sendotp', parameters, { keys: pair, headers: { 'Idempotency-Key': key } });
const KEY_REUSED = {
  success: false,
  code: 'IDEMPOTENCY_KEY_REUSED',
  message: 'this Idempotency-Key was used for another request',
};

it('returns the first reply for a repeated key, and sends nothing', async () => {
  const to = freshPhone();
  const key = freshKey();
  const first = await send({ to }, key);
  passbell.clock.advance(1_000);
  expect(await send({ to }, key)).toEqual(first);
  expect(await passbell.inbox(to)).toHaveLength(1);
});

it('marks the reply to a repeated send, notification or verification', async () => {
  const to = freshPhone();
  const call = async (path: string, body: object, key: string): Promise<string | null> => {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
    const response = await passbell.fetch(
      `/api/v1${path}`,
      { method: 'POST', body: JSON.stringify(body) },
      { keys, headers },
    );
    expect(await response.json()).toMatchObject({ success: true });
    return response.headers.get('Idempotent-Replayed');
  };
  const order = { to, templateType: 'order_shipped', variables: { orderId: 'A-1' } };
  const sends: [string, object][] = [
    ['/auth/sendotp', { to }],
    ['/notifications/order', order],
  ];
  for (const [path, body] of sends) {
    const key = freshKey();
    expect([await call(path, body, key), await call(path, body, key)]).toEqual([null, 'true']);
  }
  const { code } = await passbell.send(to, {}, { keys });
  const verification = [{ to, otp: code }, freshKey()] as const;
  expect(await call('/auth/verifyotp', ...verification)).toBeNull();
  expect(await call('/auth/verifyotp', ...verification)).toBe('true');
});

it('returns the first reply for 24 hours, and sends again after that', async () => {
  const to = freshPhone();
  const key = freshKey();
  const first = await send({ to }, key);
  passbell.clock.advance(86_399_000);
  expect(await send({ to }, key)).toEqual(first);
  passbell.clock.advance(1_000);
  const later = await send({ to }, key);
  expect(later.data.results[0].maskId).not.toBe(first.data.results[0].maskId);
  expect(await passbell.inbox(to)).toHaveLength(2);
});

it('returns the first reply during a cooldown and beyond a burst limit', async () => {
  const strict = await passbell.application({ limits: { burstPerMinute: 1 } });
  const to = freshPhone();
  const key = freshKey();
  const first = await send({ to }, key, strict);
  expect(first.success).toBe(true);
  for (let i = 0; i < 3; i++) expect(await send({ to }, key, strict)).toEqual(first);
});

it('returns the first reply after a restart', async () => {
  const to = freshPhone();
  const key = freshKey();
  const first = await send({ to }, key);
  passbell = await passbell.restart();
  expect(await send({ to }, key)).toEqual(first);
});

it('returns the first reply even after the code was used', async () => {
  const to = freshPhone();
  const key = freshKey();
  const first = await send({ to }, key);
  const maskId = first.data.results[0].maskId;
  await passbell.post('/auth/verifyotp', { maskId, otp: await passbell.codeFor(to) }, { keys });
  expect(await send({ to }, key)).toEqual(first);
});

it('sends one message for 50 parallel requests', async () => {
  const to = freshPhone();
  const key = freshKey();
  const replies = await Promise.all(Array.from({ length: 50 }, () => send({ to }, key)));
  expect(await passbell.inbox(to)).toHaveLength(1);
  const sent = replies.filter(({ success }) => success);
  expect(sent.length).toBeGreaterThan(0);
  expect(new Set(sent.map((body) => body.data.results[0].maskId)).size).toBe(1);
  const refused = replies.filter(({ success }) => !success);
  for (const body of refused)
    expect(body).toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT', retryAfterSeconds: expect.any(Number) });
  expect(await send({ to }, key)).toEqual(sent[0]);
});

describe('a repeated request', () => {
  it.each([
    ['a different format of the recipient', { to: '1 (415) 555-0187' }],
    ['parameter names in a different case', { TO: '+14155550187' }],
    ['explicit default values', { to: '+14155550187', otpLength: '6', expiry: 5, authWay: '' }],
    ['an unknown parameter', { to: '+14155550187', orderId: 'A-5' }],
  ])('may have %s', async (_what, parameters) => {
    const key = freshKey();
    const first = await send({ to: '+14155550187' }, key);
    expect(await send(parameters, key)).toMatchObject(first);
  });

  it('may use GET instead of POST', async () => {
    const to = freshPhone();
    const key = freshKey();
    const first = await send({ to, expiry: 3, authWay: 'call' }, key);
    const headers = { 'Idempotency-Key': key };
    expect(await passbell.get('/auth/sendotp', { to, expiry: '3', authWay: 'VOICE' }, { keys, headers })).toEqual(
      first,
    );
    expect(await passbell.inbox(to)).toHaveLength(1);
  });

  it('may contain its custom code as a string or as a number', async () => {
    const to = freshPhone();
    const key = freshKey();
    const first = await send({ to, otp: '47-11', otpLength: 9 }, key);
    expect(await send({ to, otp: 4711 }, key)).toEqual(first);
  });
});

describe('a different request with the same key', () => {
  it.each([
    ['recipient', { to: '+14155550189' }],
    ['channel', { to: '+14155550188', authWay: 'VOICE' }],
    ['named channel', { to: '+14155550188', authWay: 'SMS' }],
    ['length', { to: '+14155550188', otpLength: 7 }],
    ['expiry', { to: '+14155550188', expiry: 6 }],
    ['code', { to: '+14155550188', otp: '123456' }],
  ])('is rejected if it has a different %s', async (_what, parameters) => {
    const key = freshKey();
    await send({ to: '+14155550188' }, key);
    const before = await passbell.inbox();
    expect(await send(parameters, key)).toMatchObject(KEY_REUSED);
    expect(await passbell.inbox()).toEqual(before);
  });

  it('is rejected if it has a different code of the same length', async () => {
    const to = freshPhone();
    const key = freshKey();
    await send({ to, otp: '123456' }, key);
    expect(await send({ to, otp: '123457' }, key)).toMatchObject(KEY_REUSED);
  });

  it('is rejected while the first request is in flight', async () => {
    const key = freshKey();
    const a = freshPhone();
    const b = freshPhone();
    const replies = await Promise.all([send({ to: a }, key), send({ to: b }, key)]);
    expect(replies.map(({ code }) => code).sort()).toEqual(['IDEMPOTENCY_KEY_REUSED', undefined]);
    expect([...(await passbell.inbox(a)), ...(await passbell.inbox(b))]).toHaveLength(1);
  });
});

describe('an Idempotency-Key', () => {
  it('may be used by another application for a different request', async () => {
    const to = freshPhone();
    const key = freshKey();
    const first = await send({ to }, key);
    const other = await send({ to: freshPhone() }, key, await passbell.application());
    expect(other.success).toBe(true);
    expect(other.data.results[0].maskId).not.toBe(first.data.results[0].maskId);
  });

  it('can be reused after a rejection', async () => {
    const strict = await passbell.application();
    const to = freshPhone();
    await passbell.send(to, {}, { keys: strict });
    const key = freshKey();
    expect(await send({ to }, key, strict)).toMatchObject({ code: 'COOLDOWN' });
    expect(await send({ to, expiry: 0 }, key, strict)).toMatchObject({ code: 'INVALID_PARAMETER' });
    passbell.clock.advance(30_000);
    expect(await send({ to, expiry: 9 }, key, strict)).toMatchObject({ success: true });
  });

  it('may consist of up to 255 visible ASCII characters', async () => {
    const key = `${'!~'.repeat(127)}x`;
    const to = freshPhone();
    const first = await send({ to }, key);
    expect(first.success).toBe(true);
    expect(await send({ to }, key)).toEqual(first);
  });

  it('is case-sensitive', async () => {
    const to = freshPhone();
    const first = await send({ to }, 'Case-Key');
    expect((await send({ to }, 'case-key')).data.results[0].maskId).not.toBe(first.data.results[0].maskId);
  });

  it.each([
    ['an empty value', ''],
    ['256 characters', 'k'.repeat(256)],
    ['a space', 'a b'],
    ['a non-ASCII letter', 'schlüssel'],
  ])('is rejected with %s, and nothing is sent', async (_what, key) => {
    const to = freshPhone();
    expect(await send({ to }, key)).toMatchObject({
      success: false,
      code: 'INVALID_IDEMPOTENCY_KEY',
      message: 'Idempotency-Key must be 1 to 255 visible ASCII characters',
    });
    expect(await passbell.inbox(to)).toEqual([]);
  });
});
