/** Requests of the Zapier app, recorded by a server, and the app's entries in Zapier's log. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ERRORS } from '../../backend/src/platform/contract/generated/errors.js';
import { freshMail, NO_LIMITS, startService, wrongCode, type Body, type TestService } from '../support/service.js';
import { App, connect, platform, type Action } from '../support/zapier.js';

const ENVELOPE = {
  isTried: 1,
  isSent: 1,
  results: [{ success: true, maskId: 'f'.repeat(32), to: '+1*******123', createdTime: 1, expireTime: 2 }],
};
let server: Server;
let url: string;
let reply: object;
const requests: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
let passbell: TestService;

beforeAll(async () => {
  passbell = await startService();
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      requests.push({ path: request.url!, headers: request.headers, body });
      response.end(JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await passbell.stop();
  server.close();
});
beforeEach(() => void (reply = { success: true, message: 'ok', data: ENVELOPE }));

describe('text is sent unchanged:', () => {
  const TEXTS: [string, string][] = [
    ['templates of Zapier', '{{bundle.authData.appSecret}} {{bundle.inputData.to}} {{process.env.HOME}} {{curly}} { {'],
    ['line breaks', 'one\ntwo\r\nthree\tfour\u2028five'],
    ['emoji and other scripts', '👩‍👩‍👧 naïve 東京 مرحبا 🏳️‍🌈'],
    ['JSON and HTML', '"quoted" \\back\\ </script> {"a": [1]} &amp;'],
    ['2,000 characters', '{{bundle.x}}\n🙂 ä'.padEnd(2000, 'long {{text}} ')],
    ['surrounding spaces', '  inside  '],
  ];

  /** Commas, semicolons and line breaks would separate recipients. */
  const TO = '{{bundle.authData.appSecret}} {{process.env.HOME}} 🙂 </script> { {';

  it.each(TEXTS)('%s', async (_case, text) => {
    await connect(url, passbell.keys).act('order_notification', {
      to: TO,
      templateType: 'order_update',
      orderId: text,
      updateMessage: text,
    });
    const { headers, body } = requests.at(-1)!;
    expect(JSON.parse(body)).toEqual({
      to: TO,
      templateType: 'order_update',
      variables: { orderId: text, updateMessage: text },
    });
    expect(headers['content-type']).toBe('application/json');
    expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
  });

  it('in a delivered message', async () => {
    const shop = connect(passbell.url, await passbell.application(NO_LIMITS));
    const updateMessage = `{{bundle.authData.appSecret}} 🙂 {{orderId}} ${'x'.repeat(400)}`;
    const to = freshMail();
    await shop.act('order_notification', { to, templateType: 'order_update', orderId: '{{id}}', updateMessage });
    const text = (await passbell.inbox(to))[0]!.text;
    expect(text).toContain('{{id}}');
    expect(text).toContain(updateMessage);
  });
});

it('requests time out after 30 seconds', async () => {
  const timeouts: unknown[] = [];
  const record = (request: { timeout?: number }) => {
    timeouts.push(request.timeout);
    return request;
  };
  const app = { ...App, beforeRequest: [App.beforeRequest ?? [], record].flat() };
  await connect(url, passbell.keys, app).act('order_notification', {
    to: '+14155550123',
    templateType: 'order_placed',
  });
  expect(timeouts).toEqual([30_000]);
});

it('fields of a previously selected template are not sent', async () => {
  const inputs = { to: '+14155550123', templateType: 'order_shipped', orderId: '1', trackingNo: '2' };
  const unrelated = { cancelReason: 'sold out', feedbackLink: 'https://shop.example', invoiceNumber: '17', other: 'x' };
  await connect(url, passbell.keys).act('order_notification', { ...inputs, ...unrelated });
  expect(JSON.parse(requests.at(-1)!.body).variables).toEqual({ orderId: '1', trackingNo: '2' });
});

it('every send has an Idempotency-Key that reveals nothing about the run', async () => {
  const shop = connect(url, passbell.keys);
  const to = '+14155550123';
  requests.length = 0;
  const sends: [Action, object][] = [
    ['send_otp', { to, reference: 'r', otp: '482913' }],
    ['order_notification', { to, templateType: 'order_shipped', orderId: '1' }],
    ['invoice_notification', { to, templateType: 'invoice_paid', invoiceNumber: '1' }],
  ];
  for (const [action, inputs] of sends) await shop.act(action, inputs);
  const keys = requests.map(({ headers }) => headers['idempotency-key']);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(keys).size).toBe(3);
  // The key depends on the secret, so it is not a plain hash of the input.
  await connect(url, { ...passbell.keys, appSecret: 'sk_another' }).act(...sends[0]!);
  expect(requests.at(-1)!.headers['idempotency-key']).not.toBe(keys[0]);
});

