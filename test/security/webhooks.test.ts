/** Webhooks reach no place that a stranger must not reach through the service, and what they send can be told from a forgery. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createCallOut, type Address, type Resolve } from '../../backend/src/modules/webhooks/call-out.js';
import { isPublicAddress } from '../../backend/src/modules/webhooks/public-address.js';
import { freshMail, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { isSigned, startWebhookServer, type WebhookServer } from '../support/webhook-server.js';

const PRIVATE = [
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

it.each(PRIVATE)('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::5'])('%s is public', (address) =>
  expect(isPublicAddress(address)).toBe(true),
);

describe('the address of a webhook', () => {
  let passbell: TestService;
  beforeAll(async () => void (passbell = await startService()));
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
  ])('%s is refused, whatever the reason with the same words', async (url) => {
    const refused = await passbell.post('/webhooks', { url, events: ['otp.verified'] });
    expect(refused).toEqual({
      success: false,
      code: 'INVALID_WEBHOOK_URL',
      message: 'url must be an http or https address on the public internet, without user and password',
    });
  });

  it('may be a public one', async () => {
    const made = await passbell.post('/webhooks', { url: 'https://8.8.8.8/events', events: ['otp.verified'] });
    expect(made).toMatchObject({ success: true });
  });
});

describe('a name', () => {
  let server: WebhookServer;
  let port: string;
  beforeEach(async () => {
    server = await startWebhookServer();
    port = new URL(server.url).port;
  });
  afterEach(() => server.close());
  const url = () => new URL(`http://hook.example:${port}/`);

  /** A name service that says something else each time, and the last for ever. */
  function saying(...answers: string[][]): Resolve & { asked: number } {
    const resolve = async (): Promise<Address[]> => {
      const addresses = answers[Math.min(resolve.asked++, answers.length - 1)]!;
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    };
    resolve.asked = 0;
    return resolve;
  }

  it.each([[['127.0.0.1']], [['8.8.8.8', '127.0.0.1']], [['127.0.0.1', '8.8.8.8']], [['::ffff:127.0.0.1']], [[]]])(
    'that leads to %j is not called',
    async (addresses) => {
      const callOut = createCallOut({ allowPrivate: false, resolve: saying(addresses) });
      expect(await callOut.mayCall(url())).toBe(false);
      await expect(callOut.post(url(), {}, '{}')).rejects.toThrow('may not be called');
      expect(server.calls).toEqual([]);
    },
  );

  it('that changes its mind after it was subscribed is not followed', async () => {
    const callOut = createCallOut({ allowPrivate: false, resolve: saying(['8.8.8.8'], ['127.0.0.1']) });
    expect(await callOut.mayCall(url())).toBe(true);
    await expect(callOut.post(url(), {}, '{}')).rejects.toThrow('may not be called');
    expect(server.calls).toEqual([]);
  });

  it('is asked for once a call: the connection goes to what was checked', async () => {
    const resolve = saying(['127.0.0.1'], ['203.0.113.1']);
    const callOut = createCallOut({ allowPrivate: true, resolve });
    expect(await callOut.post(url(), {}, '{}')).toBe(204);
    expect(resolve.asked).toBe(1);
    expect(server.calls[0]!.headers.host).toBe(`hook.example:${port}`);
  });

  it('has a connection of its own for each call, so that none outlives its check', async () => {
    const callOut = createCallOut({ allowPrivate: true, resolve: saying(['127.0.0.1'], ['127.0.0.2']) });
    await callOut.post(url(), {}, '{}');
    expect(server.calls[0]!.headers.connection).toBe('close');
  });
});

describe('a reply', () => {
  let server: WebhookServer;
  beforeEach(async () => void (server = await startWebhookServer()));
  afterEach(() => server.close());
  const callOut = createCallOut({ allowPrivate: true });

  it('that redirects is a refusal: nobody follows it', async () => {
    let visitors = 0;
    const inside = createServer((_request, response) => {
      visitors += 1;
      response.end();
    });
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
    const Location = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/`;
    for (const status of [301, 302, 303, 307, 308]) {
      server.answer({ status, headers: { Location } });
      expect(await callOut.post(new URL(server.url), {}, '{}')).toBe(status);
    }
    await pause(50);
    expect(visitors).toBe(0);
    await new Promise((resolve) => inside.close(resolve));
  });

  it('without an end is not heard to its end', async () => {
    server.answer('endless');
    expect(await callOut.post(new URL(server.url), {}, '{}')).toBe(200);
  });

  it('that does not come is given up after five seconds', async () => {
    server.answer('silent');
    await expect(callOut.post(new URL(server.url), {}, '{}')).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a service whose webhooks may not lead inside', () => {
  it('calls nothing inside, also for a webhook of the time when it was allowed', async () => {
    const server = await startWebhookServer();
    let passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' });
    await passbell.post('/webhooks', { url: server.url, events: ['message.delivered'] });
    passbell.clock.advance(1000);
    const variables = { orderId: 'A-1' };
    await passbell.post('/notifications/order', { to: freshMail(), templateType: 'order_shipped', variables });
    passbell = await passbell.restart({ WEBHOOKS_ALLOW_PRIVATE: 'false' });
    const failures = async () => (await passbell.get('/webhooks')).data.webhooks[0].failures;
    while ((await failures()) === 0) {
      passbell.clock.advance(500);
      await pause(5);
    }
    expect(server.calls).toEqual([]);
    await passbell.stop();
    await server.close();
  });
});

it('keeps the secret out of the database, the log and the list, and signs with nothing else', async () => {
  const server = await startWebhookServer();
  const passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' });
  const keys = await passbell.application(NO_LIMITS);
  const url = `${server.url}/?key=a-key-of-the-customer`;
  const { secret } = (await passbell.post('/webhooks', { url, events: ['otp.verified'] }, { keys })).data;
  passbell.clock.advance(1000);
  server.answer({ status: 500 });
  const { maskId, code } = await passbell.send(freshMail(), { otpLength: 10 }, { keys });
  await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys });
  while (server.calls.length === 0) {
    passbell.clock.advance(500);
    await pause(5);
  }
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
