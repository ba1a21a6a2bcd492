/** clients/node: operations, errors, retries, time limits and cancellation, against the running service. */
import { inspect } from 'node:util';
import { Passbell, PassbellError, type PassbellOptions } from '../../../clients/node/src/index.js';
import { contract } from '../../../backend/src/platform/contract/contract.js';
import { freshMail, freshPhone, NO_LIMITS, startService, wrongCode, type TestService } from '../../support/service.js';
import type { KeyPair } from '../../../backend/src/modules/applications/application.js';
import { startWebhookServer, type WebhookServer } from '../../support/webhook-server.js';
import { startForwarder, startStaticServer, type Exchange } from '../n8n/forwarder.js';

let passbell: TestService;
let keys: KeyPair;
beforeAll(async () => {
  passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' });
  keys = await passbell.application(NO_LIMITS);
});
afterAll(() => passbell.stop());

const clientOf = (options: Partial<PassbellOptions> = {}) =>
  new Passbell({ baseUrl: passbell.url, ...keys, ...options });

/** Returns the error that a call throws. */
const errorOf = (call: Promise<unknown>): Promise<PassbellError> =>
  call.then(
    () => Promise.reject(new Error('the call succeeded')),
    (error: PassbellError) => error,
  );

/** Runs `call` with a client whose replies may get lost. Returns all requests. */
async function withLostReplies(
  lose: (exchange: Exchange) => boolean,
  call: (client: Passbell) => Promise<unknown>,
): Promise<readonly Exchange[]> {
  const forwarder = await startForwarder(passbell.url, lose);
  try {
    await call(clientOf({ baseUrl: forwarder.url }));
  } finally {
    forwarder.close();
  }
  return forwarder.exchanges;
}
const firstReply = () => {
  let lost = false;
  return () => !lost && (lost = true);
};

