/** clients/python, against the running service. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { contract } from '../../backend/src/platform/contract/contract.js';
import { HOUR } from '../../backend/src/platform/clock.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { createTestClock } from '../support/clock.js';
import { root } from '../support/process.js';
import { hasModule, hasPython, PYTHON, python, pythonEnv } from '../support/python.js';
import {
  freshMail,
  freshPhone,
  NO_LIMITS,
  startService,
  wrongCode,
  type Body,
  type TestService,
} from '../support/service.js';
import { advancing, until } from '../support/wait.js';
import { startForwarder, startStaticServer } from './n8n/forwarder.js';

let passbell: TestService;
let keys: KeyPair;
beforeAll(async () => {
  // The client uses the system clock.
  const clock = createTestClock(Math.floor(Date.now() / 1000) * 1000);
  passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' }, { clock });
  keys = await passbell.application(NO_LIMITS);
});
afterAll(() => passbell.stop());

const clientOf = (options: object = {}, of: KeyPair = keys) => ({
  base_url: passbell.url,
  app_key: of.appKey,
  app_secret: of.appSecret,
  ...options,
});
const call = (lines: string, given: object = {}, options: object = {}) =>
  python(lines, { ...given, client: clientOf(options) });

if (!hasPython) it.skip('needs Python 3.9 or newer', () => {});
const describeWithPython = hasPython ? describe : describe.skip;
const itWith = (name: string) => (hasModule(name) ? it : it.skip);

async function session() {
  const to = freshPhone();
  const { maskId } = await call('result = passbell.send_otp(to=given["to"])', { to });
  const otp = await passbell.codeFor(to);
  return call('result = passbell.verify_otp(**given)', { maskId, otp });
}

describeWithPython('operations', () => {
  it('send and verify a code, and return the data of the API', async () => {
    const to = freshPhone();
    const sent = await call('result = passbell.send_otp(to=given["to"], authWay="WHATSAPP", clientIp=None)', { to });
    expect(sent).toMatchObject({ authType: 'WHATSAPP', results: [{ maskId: sent.maskId }] });
    const given = { maskId: sent.maskId, otp: await passbell.codeFor(to) };
    const { token, user } = await call('result = passbell.verify_otp(**given)', given);
    expect(user).toMatchObject({ phone: to });
    expect(await call('result = passbell.verify_token(given["token"])', { token })).toMatchObject({
      userId: user.userId,
    });
    const lines = 'passbell.revoke_session(given["token"])\nresult = passbell.verify_token(given["token"])';
    expect((await call(lines, { token })).error.code).toBe('TOKEN_REVOKED');
    const [event] = await call('result = passbell.list_recent_events("otp.verified")');
    expect(event.data.userId).toBe(user.userId);
  });

  it('cover all operations in the contract that require API credentials, with their methods and paths', async () => {
    const { paths } = contract as unknown as { paths: Record<string, Record<string, Body>> };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { operationId, security }]) => security === undefined && !operationId.endsWith('ByQuery'))
        .map(
          ([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path.replace(/\{\w+\}/, 'a%2Fb')}`,
        ),
    );
    const forwarder = await startForwarder(passbell.url, () => false);
    const calls = await call(
      `
calls = {
    "validateCredentials": lambda: passbell.validate_credentials(),
    "getApplication": lambda: passbell.get_application(),
    "sendOtp": lambda: passbell.send_otp(to=given["phone"], authWay="SMS", otpLength=8),
    "verifyOtp": lambda: passbell.verify_otp(maskId="a" * 32, otp="123456"),
    "getOtp": lambda: passbell.get_otp("a/b"),
    "cancelOtp": lambda: passbell.cancel_otp("a/b"),
    "reportVerified": lambda: passbell.report_verified(to=given["phone"]),
    "verifyToken": lambda: passbell.verify_token("token"),
    "revokeSession": lambda: passbell.revoke_session("token"),
    "resetTwoFactor": lambda: passbell.reset_two_factor(given["email"]),
    "sendOrderNotification": lambda: passbell.send_order_notification(
        to=given["email"], templateType="order_placed", variables={"orderId": "A-1"}),
    "sendInvoiceNotification": lambda: passbell.send_invoice_notification(
        to=given["email"], templateType="invoice_paid", variables={"invoiceNumber": "I-1"}),
    "getMessage": lambda: passbell.get_message("a/b"),
    "cancelMessage": lambda: passbell.cancel_message("a/b"),
    "listMessages": lambda: passbell.list_messages(limit=3),
    "getUsage": lambda: passbell.get_usage("2026-01-01", "2026-01-02"),
    "createCodePage": lambda: passbell.create_code_page(
        maskId="a" * 32, callbackUrl="https://shop.example/7", expiresIn=900),
    "createWebhook": lambda: passbell.create_webhook(url="https://shop.example/", events=["otp.verified"]),
    "listWebhooks": lambda: passbell.list_webhooks(),
    "listRecentEvents": lambda: passbell.list_recent_events("message.failed"),
    "removeWebhook": lambda: passbell.remove_webhook("a/b"),
}
result = {}
for name, each in calls.items():
    try:
        each()
        result[name] = ""
    except PassbellError as error:
        result[name] = error.code
`,
      { phone: freshPhone(), email: freshMail() },
      { base_url: forwarder.url },
    );
    forwarder.close();
    const seen = forwarder.exchanges.map(
      ({ method, path }) => `${method} ${path.slice('/api/v1'.length).split('?')[0]}`,
    );
    expect(
      Object.keys(calls)
        .map((name, n) => `${name} ${seen[n]}`)
        .sort(),
    ).toEqual(operations.sort());
    // The requests are valid, but the token or message may not exist.
    for (const code of Object.values(calls))
      expect(code).toMatch(/^(|INVALID_OTP|INVALID_TOKEN|MESSAGE_NOT_FOUND|MISSING_PARAMETERS|INVALID_PARAMETER)$/);
    expect(forwarder.exchanges[0]!.headers['user-agent']).toMatch(/^passbell-python\/\d+\.\d+\.\d+$/);
  });

  it('cancel a code, which then cannot be verified', async () => {
    const to = freshPhone();
    const { maskId } = await call('result = passbell.send_otp(to=given["to"])', { to });
    const lines = 'result = [passbell.get_otp(given["id"])["state"], passbell.cancel_otp(given["id"])["state"]]';
    expect(await call(lines, { id: maskId })).toEqual(['pending', 'canceled']);
    const otp = await passbell.codeFor(to);
    expect((await call('result = passbell.verify_otp(**given)', { maskId, otp })).error.code).toBe('INVALID_OTP');
  });

  it('iterate_messages yields the messages of all pages', async () => {
    const to = freshPhone();
    const lines = `
for n in range(5):
    passbell.send_otp(to=given["to"])
count = len(replies)
result = [[message["messageId"] for message in passbell.iterate_messages(to=given["to"], limit=2)], len(replies) - count]
`;
    const [ids, calls] = await call(lines, { to });
    expect([new Set(ids).size, calls]).toEqual([5, 3]);
  });

  it('finds messages by their reference', async () => {
    const { messageId } = await call('result = passbell.send_otp(**given)', { to: freshMail(), reference: 'A-1001' });
    const { messages } = await call('result = passbell.list_messages(reference="A-1001")');
    expect(messages).toMatchObject([{ messageId, reference: 'A-1001' }]);
  });

  it('wait_for waits until a message is sent, and no longer than its time limit', async () => {
    // A service of its own, because signatures would be too new for the client after its clock has advanced.
    const service = await startService();
    const client = clientOf({ base_url: service.url }, service.keys);
    const sendAt = new Date(service.clock.now() + HOUR).toISOString();
    const order = { to: freshMail(), templateType: 'order_shipped', variables: { orderId: 'A-1' }, sendAt, client };
    const { messageId: id } = await python('result = passbell.send_order_notification(**given)', order);
    const late = await python('result = passbell.wait_for(given["id"], timeout=0)', { id, client });
    expect(late.error).toMatchObject({ code: 'TIMED_OUT', message: expect.stringContaining('still scheduled') });
    const forwarder = await startForwarder(service.url, () => false);
    const options = { ...client, base_url: forwarder.url };
    let message: Body;
    const waiting = python('result = passbell.wait_for(given["id"])', { id, client: options }).then((result) => {
      message = result;
    });
    await until('the first call', () => forwarder.exchanges.length > 0);
    expect(forwarder.exchanges[0]!.reply.data.state).toBe('scheduled');
    service.clock.advance(HOUR);
    await until('the message', () => message !== undefined, advancing(service.clock, 1000));
    await waiting;
    expect(message).toMatchObject({ messageId: id, state: 'sent' });
    forwarder.close();
    await service.stop();
  });
});

describeWithPython('errors', () => {
  it('have the code, the hint and attempts_left of a wrong code, and the seconds to wait of a refused send', async () => {
    const to = freshPhone();
    const client = clientOf({}, passbell.keys);
    const { maskId } = await python('result = passbell.send_otp(to=given["to"])', { to, client });
    const wrong = { maskId, otp: wrongCode(await passbell.codeFor(to)), client };
    const { error } = await python('result = passbell.verify_otp(**given)', wrong);
    expect(error).toMatchObject({ code: 'INVALID_OTP', message: 'Invalid OTP', attempts_left: 4, replayed: false });
    expect(passbell.logged.join('\n')).toContain(`"requestId":"${error.request_id}"`);
    const throttled = await python('result = passbell.send_otp(to=given["to"])', { to, client });
    expect(throttled.error).toMatchObject({ code: 'COOLDOWN', retry_after_seconds: 30, docs: expect.any(String) });
    const invalid = await call('result = passbell.send_otp(to="+1 415 555 0188", expiry=0, chanel="SMS")');
    expect(invalid.error).toMatchObject({
      field: 'expiry',
      received: '0',
      hint: expect.stringMatching(/.{20}/),
      warnings: [expect.stringMatching(/^chanel is not a parameter/)],
    });
  });

  it('never contain the App Secret', async () => {
    const secret = 'sk_wrong-secret';
    const echoes = await Promise.all([200, 404, 502].map((status) => startStaticServer(status, {}, secret)));
    for (const base_url of [passbell.url, 'http://127.0.0.1:9', ...echoes.map(({ url }) => url)]) {
      const { error, text } = await call(
        'result = passbell.list_webhooks()',
        {},
        { base_url, app_secret: secret, max_retries: 0 },
      );
      expect(error.code).toMatch(/^[A-Z_]+$/);
      expect(`${JSON.stringify(error)}${text}`).not.toContain(secret);
    }
    echoes.forEach((server) => server.close());
    const program =
      'from passbell import Passbell; Passbell(base_url="http://x", app_key="k", app_secret="sk_wrong\\n")';
    const { stderr } = spawnSync(PYTHON, ['-c', program], { env: pythonEnv, encoding: 'utf8' });
    expect(stderr).toContain('ValueError: Passbell: app_secret is missing or has invalid characters');
  });

  it.each([
    [404, 'UNEXPECTED_REPLY', 1],
    [302, 'UNEXPECTED_REPLY', 1],
    [502, 'CONNECTION_FAILED', 3],
  ])('convert a reply with HTTP %d that is not from Passbell to %s', async (status, code, attempts) => {
    // The client does not follow redirects.
    const server = await startStaticServer(status, { Location: passbell.url }, '<html></html>');
    const { error } = await call('result = passbell.list_webhooks()', {}, { base_url: server.url });
    expect([error.code, server.paths.length]).toEqual([code, attempts]);
    server.close();
  });

  it('report a server that does not reply in time, with the ID of the request', async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const lines = 'result = passbell.list_webhooks(timeout=0.05, request_id="my-request")';
    const { error } = await call(lines, {}, { base_url, max_retries: 0 });
    expect(error).toMatchObject({ code: 'TIMED_OUT', request_id: 'my-request' });
    const waiting = await call('result = passbell.wait_for("x", timeout=0.5)', {}, { base_url });
    // Without the time limit, there would be three attempts of ten seconds.
    expect(waiting.error.message).toMatch(/^no reply within 0\./);
    server.closeAllConnections();
    server.close();
  });
});

describeWithPython('invalid options', () => {
  const CLIENT = 'Passbell(base_url="http://127.0.0.1:9", app_key="k", app_secret="s")';
  it.each([
    [CLIENT.replace('127', 'user:password@127'), 'base_url must not contain a username or password'],
    [`${CLIENT}.list_webhooks(request_id="my-id\\nX: y")`, 'request_id must be one or more printable ASCII characters'],
    [`${CLIENT}.list_webhooks(request_id="")`, 'request_id must be one or more printable ASCII characters'],
    [`${CLIENT}.list_webhooks(request_id="request-Ω")`, 'request_id must be one or more printable ASCII characters'],
  ])('are named: %s', (call, problem) => {
    const program = `from passbell import Passbell; ${call}`;
    const { stderr } = spawnSync(PYTHON, ['-c', program], { env: pythonEnv, encoding: 'utf8' });
    expect(stderr.trim().split('\n').at(-1)).toBe(`ValueError: Passbell: ${problem}`);
  });
});

describeWithPython('retries', () => {
  it('encrypt each attempt, also through a proxy', async () => {
    const received: string[] = [];
    const proxy = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => {
        received.push(data.toString('latin1'));
        socket.destroy();
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const client = { base_url: 'https://otp.example', app_key: 'pk_1', app_secret: 'sk_secret' };
    const lines = `
import os
os.environ["https_proxy"] = given["proxy"]
result = Passbell(**given["other"]).send_otp(to="+14155550188")`;
    const { port } = proxy.address() as AddressInfo;
    const { error } = await python(lines, { proxy: `http://127.0.0.1:${port}`, other: client });
    expect(error.code).toBe('CONNECTION_FAILED');
    expect(received.map((text) => text.split('\r\n')[0])).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^CONNECT otp\.example:443 /)),
    );
    expect(received.join()).not.toContain(client.app_secret);
    proxy.close();
  });

  it('send no message twice after a lost reply', async () => {
    const to = freshPhone();
    let lost = false;
    const forwarder = await startForwarder(passbell.url, () => !lost && (lost = true));
    await call('result = passbell.send_otp(to=given["to"])', { to }, { base_url: forwarder.url });
    expect(forwarder.exchanges).toHaveLength(2);
    expect(new Set(forwarder.exchanges.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(await passbell.inbox(to)).toHaveLength(1);
    forwarder.close();
  });

  it('on_reply gets request IDs, replays and warnings', async () => {
    const lines = `
for request_id in ["my-first-request", "my-second-request"]:
    passbell.send_otp(to=given["to"], chanel="SMS", idempotency_key="order-17", request_id=request_id)
result = [vars(reply) for reply in replies]
`;
    const path = '/auth/sendotp';
    const warnings = [expect.stringMatching(/^chanel is not a parameter/)];
    expect(await call(lines, { to: freshPhone() })).toEqual([
      { path, request_id: 'my-first-request', replayed: false, warnings },
      { path, request_id: 'my-second-request', replayed: true, warnings },
    ]);
    expect(passbell.logged.join('\n')).toContain('"requestId":"my-first-request"');
  });
});

describeWithPython('tokens', () => {
  const LOCAL = `
claims = passbell.verify_token_locally(given["token"], purpose=given.get("purpose", "login"))
result = [claims.user_id, claims.channel, claims.expires_at.timestamp() - claims.issued_at.timestamp()]
`;

  itWith('cryptography')('are verified locally', async () => {
    const { token, user } = await session();
    expect(await call(LOCAL, { token })).toEqual([user.userId, 'sms', 1800]);
    const [head, payload, signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'USR-other' })).toString('base64url');
    const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    for (const bad of [`${head}.${forged}.${signature}`, `${unsigned}.${payload}.`, `${head}.${payload}`, 'token', ''])
      expect((await call(LOCAL, { token: bad })).error.code).toBe('INVALID_TOKEN');
    expect((await call(LOCAL, { token, purpose: 'two-factor' })).error.code).toBe('INVALID_TOKEN');
    expect((await call(LOCAL, { token }, { app_key: passbell.keys.appKey })).error.code).toBe('INVALID_TOKEN');
    expect((await call(LOCAL, { token }, { issuer: 'https://other.example' })).error.code).toBe('INVALID_TOKEN');
  });

  itWith('cryptography')('are rejected locally after their expiry', async () => {
    const service = await startService({}, { clock: createTestClock(Date.now() - HOUR) });
    const { maskId, code } = await service.send(freshPhone());
    const { data } = await service.post('/auth/verifyotp', { maskId, otp: code });
    const client = clientOf({ base_url: service.url }, service.keys);
    expect((await python(LOCAL, { token: data.token, client })).error.code).toBe('TOKEN_EXPIRED');
    await service.stop();
  });
});

describeWithPython('errors', () => {
  it('can be pickled', async () => {
    const lines = `
import pickle
copy = pickle.loads(pickle.dumps(PassbellError("COOLDOWN", "wait", {"retryAfterSeconds": 7})))
result = [str(copy), copy.retry_after_seconds]`;
    expect(await python(lines)).toEqual(['COOLDOWN: wait', 7]);
  });
});

describeWithPython('the README', () => {
  const readme = readFileSync(join(root, 'clients/python/README.md'), 'utf8');
  const snippets = [...readme.matchAll(/```python\n([\s\S]*?)```/g)].map(([, code]) => code!);

  it('begins with a program that sends and verifies a code', async () => {
    const to = freshPhone();
    const program = snippets[0]!
      .replace('http://127.0.0.1:3000', passbell.url)
      .replace('pk_…', keys.appKey)
      .replace('sk_…', keys.appSecret)
      .replace('+1 415 555 0188', to);
    const child = spawn(PYTHON, ['-W', 'error', '-c', program], { env: pythonEnv });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    const end = new Promise((resolve) => child.on('close', resolve));
    await until('the code', async () => child.exitCode !== null || (await passbell.inbox(to)).length > 0);
    child.stdin.end(`${await passbell.codeFor(to)}\n`);
    await end;
    expect(output).toMatch(/^Code: [\w-]+\.[\w-]+\.[\w-]+ USR-/);
  });

  itWith('mypy')('and the client have correct types', () => {
    const declarations =
      'from typing import Any\nfrom passbell import Passbell\npassbell: Passbell\nsent: Any\nrequest: Any\n';
    const names =
      'mask_id: str\notp: str\nurl: str\nkey: str\napp_secret: str\nsecret: str\ndef show_error(text: str) -> None: ...\n';
    const checked = [...snippets, 'passbell.send_otp(to="", maskid="")  # type: ignore[call-arg]\n'];
    for (const snippet of checked) {
      const code = snippet === snippets[0] ? snippet : declarations + names + snippet;
      const args = ['-m', 'mypy', '--strict', '--allow-untyped-defs', '--allow-untyped-calls', '--warn-unused-ignores'];
      const { stdout } = spawnSync(PYTHON, [...args, '-c', code], { env: pythonEnv, encoding: 'utf8' });
      expect(stdout).toMatch(/^Success/);
    }
  });
});
