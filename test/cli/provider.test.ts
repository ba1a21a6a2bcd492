/** `passbell provider` and `passbell route`, with a running server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGatewayServer } from '../support/gateway-server.js';
import { createKey } from '../support/manage.js';
import { accountOf, waitForRoutingUpdate } from '../support/providers.js';
import { freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { startSmtpServer } from '../support/smtp-server.js';
import { startTwilioServer, TWILIO_ERRORS, type TwilioServer } from '../support/twilio-server.js';
import { advancing, until } from '../support/wait.js';
import { auditLog, CHANGE_MS, json, run } from './command.js';

let server: TestService;
let twilio: TwilioServer;
let folder: string;
beforeAll(async () => {
  server = await startService({ DEV_INBOX: 'off' });
  twilio = await startTwilioServer();
  folder = mkdtempSync(join(tmpdir(), 'passbell-provider-'));
});
afterAll(async () => {
  await server.stop();
  await twilio.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Adds a Twilio provider that calls the test server. Reads the token from a file. */
async function addProvider(name: string, ...more: string[]) {
  const tokenFile = join(folder, 'token.txt');
  writeFileSync(tokenFile, `${twilio.authToken}\n`);
  const settings = ['--set', `accountSid=${twilio.accountSid}`, '--set-file', `authToken=${tokenFile}`];
  const sender = ['--set', `apiUrl=${twilio.url}`, '--set', 'smsFrom=+14155550100'];
  return json(server, 'provider', 'add', 'twilio', '--name', name, ...settings, ...sender, ...more);
}
const removeProviders = async () => {
  for (const { id } of await json(server, 'provider', 'list')) await run(server, 'provider', 'remove', id);
};
afterEach(removeProviders);

async function send() {
  const keys = await server.application(NO_LIMITS);
  return server.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
}

it('shows the provider types and their settings', async () => {
  expect((await run(server, 'provider', 'types')).out).toContain('twilio');
  expect((await run(server, 'provider', 'types', 'twilio')).out).toContain('authToken (required, secret)');
});

it('adds, changes and removes a provider; the running server applies each change within 2 seconds', async () => {
  const { id } = await addProvider('Main');
  const end = server.clock.now() + CHANGE_MS;
  await until('a code by SMS', async () => (await send()).success, advancing(server.clock, 100));
  expect(server.clock.now()).toBeLessThanOrEqual(end);
  expect(twilio.requests.at(-1)!.form.From).toBe('+14155550100');

  await run(server, 'provider', 'set', id, '--set', 'smsFrom=Shop');
  await until(
    'the new sender',
    async () => (await send()) && twilio.requests.at(-1)!.form.From === 'Shop',
    advancing(server.clock, 100),
  );
  await run(server, 'provider', 'set', id, '--enabled', 'off');
  await until(
    'no provider',
    async () => (await send()).code === 'CHANNEL_NOT_CONFIGURED',
    advancing(server.clock, 100),
  );
  expect(server.clock.now()).toBeLessThanOrEqual(end + 2 * CHANGE_MS);
});

it('never shows a stored secret, and stores no secret in plain text', async () => {
  const added = await addProvider('Main');
  const { id } = added;
  const listed = await json(server, 'provider', 'list');
  expect(listed).toMatchObject([{ id, secrets: ['authToken'], settings: { smsFrom: '+14155550100' } }]);
  const { out } = await run(server, 'provider', 'set', id, '--set', 'authToken=another-secret-token');
  const refused = await run(server, 'provider', 'set', id, '--set', 'accountSid=another-secret-token');
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('accountSid must start with AC') });
  const db = server.openDatabase();
  const stored = [await db('providers'), await db('audit_entries')];
  await db.destroy();
  const shown = JSON.stringify([added, listed, out, refused, stored, server.logged]);
  expect(shown).not.toContain(twilio.authToken);
  expect(shown).not.toContain('another-secret-token');
  expect((await auditLog(server)).slice(-2)).toMatchObject([
    {
      action: 'provider.add',
      subject: 'Main',
      changes: expect.arrayContaining([{ name: 'apiUrl', before: '', after: twilio.url }]),
    },
    { action: 'provider.change', subject: 'Main', changes: [{ name: 'authToken', before: '', after: 'changed' }] },
  ]);
});

