/** The limit on failed authentications from one IP address, shared by all operations. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { MINUTE } from '../../backend/src/platform/clock.js';
import { startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
let started: string | undefined;
afterAll(() => passbell.stop());

/** Starts the service, or waits until the limit of the previous test has expired if that test used the same settings. */
async function start(settings = {}): Promise<void> {
  if (started === JSON.stringify(settings)) return passbell.clock.advance(MINUTE);
  if (started !== undefined) await passbell.stop();
  passbell = await startService(settings);
  started = JSON.stringify(settings);
}

const authenticate = (headers: Record<string, string | undefined> = {}): Promise<Body> =>
  passbell.get('/auth/authentication', {}, { headers });
const failAuthentication = (headers: Record<string, string> = {}): Promise<Body> =>
  authenticate({ clientSecret: 'sk_wrong', ...headers });
const failRepeatedly = async (times: number, headers?: (n: number) => Record<string, string>): Promise<string[]> => {
  const codes = [];
  for (let n = 0; n < times; n++) codes.push((await failAuthentication(headers?.(n))).code);
  return codes;
};
const INVALID_CREDENTIALS = 'INVALID_CREDENTIALS';
const TOO_MANY_FAILURES = 'TOO_MANY_FAILED_AUTHENTICATIONS';

it('allows ten failed authentications a minute', async () => {
  await start();
  expect(await failRepeatedly(10)).toEqual(Array(10).fill(INVALID_CREDENTIALS));
  expect(await failAuthentication()).toMatchObject({
    success: false,
    code: TOO_MANY_FAILURES,
    message: 'Too many failed authentications. Try again in 60 seconds',
    retryAfterSeconds: 60,
  });
});

it('allows further attempts after retryAfterSeconds', async () => {
  await start();
  await failRepeatedly(10);
  passbell.clock.advance(17_500);
  const { retryAfterSeconds } = await failAuthentication();
  expect(retryAfterSeconds).toBe(43);
  passbell.clock.advance(retryAfterSeconds * 1000);
  expect(await failRepeatedly(10)).toEqual(Array(10).fill(INVALID_CREDENTIALS));
});

it('shares the limit between all operations, keys and applications', async () => {
  await start();
  const wrong = { clientSecret: 'sk_wrong' };
  for (const path of ['/auth/sendotp', '/auth/verifyotp', '/auth/verifytoken', '/auth/revokesession'])
    for (const clientId of ['pk_unknown', passbell.keys.appKey])
      expect(await passbell.post(path, {}, { headers: { ...wrong, clientId } })).toMatchObject({
        code: INVALID_CREDENTIALS,
      });
  const { applications, automations } = passbell.core;
  const application = await applications.service.load(passbell.keys.appKey);
  const { publicId } = await automations.service.connect(OPERATOR, application, 'json');
  const init = { method: 'POST', body: '{}' };
  expect((await passbell.fetch(`/hooks/incoming/${publicId}`, init)).status).toBe(401);
  expect(await failRepeatedly(2)).toEqual([INVALID_CREDENTIALS, TOO_MANY_FAILURES]);
  expect(await passbell.post('/auth/sendotp', {}, { headers: wrong })).toMatchObject({ code: TOO_MANY_FAILURES });
});

it('shares the limit with widget calls that contain an unknown App Key', async () => {
  await start();
  const widget = (appKey: string): Promise<Body> => {
    const call = { appKey, domainUrl: 'https://shop.example', identity: 'ana@example.com' };
    return passbell.post('/authserviceclient/authstate', call);
  };
  const codes = [];
  for (let n = 0; n < 12; n++) codes.push((await widget(`pk_unknown${n}`)).code);
  expect(codes).toEqual([...Array(10).fill(INVALID_CREDENTIALS), TOO_MANY_FAILURES, TOO_MANY_FAILURES]);
  expect(await failAuthentication()).toMatchObject({ code: TOO_MANY_FAILURES });
  expect(await widget(passbell.keys.appKey)).toMatchObject({ success: true });
});

it('does not block valid credentials from the same address', async () => {
  await start();
  await failRepeatedly(15);
  expect(await authenticate()).toMatchObject({ success: true });
});

