/** validateCredentials, and the checks that precede every operation. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DEFAULT_DESIGN } from '../../backend/src/modules/applications/application.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { freshPhone, startService, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());
beforeEach(() => passbell.clock.advance(60_000));

const AUTHENTICATION = '/auth/authentication';
const rejection = (code: string, message: string) => ({ success: false, code, message });
const NOT_AUTHENTICATED = 'authenticated not successfully';
const INVALID_ENDPOINT = rejection('INVALID_ENDPOINT', 'Invalid endpoint');

/** Creates an application with its own account, so that changes to the account affect no other application. */
const createApplicationWithOwnAccount = (): Promise<KeyPair> =>
  passbell.core.applications.service.create(OPERATOR, { name: 'Own Account', email: `${freshPhone()}@example.com` });

const OPERATIONS: [string, 'get' | 'post', string][] = [
  ['authentication', 'get', AUTHENTICATION],
  ['application', 'get', '/application'],
  ['sendotp by query', 'get', '/auth/sendotp'],
  ['sendotp', 'post', '/auth/sendotp'],
  ['verifyotp by query', 'get', '/auth/verifyotp'],
  ['verifyotp', 'post', '/auth/verifyotp'],
  ['verifytoken', 'post', '/auth/verifytoken'],
  ['revokesession', 'post', '/auth/revokesession'],
  ['reportverified', 'post', '/auth/reportverified'],
];
const call = (method: 'get' | 'post', path: string, options: Parameters<TestService['get']>[2]) =>
  method === 'get' ? passbell.get(path, {}, options) : passbell.post(path, {}, options);

describe.each(OPERATIONS)('%s', (_name, method, path) => {
  const expectedMessage = (text: string) => (path === AUTHENTICATION ? NOT_AUTHENTICATED : text);

  it.each([
    ['clientId', { clientId: undefined }],
    ['clientSecret', { clientSecret: undefined }],
    ['both headers', { clientId: undefined, clientSecret: undefined }],
    ['a value for clientId', { clientId: '' }],
    ['a value for clientSecret', { clientSecret: '  ' }],
  ])('rejects a request without %s', async (_what, headers) => {
    expect(await call(method, path, { headers })).toMatchObject(
      rejection('MISSING_CREDENTIALS', 'missing clientId or clientSecret in headers'),
    );
  });

  it.each([
    ['a wrong secret', { clientSecret: 'sk_wrong' }],
    ['an unknown key', { clientId: 'pk_unknown' }],
    ['the secret in a different case', () => ({ clientSecret: passbell.keys.appSecret.toUpperCase() })],
    ['a truncated secret', () => ({ clientSecret: passbell.keys.appSecret.slice(0, -1) })],
  ])('rejects %s', async (_what, headers) => {
    const given = typeof headers === 'function' ? headers() : headers;
    expect(await call(method, path, { headers: given })).toMatchObject(
      rejection('INVALID_CREDENTIALS', expectedMessage('invalid clientId or clientSecret')),
    );
  });

  it('rejects the secret of another application', async () => {
    const { appSecret } = await passbell.application();
    expect(await call(method, path, { headers: { clientSecret: appSecret } })).toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
  });

  it('rejects an inactive application', async () => {
    const keys = await passbell.application({ status: 'inactive' });
    expect(await call(method, path, { keys })).toMatchObject(
      rejection('APPLICATION_INACTIVE', expectedMessage('application is inactive')),
    );
  });

  it.each([
    ['inactive', 'USER_INACTIVE', 'user is inactive'],
    ['blocked', 'ACCOUNT_BLOCKED', 'Your account is currently blocked'],
  ] as const)('rejects an %s account', async (status, code, message) => {
    const keys = await createApplicationWithOwnAccount();
    await passbell.core.applications.service.setAccountStatus(OPERATOR, keys.appKey, status);
    expect(await call(method, path, { keys })).toMatchObject(rejection(code, message));
    await passbell.core.applications.service.setAccountStatus(OPERATOR, keys.appKey, 'active');
    expect(await call(method, path, { keys })).not.toMatchObject({ code });
  });

  it('rejects a caller that is not on the allow-list', async () => {
    const keys = await passbell.application({ settings: { authorizedEndpoints: ['https://shop.example'] } });
    expect(await call(method, path, { keys })).toMatchObject(INVALID_ENDPOINT);
  });
});

it('confirms valid credentials without sending a message', async () => {
  const before = (await passbell.inbox()).length;
  expect(await passbell.get(AUTHENTICATION)).toEqual({ success: true, message: 'authenticated successfully' });
  expect(await passbell.inbox()).toHaveLength(before);
});

it('returns the application that the credentials belong to', async () => {
  const { appKey, appSecret } = await passbell.core.applications.service.create(OPERATOR, {
    name: 'Café “Zoë” 🛒',
    email: 'a@example.com',
  });
  expect(await passbell.get('/application', {}, { keys: { appKey, appSecret } })).toEqual({
    success: true,
    message: 'application found',
    data: { appKey, name: 'Café “Zoë” 🛒', language: '', design: DEFAULT_DESIGN },
  });
});