it('checks credentials and sends a test message', async () => {
  const { id } = await addProvider('Main');
  const before = twilio.requests.length;
  const tested = await json(server, 'provider', 'test', id, '--to', '+1 415 555 0123', '--channel', 'SMS');
  expect(tested).toEqual({
    credentials: { ok: true },
    message: {
      ok: true,
      providerId: expect.stringMatching(/^SM/),
      reply: { status: 201, text: expect.stringContaining('"sid":"SM') },
    },
  });
  expect(twilio.requests.slice(before).map(({ method }) => method)).toEqual(['GET', 'POST']);
  twilio.respondToLookUpsWith(TWILIO_ERRORS.credentials);
  expect(await run(server, 'provider', 'test', id)).toMatchObject({
    code: 1,
    out: expect.stringContaining('Twilio rejected the credentials'),
  });
  twilio.respondToLookUpsWith('accept');
  expect((await auditLog(server)).slice(-2)).toMatchObject([
    { action: 'provider.test', subject: 'Main', changes: [{ name: 'channel', before: '', after: 'SMS' }] },
    { action: 'provider.check', subject: 'Main', changes: [] },
  ]);
});

it('shows the unchanged reply to a test message, except that secrets are hidden', async () => {
  const { id } = await addProvider('Main');
  const basic = Buffer.from(`${twilio.accountSid}:${twilio.authToken}`).toString('base64');
  const body = { code: 21211, message: `no such number; token ${twilio.authToken}, ${basic}` };
  twilio.respondWith({ status: 400, body });
  const { code, out } = await run(server, 'provider', 'test', id, '--to', freshPhone(), '--channel', 'SMS');
  expect(code).toBe(1);
  expect(out).toContain('Reply to the message  400 {"code":21211,"message":"no such number; token ••••, ••••"}');
  twilio.respondWith('accept');
});

it("shows the vendor's reply to a credentials check, with secrets hidden", async () => {
  const gateway = await startGatewayServer();
  gateway.respondWith({ status: 403, body: { message: 'wrong password gateway-s3cret' } });
  const settings = ['--set', `server=${gateway.url}`, '--set', 'username=shop', '--set', 'password=gateway-s3cret'];
  const { id } = await json(server, 'provider', 'add', 'sms-gate', '--name', 'Phone', ...settings);
  const { out } = await run(server, 'provider', 'test', id);
  await gateway.close();
  expect(out).toMatch(/Credentials +the provider rejected the credentials \(403\)\n/);
  expect(out).toMatch(/Reply to the check +403 {"message":"wrong password ••••"}/);
});

it('sets, lists and removes routes, and drops removed providers from them', async () => {
  const a = await addProvider('A');
  const b = await addProvider('B');
  await json(server, 'route', 'set', '--channel', 'SMS', '--country', 'IN', b.id, a.id);
  await json(server, 'route', 'set', '--channel', 'SMS', `${a.id}=70`, `${b.id}=30`);
  expect(await json(server, 'route', 'list')).toEqual([
    {
      channel: 'SMS',
      country: '*',
      mode: 'ordered',
      providers: [
        { provider: a.id, weight: 70 },
        { provider: b.id, weight: 30 },
      ],
    },
    { channel: 'SMS', country: 'IN', mode: 'ordered', providers: [{ provider: b.id }, { provider: a.id }] },
  ]);
  await json(server, 'route', 'remove', '--channel', 'SMS');
  await json(server, 'provider', 'remove', b.id);
  expect(await json(server, 'route', 'list')).toEqual([
    { channel: 'SMS', country: 'IN', mode: 'ordered', providers: [{ provider: a.id }] },
  ]);
  expect((await run(server, 'route', 'remove', '--channel', 'SMS')).err).toContain('there is no route for SMS *');
});

