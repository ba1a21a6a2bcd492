/** Webhook calls are signed, and cannot reach private addresses. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCallOut } from '../../backend/src/modules/webhooks/call-out.js';
import type { Address, Resolve } from '../../backend/src/platform/http/checked-address.js';
import type { ExchangeError } from '../../backend/src/platform/http/exchange.js';
import { isPublicAddress, machineAddresses } from '../../backend/src/platform/http/public-address.js';
import { freshMail, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { isSigned, startWebhookServer, type WebhookServer } from '../support/webhook-server.js';
import { advancing, until, waiting } from '../support/wait.js';

const PRIVATE_ADDRESSES = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'not an address',
];

it.each(PRIVATE_ADDRESSES)('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::5'])('%s is public', (address) =>
  expect(isPublicAddress(address)).toBe(true),
);

it("this machine's addresses include the addresses of all its interfaces", () =>
  expect(machineAddresses()).toContain('127.0.0.1'));

describe.each([
  { DEV_INBOX: 'off' },
  { DEV_INBOX: 'force' },
  { BASE_URL: 'https://otp.example' },
  { TRUST_PROXY: '1' },
] as Record<string, string>[])('the URL of a webhook with %j', (settings) => {
  let passbell: TestService;
  beforeAll(async () => void (passbell = await startService(settings)));
  afterAll(() => passbell.stop());

  it.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://[fd00:ec2::254]/',
    'http://100.64.0.1/',
    'http://no-such-name.invalid/',
  ])('%s is rejected with the same message', async (url) => {
    const reply = await passbell.post('/webhooks', { url, events: ['otp.verified'] });
    expect(reply).toMatchObject({
      success: false,
      code: 'INVALID_WEBHOOK_URL',
      message: 'url must be a public http or https URL, without a username and password',
    });
  });

  it('may be public', async () => {
    const reply = await passbell.post('/webhooks', { url: 'https://8.8.8.8/events', events: ['otp.verified'] });
    expect(reply).toMatchObject({ success: true });
  });
});

describe("on a developer's machine with an open dev inbox", () => {
  let passbell: TestService;
  let server: WebhookServer;
  beforeAll(async () => {
    passbell = await startService();
    server = await startWebhookServer();
  });
  afterAll(async () => {
    await passbell.stop();
    await server.close();
  });
  const subscribe = (url: string) => passbell.post('/webhooks', { url, events: ['message.accepted'] });

  it('webhooks on the same machine are called, until the settings show that others can reach the server', async () => {
    const local = server.url.replace('127.0.0.1', 'localhost');
    expect(await subscribe(local)).toMatchObject({ success: true });
    expect(await subscribe('http://[::1]:4000/')).toMatchObject({ success: true });
    const notify = () =>
      passbell.post('/notifications/order', {
        to: freshMail(),
        templateType: 'order_shipped',
        variables: { orderId: 'A-1' },
      });
    await notify();
    await until('a webhook call', () => server.calls.length === 1, advancing(passbell.clock, 500));
    passbell = await passbell.restart({ TRUST_PROXY: '1' });
    await notify();
    const attempts = async () => {
      const db = passbell.openDatabase();
      const rows = await db('webhook_attempts').whereNull('status');
      await db.destroy();
      return rows.length;
    };
    const before = await attempts();
    await until('a rejected call', async () => (await attempts()) > before, advancing(passbell.clock, 500));
    expect(server.calls).toHaveLength(1);
    passbell = await passbell.restart({ TRUST_PROXY: 'false' });
  });

  it.each([
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/',
    'http://localhost.example/',
    'http://127.0.0.1.nip.io/',
    'http://[::]/',
    'http://0.0.0.0/',
    'http://[::ffff:127.0.0.1]/',
  ])('%s is rejected, and the error names the settings', async (url) => {
    const hint = expect.stringMatching(/WEBHOOKS_ALLOW_PRIVATE.*DEV_INBOX/);
    expect(await subscribe(url)).toMatchObject({ success: false, code: 'INVALID_WEBHOOK_URL', hint });
  });

  it('a name that resolves to a loopback address is not called', async () => {
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const callOut = createCallOut({ allowPrivate: false, allowLoopback: true, resolve });
    const url = new URL(server.url.replace('127.0.0.1', 'hook.example'));
    expect(await callOut.mayCall(url)).toBe(false);
    await expect(callOut.post(url, {}, '{}')).rejects.toThrow('are not allowed');
  });
});

describe('a host name', () => {
  let server: WebhookServer;
  let port: string;
  beforeEach(async () => {
    server = await startWebhookServer();
    port = new URL(server.url).port;
  });
  afterEach(() => server.close());
  const url = () => new URL(`http://hook.example:${port}/`);

  /** Creates a DNS resolver that returns these results in turn, and then repeats the last one. */
  function resolverOf(...results: string[][]): Resolve & { calls: number } {
    const resolve = async (): Promise<Address[]> => {
      const addresses = results[Math.min(resolve.calls++, results.length - 1)]!;
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    };
    resolve.calls = 0;
    return resolve;
  }

  it.each([[['127.0.0.1']], [['8.8.8.8', '127.0.0.1']], [['127.0.0.1', '8.8.8.8']], [['::ffff:127.0.0.1']], [[]]])(
    'is not called if it resolves to %j',
    async (addresses) => {
      const callOut = createCallOut({ allowPrivate: false, resolve: resolverOf(addresses) });
      expect(await callOut.mayCall(url())).toBe(false);
      await expect(callOut.post(url(), {}, '{}')).rejects.toThrow('are not allowed');
      expect(server.calls).toEqual([]);
    },
  );

  it.each([
    ['93.184.215.14', '93.184.215.14'],
    ['2606:4700:0:0::1111', '2606:4700::1111'],
  ])('is not called if it resolves to %s, an address of this machine', async (address, own) => {
    const callOut = createCallOut({
      allowPrivate: false,
      resolve: resolverOf([address]),
      ownAddresses: () => ['127.0.0.1', own],
    });
    expect(await callOut.mayCall(url())).toBe(false);
    await expect(callOut.post(url(), {}, '{}')).rejects.toThrow('are not allowed');
  });

  it('is not called if it resolves to a private address after the subscription', async () => {
    const callOut = createCallOut({ allowPrivate: false, resolve: resolverOf(['8.8.8.8'], ['127.0.0.1']) });
    expect(await callOut.mayCall(url())).toBe(true);
    await expect(callOut.post(url(), {}, '{}')).rejects.toThrow('are not allowed');
    expect(server.calls).toEqual([]);
  });

  it('is resolved only once for each call, so the connection uses the checked address', async () => {
    const resolve = resolverOf(['127.0.0.1'], ['203.0.113.1']);
    const callOut = createCallOut({ allowPrivate: true, resolve });
    expect(await callOut.post(url(), {}, '{}')).toMatchObject({ status: 204 });
    expect(resolve.calls).toBe(1);
    expect(server.calls[0]!.headers.host).toBe(`hook.example:${port}`);
  });

  it('gets a new connection for each call, so that no call skips the address check', async () => {
    const callOut = createCallOut({ allowPrivate: true, resolve: resolverOf(['127.0.0.1'], ['127.0.0.2']) });
    await callOut.post(url(), {}, '{}');
    expect(server.calls[0]!.headers.connection).toBe('close');
  });
});

