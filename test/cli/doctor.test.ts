/** `passbell doctor`: finds problems with an installation, without sending anything. */
import { startDnsServer } from '../support/dns-server.js';
import { startGatewayServer } from '../support/gateway-server.js';
import { startService, type Body, type TestService } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';
import { json, run } from './command.js';

let server: TestService;
let smtp: TestSmtpServer;
beforeAll(async () => {
  [server, smtp] = [await startService(), await startSmtpServer()];
});
afterAll(async () => {
  await server.stop();
  await smtp.close();
});

/** Returns the state and text of each finding, by check. */
async function findings(settings: Record<string, string>): Promise<Record<string, string>> {
  const { out } = await run({ ...server, settings }, 'doctor', '--json');
  return Object.fromEntries((JSON.parse(out) as Body[]).map(({ check, state, text }) => [check, `${state}: ${text}`]));
}

it('reports no problem for a working installation, and warns about missing parts', async () => {
  const found: Body[] = await json({ ...server, settings: { BASE_URL: server.url } }, 'doctor');
  const states = Object.fromEntries(found.map(({ check, state }) => [check, state]));
  expect(states).toMatchObject({ settings: 'ok', database: 'ok', clock: 'ok', BASE_URL: 'ok', proxy: 'ok' });
  expect(found.find(({ check }) => check === 'providers')).toMatchObject({ state: 'warning' });
  expect((await findings({})).BASE_URL).toMatch(/^warning: It is not set/);
});

it('prints readable problems, and exits with code 1', async () => {
  const settings = { BASE_URL: 'https://127.0.0.1:1', SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'codes@shop.example' };
  const { code, out, err } = await run({ ...server, settings }, 'doctor');
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(out).toMatch(/^PROBLEM {2}BASE_URL: https:\/\/127\.0\.0\.1:1 cannot be reached/m);
  expect(out).toMatch(/^PROBLEM {2}proxy: .*TRUST_PROXY/m);
  expect(out).toMatch(/^PROBLEM {2}provider 127\.0\.0\.1:1: /m);
  expect(out).toMatch(/^ok {7}database: /m);
});

it('finds a SECRET_KEY that did not encrypt the stored secrets', async () => {
  expect((await findings({})).SECRET_KEY).toBe('ok: It decrypts the stored secrets.');
  const SECRET_KEY = 'a key that only tests use and nobody else';
  expect((await findings({ SECRET_KEY })).SECRET_KEY).toMatch(/^problem: .* SECRET_KEY=new,old\.$/);
});

it('checks the mail server without sending anything', async () => {
  const found = await findings({ SMTP_URL: smtp.url, MAIL_FROM: 'codes@shop.example' });
  expect(found[`provider ${new URL(smtp.url).host}`]).toMatch(/^ok: /);
  expect(found.providers).toBeUndefined();
  expect(smtp.received).toEqual([]);
});

it('shows the state of each provider in the words of the dashboard', async () => {
  const gateway = await startGatewayServer();
  const settings = ['--set', `url=${gateway.url}/send`, '--set', 'body={"to": "{{ to }}"}'];
  const { id } = await json(server, 'provider', 'add', 'http-gateway', '--name', 'Local SMS', ...settings);
  const stateOf = async () => (await findings({}))['provider Local SMS'];
  const listed = async () => (await run(server, 'provider', 'list')).out;
  expect(await stateOf()).toMatch(/^warning: State: not verified\. Send a test message/);
  expect(await listed()).toMatch(/Local SMS .* not verified /);

  const test = () => run(server, 'provider', 'test', id, '--to', '+14155550123', '--channel', 'SMS');
  gateway.respondWith({ status: 401, body: {} });
  await test();
  expect(await stateOf()).toMatch(/^problem: State: failing since 20\S+Z because .*\(401\)/);
  expect(await listed()).toMatch(/Local SMS .* failing since 20\S+Z because .*\(401\) /);
  gateway.respondWith({ status: 200, body: { id: 'gw-1' } });
  await test();
  expect(await stateOf()).toBe('ok: State: live.');
  expect(await listed()).toMatch(/Local SMS .* live /);
  await run(server, 'provider', 'remove', id);
  await gateway.close();
});

it('lists all problems with the settings', async () => {
  const found = await findings({ PORT: 'many', SEND_WAIT_MS: 'long' });
  expect(Object.keys(found)).toEqual(['settings']);
  expect(found.settings).toMatch(/^problem: [\s\S]*PORT[\s\S]*SEND_WAIT_MS/);
});

it("checks the DNS records of the sender's domain, without failing because of them", async () => {
  const dns = await startDnsServer({
    'shop.com MX': ['10 mail.shop.com'],
    'shop.com TXT': ['v=spf1 mx \u001b[2J~all'],
  });
  const settings = { SMTP_URL: smtp.url, MAIL_FROM: 'codes@shop.com', DNS_SERVERS: dns.address, BASE_URL: server.url };
  const { code, out } = await run({ ...server, settings }, 'doctor');
  expect(code).toBe(0);
  expect(out).toMatch(/^WARNING {2}emails from shop\.com: SPF: Receivers reject the SPF record of shop\.com/m);
  expect(out).toContain('whoever manages the DNS of shop.com: _dmarc.shop.com TXT v=DMARC1; p=none');
  expect(out).not.toContain('\u001b');
  dns.respondWith({ behavior: 'broken' });
  expect((await findings(settings))['emails from shop.com']).toMatch(/^ok: .*The DNS lookup of shop\.com failed/);
  await dns.close();
});
