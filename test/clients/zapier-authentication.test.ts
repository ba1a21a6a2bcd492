/** How the Zapier app connects to an application of the service. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mendBaseUrl } from '../../zapier-app/src/base-url.js';
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
  ])('%s is taken as %s', (typed, mended) => {
    expect(mendBaseUrl(typed)).toBe(mended);
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
  ])('%p is refused, and nothing of it is said again', async (baseUrl) => {
    const failure = await connect(baseUrl, passbell.keys).fails(test);
    expect(failure).toMatchObject({ name: 'AppError', code: 'INVALID_BASE_URL' });
    expect(failure.text).not.toContain('password');
  });
});

describe('the test of a connection', () => {
  it('passes with the right pair, sends nothing and names the application without its secret', async () => {
    const shop = connect(`${passbell.url}/`, passbell.keys);
    const answer: Record<string, string> = await shop.run(test);
    const label = String(connectionLabel).replace(/{{(\w+)}}/g, (_all, name: string) => answer[name]!);
    expect(label).toBe(`Test Shop at ${new URL(passbell.url).host}`);
    expect(JSON.stringify([answer, label])).not.toContain(passbell.keys.appSecret);
    expect(await passbell.inbox()).toEqual([]);
  });

  it('takes a pair with spaces around it', async () => {
    const { appKey, appSecret } = passbell.keys;
    const shop = connect(passbell.url, { appKey: ` ${appKey}\n`, appSecret: `\t${appSecret} ` });
    expect(await shop.run(test)).toMatchObject({ appKey });
  });

  it.each([
    ['a wrong secret', { appSecret: 'sk_wrong' }],
    ['an unknown key', { appKey: 'pk_unknown' }],
    ['no secret', { appSecret: '' }],
    ['no key', { appKey: '' }],
    ['a secret with a letter that no header can carry', { appSecret: 'sk_ünïcode→secret' }],
    ['a secret of two lines', { appSecret: 'sk_first\r\nX-Second: line' }],
    ['a secret with braces', { appSecret: 'sk_{{bundle.authData.appKey}}' }],
  ])('expires the connection with %s, without saying it again', async (_case, wrong) => {
    const keys = { ...passbell.keys, ...wrong };
    for (const failure of [
      await connect(passbell.url, keys).fails(test),
      await connect(passbell.url, keys).refused('send_otp', { to, reference: 'r', otp: '482913' }),
    ]) {
      expect(failure.name).toBe('ExpiredAuthError');
      expect(failure.text).toMatch(/^[A-Z][^\n]+\.$/);
      for (const secret of [keys.appSecret, passbell.keys.appSecret, '482913', to].filter(Boolean))
        expect(failure.text).not.toContain(secret);
    }
  });

  it('fails, and keeps the connection, while the application is switched off', async () => {
    const keys = await passbell.application({ status: 'inactive' });
    expect(await connect(passbell.url, keys).fails(test)).toMatchObject({
      name: 'AppError',
      code: 'APPLICATION_INACTIVE',
      text: expect.stringContaining('The application of this connection is switched off.'),
    });
  });

  it.each([
    ['inactive', 'USER_INACTIVE'],
    ['blocked', 'ACCOUNT_BLOCKED'],
  ] as const)('fails, and keeps the connection, while the account is %s', async (status, code) => {
    const { applications } = passbell.service;
    const keys = await applications.create({ name: 'Own Account', email: `${status}@example.com` });
    await applications.setAccountStatus(keys.appKey, status);
    expect(await connect(passbell.url, keys).fails(test)).toMatchObject({
      name: 'AppError',
      code,
      text: expect.stringContaining('Ask who runs the service.'),
    });
  });

  it('fails, and keeps the connection, when the allow-list leaves Zapier out', async () => {
    const keys = await passbell.application({ settings: { authorizedEndpoints: ['shop.example'] } });
    expect(await connect(passbell.url, keys).fails(test)).toMatchObject({
      name: 'AppError',
      code: 'INVALID_ENDPOINT',
      text: expect.stringContaining('allow-list'),
    });
  });

  it('is throttled, not expired, after too many wrong pairs', async () => {
    const stranger = connect(passbell.url, { appKey: 'pk_unknown', appSecret: 'sk_wrong' });
    let failure = await stranger.fails(test);
    for (let i = 0; i < 20 && failure.name === 'ExpiredAuthError'; i++) failure = await stranger.fails(test);
    expect(failure).toMatchObject({ name: 'ThrottledError', delay: expect.any(Number) });
    passbell.clock.advance(60_000);
  });
});

it('a Base URL that is copied from a page of the service says what is wrong with it', async () => {
  const failure = await connect(`${passbell.url}/api/v1/auth/authentication`, passbell.keys).fails(test);
  expect(failure).toMatchObject({ code: 'NOT_FOUND', text: expect.stringContaining('Check the Base URL') });
});

describe('what is no Passbell', () => {
  let server: Server;
  let url: string;
  let answer: { status: number; headers?: Record<string, string>; body: string };
  const seen: IncomingMessage[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push(request);
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it.each([
    ['a web page', { status: 200, body: '<html>Welcome</html>' }],
    ['JSON of another service', { status: 200, body: '{"ok":true}' }],
    ['null', { status: 200, body: 'null' }],
    ['a gateway that has no answer', { status: 502, body: 'bad gateway' }],
    ['a page that is not there', { status: 404, body: 'not found' }],
    ['a wish for other credentials', { status: 401, body: 'sign in' }],
  ])('%s fails the connection', async (_case, reply) => {
    answer = reply;
    expect(await connect(url, passbell.keys).fails(test)).toMatchObject({
      name: 'AppError',
      code: 'UNEXPECTED_REPLY',
      text: expect.stringContaining(`HTTP status ${reply.status}`),
    });
  });

  it('a redirection is not followed: the pair goes to nobody else', async () => {
    answer = { status: 302, headers: { Location: `${url}/elsewhere` }, body: '' };
    seen.length = 0;
    expect(await connect(url, passbell.keys).fails(test)).toMatchObject({ code: 'UNEXPECTED_REPLY' });
    expect(seen.map((request) => request.url)).toEqual(['/api/v1/auth/authentication']);
  });

  it('a gateway that throttles is tried again later', async () => {
    answer = { status: 429, headers: { 'Retry-After': '17' }, body: 'slow down' };
    expect(await connect(url, passbell.keys).fails(test)).toMatchObject({ name: 'ThrottledError', delay: 17 });
  });

  it('nobody at all fails the connection', async () => {
    const failure = await connect('http://127.0.0.1:9', passbell.keys).refused('verify_otp', {
      maskId: 'm',
      otp: '482913',
    });
    expect(failure).toMatchObject({ name: 'AppError', code: 'UNREACHABLE' });
    expect(failure.text).not.toContain('482913');
  });
});