it('a Reference is sent unless Passbell would reject it', async () => {
  const shop = connect(url, passbell.keys);
  const order = { to: '+14155550123', templateType: 'order_shipped', orderId: '1' };
  const referenceOf = async (action: Action, inputs: object): Promise<unknown> => {
    await shop.act(action, inputs);
    return JSON.parse(requests.at(-1)!.body).reference;
  };
  expect(await referenceOf('order_notification', { ...order, reference: ' A-1001 ' })).toBe('A-1001');
  expect(await referenceOf('send_otp', { to: '+14155550123', reference: 1001 })).toBe('1001');
  for (const reference of ['', 'x'.repeat(65), 'línea'])
    expect(await referenceOf('order_notification', { ...order, reference })).toBeUndefined();
});

describe('every error code in the contract causes the right error type:', () => {
  const SOFT = ['INVALID_OTP', 'OTP_EXPIRED'];
  const INPUTS: [Action, object][] = [
    ['send_otp', { to: '+14155550123', reference: 'r', otp: '59302746' }],
    ['verify_otp', { maskId: 'm', otp: '59302746' }],
    ['order_notification', { to: '+14155550123', templateType: 'order_shipped', orderId: '59302746' }],
    ['revoke_session', { session: 'ey.59302746' }],
  ];

  it.each(Object.entries(ERRORS))('%s', async (code, error) => {
    const throttled = 'throttled' in error;
    const message = error.message.replace(/\{(\w+)\}/g, '$1');
    reply = { success: false, message, code, ...(throttled ? { retryAfterSeconds: 17 } : {}) };
    const kind = throttled ? 'ThrottledError' : /^\w+_CREDENTIALS$/.test(code) ? 'ExpiredAuthError' : 'AppError';
    for (const [action, inputs] of INPUTS) {
      const failure = await connect(url, passbell.keys).actError(action, inputs);
      const expected = action === 'verify_otp' && SOFT.includes(code) ? 'HaltedError' : kind;
      expect([action, failure.name, failure.delay]).toEqual([action, expected, throttled ? 17 : undefined]);
      expect(failure.text).toMatch(/^[A-Z][^{}]*\.$/);
      for (const secret of ['59302746', passbell.keys.appSecret]) expect(failure.text).not.toContain(secret);
    }
  });
});

describe("Zapier's log", () => {
  /** Log entries of a run, as sent to Zapier. */
  async function logged(
    method: string,
    inputData: object,
    keys = passbell.keys,
  ): Promise<{ log: string; outcome: Body }> {
    const lines: unknown[] = [];
    const customLogger = (message: string, data: object) => void lines.push([message, data]);
    const bundle = { authData: { baseUrl: passbell.url, ...keys }, inputData };
    const outcome = await platform({ command: 'execute', method, bundle, customLogger }).then(
      ({ results }) => results,
      (error: unknown) => error,
    );
    expect(lines.length).toBeGreaterThan(0);
    return { log: JSON.stringify(lines), outcome };
  }
  const perform = (action: Action) => `creates.${action}.operation.perform`;

  it('contains no App Secret, code or session token, on success or failure', async () => {
    const keys = await passbell.application(NO_LIMITS);
    const to = '+14155550177';
    const otp = '59302746';
    const sent = await logged(perform('send_otp'), { to, reference: 'r', otp }, keys);
    expect(sent.outcome.isSent).toBe(1);
    const { maskId } = sent.outcome;
    const wrong = await logged(perform('verify_otp'), { maskId, otp: wrongCode(otp) }, keys);
    expect(wrong.outcome.name).toBe('HaltedError');
    const right = await logged(perform('verify_otp'), { maskId, otp }, keys);
    const { token } = right.outcome;
    expect(token).toMatch(/^ey/);
    const checked = await logged(perform('verify_token'), { session: token }, keys);
    const revoked = await logged(perform('revoke_session'), { session: token }, keys);
    const rejected = await logged(perform('verify_token'), { session: token }, keys);
    const unauthorized = await logged(
      perform('verify_otp'),
      { maskId, otp },
      { ...keys, appSecret: 'sk_wrong-secret' },
    );
    const label = await logged('authentication.test', {}, keys);
    for (const { log, outcome } of [sent, wrong, right, checked, revoked, rejected, unauthorized, label]) {
      const errorText = outcome instanceof Error ? `${outcome.message}${outcome.stack}` : '';
      for (const secret of [keys.appSecret, 'sk_wrong-secret', otp, wrongCode(otp), token])
        expect(`${log}${errorText}`).not.toContain(secret);
    }
  });
});

it('the public definition contains no secret', async () => {
  const { results } = await platform({ command: 'definition', calledFromCli: true });
  expect(JSON.stringify(results)).not.toMatch(/sk_[0-9a-f]|whsec_[A-Za-z0-9]/);
  expect(App.authentication!.fields!.find(({ key }) => key === 'appSecret')!.type).toBe('password');
});