describe('operations', () => {
  const INVOICE = { invoiceNumber: 'I-1' };
  /** A call of each operation. */
  const CALLS: Record<string, (client: Passbell) => Promise<unknown>> = {
    validateCredentials: (client) => client.validateCredentials(),
    getApplication: (client) => client.getApplication(),
    sendOtp: (client) => client.sendOtp({ to: freshPhone(), authWay: 'SMS', otpLength: 8 }),
    verifyOtp: (client) => client.verifyOtp({ maskId: 'a'.repeat(32), otp: '123456' }),
    getOtp: (client) => client.getOtp('a/b'),
    cancelOtp: (client) => client.cancelOtp('a/b'),
    reportVerified: (client) => client.reportVerified({ to: freshPhone() }),
    verifyToken: (client) => client.verifyToken('token'),
    revokeSession: (client) => client.revokeSession('token'),
    resetTwoFactor: (client) => client.resetTwoFactor(freshMail()),
    sendOrderNotification: (client) =>
      client.sendOrderNotification({ to: freshMail(), templateType: 'order_placed', variables: { orderId: 'A-1' } }),
    sendInvoiceNotification: (client) =>
      client.sendInvoiceNotification({ to: freshMail(), templateType: 'invoice_paid', variables: INVOICE }),
    getMessage: (client) => client.getMessage('a/b'),
    cancelMessage: (client) => client.cancelMessage('a/b'),
    listMessages: (client) => client.listMessages(),
    getUsage: (client) => client.getUsage(),
    createCodePage: (client) =>
      client.createCodePage({ maskId: 'a'.repeat(32), callbackUrl: 'https://shop.example/7', expiresIn: 900 }),
    createWebhook: (client) => client.createWebhook({ url: 'https://shop.example/', events: ['otp.verified'] }),
    listWebhooks: (client) => client.listWebhooks(),
    listRecentEvents: (client) => client.listRecentEvents('message.failed'),
    removeWebhook: (client) => client.removeWebhook('WHK-1'),
  };

  interface Operation {
    readonly operationId: string;
    readonly security?: unknown[];
  }
  const { paths } = contract as unknown as { paths: Record<string, Record<string, Operation>> };
  // Excludes browser operations, which use no App Secret, and operations with a query string instead of a body.
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId, security }]) => security === undefined && !operationId.endsWith('ByQuery'))
      .map(([method, { operationId }]) => ({ operationId, method, path: path.replace(/\{\w+\}/, '*') })),
  );

  it('cover all operations in the contract that require API credentials', () => {
    const methods = Object.getOwnPropertyNames(Passbell.prototype);
    const own = ['constructor', 'verifyTokenLocally', 'waitFor', 'iterateMessages'];
    expect(methods.filter((name) => !own.includes(name)).sort()).toEqual(
      operations.map(({ operationId }) => operationId).sort(),
    );
  });

  it.each(operations)('$operationId calls $method $path', async ({ operationId, method, path }) => {
    const seen: string[] = [];
    const record: typeof fetch = (input, init) => {
      const called = new URL(String(input)).pathname.slice('/api/v1'.length);
      const isExpected = new RegExp(`^${path.replace('*', '[^/]+')}$`).test(called);
      seen.push(`${init!.method!.toLowerCase()} ${isExpected ? path : called}`);
      return fetch(input, init);
    };
    await CALLS[operationId]!(clientOf({ fetch: record })).catch((error: PassbellError) => {
      // The requests are valid, but the token or message may not exist.
      expect(error.code).toMatch(
        /^(INVALID_OTP|INVALID_TOKEN|MESSAGE_NOT_FOUND|MISSING_PARAMETERS|INVALID_PARAMETER)$/,
      );
    });
    expect(seen).toEqual([`${method} ${path}`]);
  });

  it("return the reply's data", async () => {
    const client = clientOf();
    const to = freshPhone();
    const sent = await client.sendOtp({ to, authWay: 'WHATSAPP' });
    expect(sent).toMatchObject({ authType: 'WHATSAPP', results: [{ maskId: sent.maskId }] });
    const { user, token } = await client.verifyOtp({ maskId: sent.maskId, otp: await passbell.codeFor(to) });
    expect(user).toMatchObject({ phone: to });
    expect(await client.verifyToken(token)).toMatchObject({ userId: user.userId });
    expect(await client.getMessage(sent.messageId)).toMatchObject({ state: 'sent', template: 'otp' });
    expect(await client.getApplication()).toMatchObject({ appKey: keys.appKey, name: 'Another Shop', language: '' });
    const [event] = await client.listRecentEvents('otp.verified');
    expect(event!.data.userId).toBe(user.userId);
    const webhook = await client.createWebhook({ url: 'https://shop.example/', events: ['otp.verified'] });
    expect((await client.listWebhooks()).map(({ webhookId }) => webhookId)).toContain(webhook.webhookId);
    await client.removeWebhook(webhook.webhookId);
    expect((await client.listWebhooks()).map(({ webhookId }) => webhookId)).not.toContain(webhook.webhookId);
    await client.revokeSession(token);
    expect((await errorOf(client.verifyToken(token))).code).toBe('TOKEN_REVOKED');
  });
});

