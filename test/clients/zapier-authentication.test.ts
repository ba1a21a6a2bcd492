/** The connection between the Zapier app and an application of the service. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { normalizeBaseUrl } from '../../zapier-app/src/base-url.js';
import { startService, type TestService } from '../support/service.js';
import { App, connect } from '../support/zapier.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());

const { test, connectionLabel } = App.authentication!;
const to = '+14155550199';

describe('Base URL', () => {
  it.each([
    ['https://auth.example.com', 'https://auth.example.com/api/v1'],
    ['https://auth.example.com/', 'https://auth.example.com/api/v1'],
    ['https://auth.example.com/api/v1', 'https://auth.example.com/api/v1'],
    ['https://auth.example.com/api/v1///', 'https://auth.example.com/api/v1'],
    [' auth.example.com ', 'https://auth.example.com/api/v1'],
    ['HTTPS://Auth.Example.com:8443/codes/', 'https://auth.example.com:8443/codes/api/v1'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/api/v1'],
    ['http://localhost:3000/api/v1/', 'http://localhost:3000/api/v1'],
    ['http://[::1]:3000', 'http://[::1]:3000/api/v1'],
  ])('%s is normalized to %s', (input, normalized) => {
    expect(normalizeBaseUrl(input)).toBe(normalized);
  });

  it.each([
    '',
    ' ',
    'http://auth.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'ftp://auth.example.com',
    'https://user:password@auth.example.com',
    'https://auth.example.com/?key=1',
    'https://auth.example.com/#key',
    'https://intranet',
    'https://',
    'javascript:alert(1)',
  ])('%p is rejected without being repeated in the message', async (baseUrl) => {
    const failure = await connect(baseUrl, passbell.keys).runError(test);
    expect(failure).toMatchObject({ name: 'AppError', code: 'INVALID_BASE_URL' });
    expect(failure.text).not.toContain('password');
  });
});

describe('the connection test', () => {
  it('passes with valid credentials, sends no message, and returns the application name without the secret', async () => {
    const shop = connect(`${passbell.url}/`, passbell.keys);
    const result: Record<string, string> = await shop.run(test);
    const label = String(connectionLabel).replace(/{{(\w+)}}/g, (_all, name: string) => result[name]!);
    expect(label).toBe(`Test Shop at ${new URL(passbell.url).host}`);
    expect(JSON.stringify([result, label])).not.toContain(passbell.keys.appSecret);
    expect(await passbell.inbox()).toEqual([]);
  });

  it('accepts credentials with surrounding spaces', async () => {
    const { appKey, appSecret } = passbell.keys;
    const shop = connect(passbell.url, { appKey: ` ${appKey}\n`, appSecret: `\t${appSecret} ` });
    expect(await shop.run(test)).toMatchObject({ appKey });
  });

  it.each([
    ['a wrong secret', { appSecret: 'sk_wrong' }],
    ['an unknown key', { appKey: 'pk_unknown' }],
    ['no secret', { appSecret: '' }],
    ['no key', { appKey: '' }],
    ['a secret with characters that are invalid in a header', { appSecret: 'sk_ünïcode→secret' }],
    ['a secret of two lines', { appSecret: 'sk_first\r\nX-Second: line' }],
    ['a secret with braces', { appSecret: 'sk_{{bundle.authData.appKey}}' }],
  ])('expires a connection with %s, without repeating the credentials', async (_case, wrong) => {
    const keys = { ...passbell.keys, ...wrong };
    for (const failure of [
      await connect(passbell.url, keys).runError(test),
      await connect(passbell.url, keys).actError('send_otp', { to, reference: 'r', otp: '482913' }),
    ]) {
      expect(failure.name).toBe('ExpiredAuthError');
      expect(failure.text).toMatch(/^[A-Z][^\n]+\.$/);
      for (const secret of [keys.appSecret, passbell.keys.appSecret, '482913', to].filter(Boolean))
        expect(failure.text).not.toContain(secret);
    }
  });

  it('fails without expiring the connection while the application is inactive', async () => {
    const keys = await passbell.application({ status: 'inactive' });
    expect(await connect(passbell.url, keys).runError(test)).toMatchObject({
      name: 'AppError',
      code: 'APPLICATION_INACTIVE',
      text: expect.stringContaining('The application is inactive.'),
    });
  });

  it.each([
    ['inactive', 'USER_INACTIVE', 'Ask the operator of your Passbell server to activate it.'],
    ['blocked', 'ACCOUNT_BLOCKED', 'Ask the operator of your Passbell server why.'],
  ] as const)('fails without expiring the connection while the account is %s', async (status, code, advice) => {
    const { applications } = passbell.core;
    const keys = await applications.service.create(OPERATOR, { name: 'Own Account', email: `${status}@example.com` });
    await applications.service.setAccountStatus(OPERATOR, keys.appKey, status);
    expect(await connect(passbell.url, keys).runError(test)).toMatchObject({
      name: 'AppError',
      code,
      text: expect.stringContaining(advice),
    });
  });

  it('fails without expiring the connection when Zapier is not on the allow-list', async () => {
    const keys = await passbell.application({ settings: { authorizedEndpoints: ['shop.example'] } });
    expect(await connect(passbell.url, keys).runError(test)).toMatchObject({
      name: 'AppError',
      code: 'INVALID_ENDPOINT',
      text: expect.stringContaining('allow-list'),
    });
  });

  it('gets throttled after too many failed authentications', async () => {
    const anonymous = connect(passbell.url, { appKey: 'pk_unknown', appSecret: 'sk_wrong' });
    let failure = await anonymous.runError(test);
    for (let i = 0; i < 20 && failure.name === 'ExpiredAuthError'; i++) failure = await anonymous.runError(test);
    expect(failure).toMatchObject({ name: 'ThrottledError', delay: expect.any(Number) });
    passbell.clock.advance(60_000);
  });
});

it('a Base URL that contains an API path fails with advice', async () => {
  const failure = await connect(`${passbell.url}/api/v1/auth/authentication`, passbell.keys).runError(test);
  expect(failure).toMatchObject({ code: 'NOT_FOUND', text: expect.stringContaining('Check the Base URL') });
});

describe('a server that is not Passbell', () => {
  let server: Server;
  let url: string;
  let response: { status: number; headers?: Record<string, string>; body: string };
  const requests: IncomingMessage[] = [];
  beforeAll(async () => {
    server = createServer((incoming, outgoing) => {
      requests.push(incoming);
      outgoing.writeHead(response.status, response.headers).end(response.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it.each([
    ['a web page', { status: 200, body: '<html>Welcome</html>' }],
    ['JSON of another service', { status: 200, body: '{"ok":true}' }],
    ['null', { status: 200, body: 'null' }],
    ['success only', { status: 200, body: '{"success":true,"message":"ok"}' }],
    ['404', { status: 404, body: 'not found' }],
    ['401', { status: 401, body: 'sign in' }],
  ])('fails the connection if it returns %s', async (_case, reply) => {
    response = reply;
    expect(await connect(url, passbell.keys).runError(test)).toMatchObject({
      name: 'AppError',
      code: 'UNEXPECTED_REPLY',
      text: expect.stringContaining(`HTTP status ${reply.status}`),
    });
  });

  it('fails the connection if a proxy cannot reach it, and explains that a replay is safe', async () => {
    response = { status: 502, body: '<html>Bad Gateway</html>' };
    expect(await connect(url, passbell.keys).runError(test)).toMatchObject({
      name: 'AppError',
      code: 'UNREACHABLE',
      text: expect.stringContaining('a replay does not send it twice.'),
    });
  });

  it('receives the credentials only once if it redirects', async () => {
    response = { status: 302, headers: { Location: `${url}/elsewhere` }, body: '' };
    requests.length = 0;
    expect(await connect(url, passbell.keys).runError(test)).toMatchObject({ code: 'UNEXPECTED_REPLY' });
    expect(requests.map((request) => request.url)).toEqual(['/api/v1/auth/authentication']);
  });

  it('is called again later if it throttles requests', async () => {
    response = { status: 429, headers: { 'Retry-After': '17' }, body: 'slow down' };
    expect(await connect(url, passbell.keys).runError(test)).toMatchObject({ name: 'ThrottledError', delay: 17 });
  });

  it('fails the connection if it is unreachable', async () => {
    const failure = await connect('http://127.0.0.1:9', passbell.keys).actError('verify_otp', {
      maskId: 'm',
      otp: '482913',
    });
    expect(failure).toMatchObject({ name: 'AppError', code: 'UNREACHABLE' });
    expect(failure.text).not.toContain('482913');
  });
});