it('accepts header names in any case and values with surrounding spaces', async () => {
  const { appKey, appSecret } = passbell.keys;
  const headers = {
    clientId: undefined,
    clientSecret: undefined,
    CLIENTID: ` ${appKey} `,
    clientsecret: `\t${appSecret}`,
  };
  expect(await passbell.get(AUTHENTICATION, {}, { headers })).toMatchObject({ success: true });
});

describe('a rotated secret', () => {
  it('stays valid alongside the new secret during the grace period', async () => {
    const old = await passbell.application();
    const rotated = await passbell.core.applications.service.rotateSecret(OPERATOR, old.appKey, 3600);
    passbell.clock.advance(3_599_000);
    expect(await passbell.get(AUTHENTICATION, {}, { keys: old })).toMatchObject({ success: true });
    passbell.clock.advance(1000);
    expect(await passbell.get(AUTHENTICATION, {}, { keys: old })).toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(await passbell.get(AUTHENTICATION, {}, { keys: rotated })).toMatchObject({ success: true });
  });

  it('expires immediately without a grace period', async () => {
    const old = await passbell.application();
    await passbell.core.applications.service.rotateSecret(OPERATOR, old.appKey, 0);
    expect(await passbell.get(AUTHENTICATION, {}, { keys: old })).toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });
});

describe('a request with several errors', () => {
  it('is checked in this order: headers, credentials, application, account, allow-list, parameters, limits', async () => {
    const { applications } = passbell.core;
    const keys = await createApplicationWithOwnAccount();
    const to = freshPhone();
    await applications.service.update(OPERATOR, keys.appKey, {
      status: 'inactive',
      settings: { authorizedEndpoints: ['192.0.2.1'] },
      limits: { burstPerMinute: 1, burstPerSecond: 1 },
    });
    await applications.service.setAccountStatus(OPERATOR, keys.appKey, 'blocked');
    const send = (parameters: object, headers: Record<string, string | undefined> = {}) =>
      passbell.post('/auth/sendotp', parameters, { keys, headers });

    expect(await send({}, { clientSecret: undefined })).toMatchObject({ code: 'MISSING_CREDENTIALS' });
    expect(await send({}, { clientSecret: 'wrong' })).toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(await send({})).toMatchObject({ code: 'APPLICATION_INACTIVE' });
    await applications.service.update(OPERATOR, keys.appKey, { status: 'active' });
    expect(await send({})).toMatchObject({ code: 'ACCOUNT_BLOCKED' });
    await applications.service.setAccountStatus(OPERATOR, keys.appKey, 'active');
    expect(await send({})).toMatchObject({ code: 'INVALID_ENDPOINT' });
    await applications.service.update(OPERATOR, keys.appKey, { settings: { authorizedEndpoints: [] } });
    expect(await send({ to })).toMatchObject({ success: true });
    expect(await send({})).toMatchObject({ code: 'MISSING_RECIPIENT' });
    expect(await send({ to, expiry: 0 })).toMatchObject({ code: 'INVALID_PARAMETER' });
    expect(await send({ to: freshPhone() })).toMatchObject({ code: 'BURST_LIMIT' });
  });
});

describe('the allow-list', () => {
  const probe = async (authorizedEndpoints: string[], headers: Record<string, string> = {}) => {
    const keys = await passbell.application({ settings: { authorizedEndpoints } });
    return (await passbell.get(AUTHENTICATION, {}, { keys, headers })).message;
  };
  const ALLOWED = 'authenticated successfully';

  it.each([
    ['the origin', ['https://shop.example'], { origin: 'https://shop.example' }],
    ['the referer', ['https://shop.example'], { referer: 'https://shop.example/cart?step=2' }],
    ['the source address', ['127.0.0.1'], {}],
    ['the source network', ['127.0.0.0/8'], {}],
    ['the source address with an unlisted origin', ['127.0.0.1'], { origin: 'https://evil.example' }],
    ['the referer with the origin null', ['shop.example'], { origin: 'null', referer: 'https://shop.example/' }],
  ])('allows %s', async (_what, list, headers) => expect(await probe(list, headers)).toBe(ALLOWED));

  it.each([
    ['the origin null', ['https://shop.example'], { origin: 'null' }],
    ['a listed host as a prefix', ['shop.example'], { origin: 'https://shop.example.evil.example' }],
    ['a listed host as a suffix', ['shop.example'], { origin: 'https://evilshop.example' }],
    ['a listed host as user information', ['shop.example'], { origin: 'https://shop.example@evil.example' }],
    ['a listed host in the query of the referer', ['shop.example'], { referer: 'https://evil.example/?shop.example' }],
    ['another address', ['192.0.2.1'], {}],
    ['a listed address in a forwarding header', ['192.0.2.1'], { 'x-forwarded-for': '192.0.2.1' }],
  ])('rejects %s', async (_what, list, headers) => expect(await probe(list, headers)).toBe('Invalid endpoint'));
});