describe('a reply', () => {
  let server: WebhookServer;
  beforeEach(async () => void (server = await startWebhookServer()));
  afterEach(() => server.close());
  const callOut = createCallOut({ allowPrivate: true });

  it('is not followed if it is a redirect', async () => {
    let requests = 0;
    const target = createServer((_request, response) => {
      requests += 1;
      response.end();
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    const Location = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
    for (const status of [301, 302, 303, 307, 308]) {
      server.respondWith({ status, headers: { Location } });
      expect(await callOut.post(new URL(server.url), {}, '{}')).toMatchObject({ status });
    }
    // The target closes only after it has handled all open connections.
    await waiting('the end of the target', new Promise((resolve) => target.close(resolve)));
    expect(requests).toBe(0);
  });

  it('is truncated if it never ends', async () => {
    server.respondWith('endless');
    expect(await callOut.post(new URL(server.url), {}, '{}')).toMatchObject({ status: 200 });
  });

  it('counts even if its connection closes before its end', async () => {
    const cutting = createServer((_request, response) => {
      response.writeHead(202, { 'Content-Length': 100 });
      response.write('thank y', () => response.destroy());
    });
    await new Promise<void>((resolve) => cutting.listen(0, '127.0.0.1', resolve));
    const url = new URL(`http://127.0.0.1:${(cutting.address() as AddressInfo).port}/`);
    expect(await callOut.post(url, {}, '{}')).toEqual({ status: 202, text: 'thank y' });
    await waiting('the end of the server', new Promise((resolve) => cutting.close(resolve)));
  });

  it.each([
    ['with an Upgrade header', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'],
    ['without one', ''],
  ])('ends the call if it has status 101 %s', async (_case, headers) => {
    server.respondWith({ raw: `HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n` });
    const result = await callOut.post(new URL(server.url), {}, '{}').then(
      ({ status }) => status,
      (error: ExchangeError) => error.timedOut && 'timeout',
    );
    expect([101, 'timeout']).toContain(result);
  });

  it('ends the call if it consists of interim replies only', async () => {
    server.respondWith({ raw: 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000) });
    await expect(callOut.post(new URL(server.url), {}, '{}')).rejects.toThrow('too many interim replies');
  });

  it('times out if its body is slow', async () => {
    server.respondWith({ raw: 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx' });
    await expect(callOut.post(new URL(server.url), {}, '{}')).rejects.toMatchObject({
      failure: 'noReply',
      timedOut: true,
    });
  });

  it('times out after five seconds', async () => {
    server.respondWith('silent');
    await expect(callOut.post(new URL(server.url), {}, '{}')).rejects.toMatchObject({
      failure: 'noReply',
      timedOut: true,
    });
  });
});

describe('WEBHOOKS_ALLOW_PRIVATE', () => {
  it('blocks private webhooks once it is false, including webhooks that were created while it was true', async () => {
    const server = await startWebhookServer();
    let passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' });
    await passbell.post('/webhooks', { url: server.url, events: ['message.accepted'] });
    passbell.clock.advance(1000);
    const variables = { orderId: 'A-1' };
    await passbell.post('/notifications/order', { to: freshMail(), templateType: 'order_shipped', variables });
    passbell = await passbell.restart({ WEBHOOKS_ALLOW_PRIVATE: 'false', DEV_INBOX: 'off' });
    const failures = async () => (await passbell.get('/webhooks')).data.webhooks[0].failures;
    await until('a failure', async () => (await failures()) > 0, advancing(passbell.clock, 500));
    expect(server.calls).toEqual([]);
    await passbell.stop();
    await server.close();
  });
});

it('signs calls with the secret, and does not reveal the secret in the database, the log or the list', async () => {
  const server = await startWebhookServer();
  const passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' });
  const keys = await passbell.application(NO_LIMITS);
  const url = `${server.url}/?key=a-key-of-the-customer`;
  const { secret } = (await passbell.post('/webhooks', { url, events: ['otp.verified'] }, { keys })).data;
  passbell.clock.advance(1000);
  server.respondWith({ status: 500 });
  const { maskId, code } = await passbell.send(freshMail(), { otpLength: 10 }, { keys });
  await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys });
  await until('a webhook call', () => server.calls.length > 0, advancing(passbell.clock, 500));
  expect(isSigned(server.calls[0]!, secret)).toBe(true);
  expect(isSigned(server.calls[0]!, `${secret}x`)).toBe(false);
  const db = passbell.openDatabase();
  const stored = JSON.stringify([await db('webhooks'), await db('webhook_deliveries')]);
  await db.destroy();
  const listed = JSON.stringify(await passbell.get('/webhooks', {}, { keys }));
  for (const place of [stored, listed, passbell.logged.join('')])
    for (const value of [secret, code]) expect(place).not.toContain(value);
  expect(passbell.logged.join('')).not.toContain('a-key-of-the-customer');
  await passbell.stop();
  await server.close();
});