it('does not count missing headers, inactive applications and callers outside the allow-list', async () => {
  await start();
  const inactive = await passbell.application({ status: 'inactive' });
  const elsewhere = await passbell.application({ settings: { authorizedEndpoints: ['192.0.2.1'] } });
  for (let i = 0; i < 12; i++) {
    await authenticate({ clientId: undefined });
    await passbell.get('/auth/authentication', {}, { keys: inactive });
    await passbell.get('/auth/authentication', {}, { keys: elsewhere });
  }
  expect(await failAuthentication()).toMatchObject({ code: INVALID_CREDENTIALS });
});

it('applies the limit to parallel requests', async () => {
  await start();
  const replies = await Promise.all(Array.from({ length: 60 }, () => failAuthentication()));
  expect(replies.filter(({ code }) => code === INVALID_CREDENTIALS)).toHaveLength(10);
  expect(replies.filter(({ code }) => code === TOO_MANY_FAILURES)).toHaveLength(50);
});

describe('X-Forwarded-For', () => {
  const forged = (n: number) => ({ 'X-Forwarded-For': `203.0.113.${n}` });

  it('is ignored without a trusted proxy', async () => {
    await start();
    expect((await failRepeatedly(12, forged)).slice(-2)).toEqual([TOO_MANY_FAILURES, TOO_MANY_FAILURES]);
    expect((await failRepeatedly(1, () => ({ Forwarded: 'for=203.0.113.9', 'X-Real-IP': '203.0.113.9' })))[0]).toBe(
      TOO_MANY_FAILURES,
    );
  });

  it('is used behind one trusted proxy, so that each client has a separate limit', async () => {
    await start({ TRUST_PROXY: '1' });
    expect(await failRepeatedly(10, () => forged(1))).toEqual(Array(10).fill(INVALID_CREDENTIALS));
    expect(await failRepeatedly(1, () => forged(1))).toEqual([TOO_MANY_FAILURES]);
    expect(await failRepeatedly(1, () => forged(2))).toEqual([INVALID_CREDENTIALS]);
  });

  it('is read from the right: entries that the client added itself are ignored', async () => {
    await start({ TRUST_PROXY: '1' });
    const codes = await failRepeatedly(12, (n) => ({ 'X-Forwarded-For': `198.51.100.${n}, 203.0.113.5` }));
    expect(codes.slice(-2)).toEqual([TOO_MANY_FAILURES, TOO_MANY_FAILURES]);
  });

  it('is used only if a listed proxy sends it', async () => {
    await start({ TRUST_PROXY: '10.0.0.0/8' });
    expect((await failRepeatedly(12, forged)).slice(-2)).toEqual([TOO_MANY_FAILURES, TOO_MANY_FAILURES]);
  });

  it('identifies an IPv6 /64 network, or an IPv4 address in either notation, as one source', async () => {
    await start({ TRUST_PROXY: '127.0.0.1' });
    const six = await failRepeatedly(12, (n) => ({ 'X-Forwarded-For': `2001:db8:1:2::${n}` }));
    expect(six.slice(-2)).toEqual([TOO_MANY_FAILURES, TOO_MANY_FAILURES]);
    expect(await failRepeatedly(1, () => ({ 'X-Forwarded-For': '2001:db8:1:3::1' }))).toEqual([INVALID_CREDENTIALS]);
    const four = await failRepeatedly(12, (n) => ({ 'X-Forwarded-For': n % 2 ? '203.0.113.7' : '::ffff:203.0.113.7' }));
    expect(four.slice(-2)).toEqual([TOO_MANY_FAILURES, TOO_MANY_FAILURES]);
  });

  it('causes no error if it contains no valid address', async () => {
    await start({ TRUST_PROXY: '1' });
    for (const value of ['nonsense', ',,,', '::ffff:', '999.1.1.1', 'unknown', '203.0.113.1:8080', '[::1]:5'])
      expect(await failAuthentication({ 'X-Forwarded-For': value })).toMatchObject({
        success: false,
        code: INVALID_CREDENTIALS,
      });
  });
});

describe('the allow-list behind a proxy', () => {
  it('checks the IP address that the trusted proxy reported', async () => {
    await start({ TRUST_PROXY: '1' });
    const keys = await passbell.application({ settings: { authorizedEndpoints: ['203.0.113.0/24'] } });
    const from = (address: string) =>
      passbell.get('/auth/authentication', {}, { keys, headers: { 'X-Forwarded-For': address } });
    expect(await from('203.0.113.9')).toMatchObject({ success: true });
    expect(await from('203.0.113.9, 198.51.100.1')).toMatchObject({ code: 'INVALID_ENDPOINT' });
  });
});