describe('errors', () => {
  it("have the reply's error code and message", async () => {
    const client = clientOf();
    const to = freshPhone();
    const { maskId } = await client.sendOtp({ to });
    const error = await errorOf(client.verifyOtp({ maskId, otp: wrongCode(await passbell.codeFor(to)) }));
    expect(error).toBeInstanceOf(PassbellError);
    expect(error).toMatchObject({ name: 'PassbellError', code: 'INVALID_OTP', message: 'Invalid OTP' });
  });

  it('have retryAfterSeconds if the call is throttled, and a hint', async () => {
    const client = clientOf(passbell.keys);
    const to = freshPhone();
    await client.sendOtp({ to });
    expect(await errorOf(client.sendOtp({ to }))).toMatchObject({ code: 'COOLDOWN', retryAfterSeconds: 30 });
    const premium = await errorOf(client.sendOtp({ to: '+881612345678' }));
    expect(premium).toMatchObject({ code: 'NUMBER_NOT_ALLOWED', field: 'to', hint: expect.stringMatching(/.{20}/) });
  });

  const WRONG = { appKey: 'pk_wrong-key', appSecret: 'sk_wrong-secret' };

  it.each<[string, (client: Passbell) => Promise<unknown>]>([
    ['validateCredentials', (client) => client.validateCredentials()],
    ['sendOtp', (client) => client.sendOtp({ to: freshPhone() })],
    ['verifyOtp', (client) => client.verifyOtp({ maskId: 'a'.repeat(32), otp: '123456' })],
    ['listWebhooks', (client) => client.listWebhooks()],
  ])('report wrong API credentials: %s', async (_name, call) => {
    // A wrong App Key, and a wrong App Secret for an existing App Key.
    for (const wrong of [WRONG, { appSecret: WRONG.appSecret }]) {
      const error = await errorOf(call(clientOf(wrong)));
      expect(error).toBeInstanceOf(PassbellError);
      expect(error).toMatchObject({ code: 'INVALID_CREDENTIALS', hint: expect.stringMatching(/.{20}/) });
      passbell.clock.advance(60_000);
    }
  });

  it('never contain the App Secret', async () => {
    const shown = (value: unknown) => inspect(value, { depth: null, showHidden: true });
    // Replies with the App Secret, like a proxy that includes the request in its error page.
    const echo = [200, 404, 502].map((status) => startStaticServer(status, {}, WRONG.appSecret));
    const servers = await Promise.all(echo);
    for (const baseUrl of [passbell.url, 'http://127.0.0.1:9', ...servers.map(({ url }) => url)]) {
      const client = clientOf({ ...WRONG, baseUrl, maxRetries: 0 });
      for (const call of [() => client.listWebhooks(), () => client.sendOtp({ to: freshPhone() })])
        expect(shown(await errorOf(call()))).not.toContain(WRONG.appSecret);
      expect(`${shown(client)}${JSON.stringify(client)}`).not.toContain(WRONG.appSecret);
    }
    servers.forEach((server) => server.close());
    expect(shown(new PassbellError('X', WRONG.appSecret))).toContain(WRONG.appSecret);
  });

  it('name missing options', () => {
    expect(() => clientOf({ appSecret: '' })).toThrow('appSecret is missing');
  });

  it.each([
    [404, 'UNEXPECTED_REPLY', 1],
    [302, 'UNEXPECTED_REPLY', 1],
    [502, 'CONNECTION_FAILED', 3],
  ])('convert a reply with HTTP %d that is not from Passbell to %s', async (status, code, attempts) => {
    // The client does not follow redirects.
    const server = await startStaticServer(status, { Location: passbell.url }, '<html></html>');
    expect(await errorOf(clientOf({ baseUrl: server.url }).listWebhooks())).toMatchObject({ code });
    expect(server.paths).toHaveLength(attempts);
    server.close();
  });

  it('report that the service cannot be reached', async () => {
    const server = await startStaticServer(200, {}, '');
    server.close();
    const error = await errorOf(clientOf({ baseUrl: server.url, maxRetries: 0 }).listWebhooks());
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', message: expect.stringContaining(server.url) });
    expect(error.cause).toBeInstanceOf(Error);
  });
});