it('sets an automatic route with prices, and records it', async () => {
  const a = await addProvider('Automatic A');
  const b = await addProvider('Automatic B');
  const saved = await json(server, 'route', 'set', '--channel', 'SMS', '--automatic', `${a.id}=0.0075`, b.id);
  const route = { channel: 'SMS', country: '*', mode: 'automatic' };
  expect(saved).toEqual({ ...route, providers: [{ provider: a.id, price: 0.0075 }, { provider: b.id }] });
  expect((await run(server, 'route', 'list')).out).toMatch(/SMS\W+automatic\W+PRV/);
  const db = server.openDatabase();
  const { changes } = await db('audit_entries').where({ action: 'route.change' }).orderBy('id', 'desc').first();
  await db.destroy();
  expect(changes).toContain('"automatic"');
  await json(server, 'route', 'remove', '--channel', 'SMS');
});

it.each([
  [['route', 'set', '--channel', 'SMS', 'PRV-unknown'], 'there is no provider PRV-unknown'],
  [['route', 'set', '--channel', 'EMAIL', '--country', 'IN', 'PRV-unknown'], 'emails have no country'],
  [['provider', 'add', 'pigeon', '--name', 'X'], 'there is no provider type pigeon'],
  [['provider', 'add', 'twilio', '--name', 'X'], 'accountSid is missing'],
  [['provider', 'list', '--account', 'nobody@shop.example'], 'there is no account nobody@shop.example'],
])('rejects %j', async (args, reason) => {
  expect(await run(server, ...args)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(reason) });
});

it('rejects a second provider with the same name', async () => {
  await addProvider('Main');
  await expect(addProvider('Main')).rejects.toThrow('there is already a provider with the name Main');
});

it('a mail server with a wrong password never becomes live', async () => {
  const smtp = await startSmtpServer({ credentials: { user: 'shop', password: 'correct' } });
  const sets = (...values: string[]) => values.flatMap((value) => ['--set', value]);
  const place = ['host=127.0.0.1', `port=${new URL(smtp.url).port}`, 'security=none', 'from=codes@shop.example'];
  const settings = sets(...place, 'user=shop', 'password=wrong');
  const added = await run(server, 'provider', 'add', 'smtp', '--name', 'Shop mail', ...settings);
  const reason = 'the mail server rejected the username or password (535)';
  expect(added.out).toMatch(
    /State +failing since .* because the mail server rejected the username or password \(535\)/,
  );
  expect(added.out).toMatch(/To make it live +npm run --silent passbell -- provider test PRV-/);
  const [{ id, verified, state }] = await json(server, 'provider', 'list');
  expect({ verified, state }).toMatchObject({ verified: false, state: { kind: 'failing', reason } });
  const keys = await server.application(NO_LIMITS);
  const mail = () => server.post('/auth/sendotp', { to: 'ana@shop.example', authWay: 'EMAIL' }, { keys });
  await waitForRoutingUpdate(server);
  expect(await mail()).toMatchObject({ code: 'CHANNEL_NOT_CONFIGURED', message: expect.stringContaining('Shop mail') });

  const { out } = await run(server, 'provider', 'set', id, '--set', 'password=correct');
  expect(out).toMatch(/State +live\n/);
  await waitForRoutingUpdate(server);
  expect(await mail()).toMatchObject({ success: true });
  expect(smtp.received).toHaveLength(1);
  await smtp.close();
});

it('finds a provider by the ID with which a program created it', async () => {
  const accountId = await accountOf(server);
  const { call } = await createKey(server, { accountId });
  const settings = { channel: 'SMS', url: 'https://gateway.example/send', body: '{ "to": "{{ to }}" }' };
  const created = await call('put', '/providers/my-gateway', { type: 'http-gateway', name: 'Mine', settings });
  expect(created.status).toBe(200);
  expect((await run(server, 'provider', 'test', 'my-gateway')).out).toContain('cannot be checked without a message');
  expect((await run(server, 'provider', 'set', 'my-gateway', '--name', 'Ours')).out).toMatch(/Name +Ours/);
  expect((await run(server, 'provider', 'remove', 'my-gateway')).out).toContain(created.data.id);
});