describe('retries', () => {
  it('send no message twice after a lost reply', async () => {
    const to = freshPhone();
    const exchanges = await withLostReplies(firstReply(), async (client) => {
      const { maskId } = await client.sendOtp({ to });
      await client.verifyOtp({ maskId, otp: await passbell.codeFor(to) });
    });
    const sends = exchanges.filter(({ path }) => path.endsWith('/sendotp'));
    expect(sends).toHaveLength(2);
    expect(new Set(sends.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(await passbell.inbox(to)).toHaveLength(1);
  });

  it('use a different Idempotency-Key for each call', async () => {
    const to = freshPhone();
    await clientOf().sendOtp({ to });
    await clientOf().sendOtp({ to });
    expect(await passbell.inbox(to)).toHaveLength(2);
    const options = { idempotencyKey: 'order-17' };
    const first = await clientOf().sendOtp({ to }, options);
    const second = await clientOf().sendOtp({ to }, options);
    expect(second).toEqual(first);
    expect(await passbell.inbox(to)).toHaveLength(3);
  });

  it('stop after maxRetries', async () => {
    const exchanges = await withLostReplies(
      () => true,
      async (client) => expect((await errorOf(client.listWebhooks())).code).toBe('CONNECTION_FAILED'),
    );
    expect(exchanges).toHaveLength(3);
  });

  it('return the result of a verification whose reply was lost', async () => {
    const to = freshPhone();
    await clientOf().sendOtp({ to });
    const otp = await passbell.codeFor(to);
    const exchanges = await withLostReplies(firstReply(), async (client) => {
      expect((await client.verifyOtp({ to, otp })).user).toMatchObject({ phone: to });
      // A new call has a new key.
      expect((await errorOf(client.verifyOtp({ to, otp }))).code).toBe('INVALID_OTP');
    });
    expect(exchanges).toHaveLength(3);
  });

  it.each([
    ['a short pause', 'SERVICE_UNAVAILABLE', 1, 3],
    ['a long pause', 'SERVICE_UNAVAILABLE', 6, 1],
    ['a throttled call', 'COOLDOWN', 1, 1],
  ])('after %s (%s, %d s): %d attempts', async (_name, code, retryAfterSeconds, attempts) => {
    const reply = JSON.stringify({ success: false, message: 'not now', code, retryAfterSeconds });
    const server = await startStaticServer(200, {}, reply);
    const start = Date.now();
    const error = await errorOf(clientOf({ baseUrl: `${server.url}/api/v1/` }).sendOtp({ to: freshPhone() }));
    expect(error).toMatchObject({ code, retryAfterSeconds });
    expect(server.paths).toEqual(Array.from({ length: attempts }, () => '/api/v1/auth/sendotp'));
    // Node.js can run a timer up to a millisecond early.
    expect(Date.now() - start).toBeGreaterThan((attempts - 1) * (retryAfterSeconds * 1000 - 10) - 1);
    server.close();
  });
});

describe('a service that does not reply', () => {
  let silent: WebhookServer;
  beforeAll(async () => {
    silent = await startWebhookServer();
    silent.respondWith('silent');
  });
  afterAll(() => silent.close());

  it('causes the error TIMED_OUT after the time limit', async () => {
    const client = clientOf({ baseUrl: silent.url, maxRetries: 0 });
    expect(await errorOf(client.sendOtp({ to: freshPhone() }, { timeoutMs: 10 }))).toMatchObject({ code: 'TIMED_OUT' });
  });

  it('can be canceled with an AbortSignal, even during the pause before a retry', async () => {
    const controller = new AbortController();
    const reason = new Error('the user left');
    const client = clientOf({ baseUrl: silent.url });
    const call = errorOf(client.sendOtp({ to: freshPhone() }, { signal: controller.signal }));
    controller.abort(reason);
    expect(await call).toBe(reason);

    const overloaded = { success: false, message: 'not now', code: 'OVERLOADED', retryAfterSeconds: 5 };
    const server = await startStaticServer(200, {}, JSON.stringify(overloaded));
    const pausing = new AbortController();
    const seen: typeof fetch = async (input, init) => {
      const reply = await fetch(input, init);
      setImmediate(() => pausing.abort(reason));
      return reply;
    };
    const waits = clientOf({ baseUrl: server.url, fetch: seen }).listWebhooks({ signal: pausing.signal });
    expect(await errorOf(waits)).toBe(reason);
    expect(server.paths).toHaveLength(1);
    server.close();
  });
});
