/** clients/node: tokens that are verified locally, and webhook calls. */
import type { PassbellError } from '../../../clients/node/src/index.js';
import { Passbell, verifyWebhook, type WebhookEvent } from '../../../clients/node/src/index.js';
import { hmac } from '../../../backend/src/platform/crypto.js';
import type { EventName } from '../../../backend/src/modules/webhooks/event.js';
import { createTestClock } from '../../support/clock.js';
import { freshPhone, NO_LIMITS, startService, type TestService } from '../../support/service.js';
import { advancing, until } from '../../support/wait.js';
import { startWebhookServer, type WebhookCall, type WebhookServer } from '../../support/webhook-server.js';

/** The client uses the system clock. */
const realTime = () => createTestClock(Math.floor(Date.now() / 1000) * 1000);

let passbell: TestService;
let shop: WebhookServer;
beforeAll(async () => {
  passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' }, { clock: realTime() });
  shop = await startWebhookServer();
});
afterAll(async () => {
  await shop.close();
  await passbell.stop();
});

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'no error',
    (error: PassbellError) => error.code,
  );

describe('verifyTokenLocally', () => {
  async function logIn() {
    const keys = await passbell.application(NO_LIMITS);
    const requests: string[] = [];
    const client = new Passbell({
      ...keys,
      baseUrl: passbell.url,
      fetch(input, init) {
        requests.push(String(input));
        return fetch(input, init);
      },
    });
    const to = freshPhone();
    const { maskId } = await client.sendOtp({ to });
    const session = await client.verifyOtp({ maskId, otp: await passbell.codeFor(to) });
    requests.length = 0;
    return { keys, client, requests, ...session };
  }

  it('returns the claims, and loads the public keys once', async () => {
    const { client, token, user, expiresIn, requests } = await logIn();
    const claims = await client.verifyTokenLocally(token);
    expect(claims).toMatchObject({ userId: user.userId, channel: 'sms', id: expect.any(String) });
    expect(claims.expiresAt.getTime() - claims.issuedAt.getTime()).toBe(expiresIn * 1000);
    await client.verifyTokenLocally(token);
    expect(requests).toEqual([`${passbell.url}/.well-known/jwks.json`]);
  });

  it('rejects modified tokens, and tokens for another application, purpose or issuer', async () => {
    const { client, token, keys } = await logIn();
    const [head, payload, signature] = token.split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'USR-other' })).toString('base64url');
    for (const bad of ['', 'no token', `${head}.${changed}.${signature}`, `${token.slice(0, -4)}AAAA`])
      expect([bad, await codeOf(client.verifyTokenLocally(bad))]).toEqual([bad, 'INVALID_TOKEN']);
    expect(await codeOf(client.verifyTokenLocally(token, { purpose: 'two-factor' }))).toBe('INVALID_TOKEN');
    const other = new Passbell({ ...(await passbell.application()), baseUrl: passbell.url });
    expect(await codeOf(other.verifyTokenLocally(token))).toBe('INVALID_TOKEN');
    const otherIssuer = new Passbell({ ...keys, baseUrl: passbell.url, issuer: 'https://otp.example' });
    expect(await codeOf(otherIssuer.verifyTokenLocally(token))).toBe('INVALID_TOKEN');
  });

  it('rejects expired tokens', async () => {
    const earlier = await startService({}, { clock: createTestClock(Date.now() - 3_600_000) });
    const client = new Passbell({ ...earlier.keys, baseUrl: earlier.url });
    const to = freshPhone();
    const { maskId } = await client.sendOtp({ to });
    const { token } = await client.verifyOtp({ maskId, otp: await earlier.codeFor(to) });
    expect(await codeOf(client.verifyTokenLocally(token))).toBe('TOKEN_EXPIRED');
    await earlier.stop();
  });

  it('fails with CONNECTION_FAILED if the public keys cannot be loaded', async () => {
    const { token, keys } = await logIn();
    for (const baseUrl of ['http://127.0.0.1:9', `${passbell.url}/elsewhere`])
      expect(await codeOf(new Passbell({ ...keys, baseUrl }).verifyTokenLocally(token))).toBe('CONNECTION_FAILED');
  });
});

describe('verifyWebhook', () => {
  let call: WebhookCall;
  let secret: string;
  beforeAll(async () => {
    const keys = await passbell.application(NO_LIMITS);
    const client = new Passbell({ ...keys, baseUrl: passbell.url });
    ({ secret } = await client.createWebhook({ url: `${shop.url}/events`, events: ['message.accepted'] }));
    await client.sendOtp({ to: freshPhone() });
    call = await until(
      'an event',
      () => shop.calls.find(({ path }) => path === '/events'),
      advancing(passbell.clock, 1000),
    );
  });

  it('returns the event, with its type', async () => {
    const { body, headers } = call;
    const event: WebhookEvent = await verifyWebhook({ body, headers, secret });
    expect(event).toEqual(call.event);
    // Compiles only if the comparison narrows the type.
    if (event.event === 'message.accepted') expect(event.data.messageId).toMatch(/^[0-9a-f]{32}$/);
    // Compiles only if the client has a type for every event.
    const name: WebhookEvent['event'] = 'otp.verified' as EventName;
    expect(name).toBe('otp.verified');
  });

  it('accepts a body of bytes, a Headers object, and a secret that is being replaced', async () => {
    const headers = new Headers({ 'Passbell-Signature': String(call.headers['passbell-signature']) });
    const body = new TextEncoder().encode(call.body);
    expect(await verifyWebhook({ body, headers, secret: ['whsec_new', secret] })).toEqual(call.event);
  });

  it.each<[string, (valid: Parameters<typeof verifyWebhook>[0]) => Parameters<typeof verifyWebhook>[0]]>([
    ['another secret', (valid) => ({ ...valid, secret: 'whsec_other' })],
    ['another body', (valid) => ({ ...valid, body: `${valid.body as string} ` })],
    ['no signature', (valid) => ({ ...valid, headers: {} })],
    ['another time', (valid) => ({ ...valid, headers: withTime(valid.headers, 1) })],
    ['a malformed signature', (valid) => ({ ...valid, headers: { 'passbell-signature': 't=1,v1=0' } })],
  ])('rejects %s', async (_name, change) => {
    const { body, headers } = call;
    expect(await codeOf(verifyWebhook(change({ body, headers, secret })))).toBe('INVALID_SIGNATURE');
  });

  it.each([
    [-290, true],
    [-301, false],
    [310, false],
  ])('a call that was signed %d seconds from now is accepted: %s', async (seconds, accepted) => {
    const t = Math.round(Date.now() / 1000) + seconds;
    const headers = { 'passbell-signature': `t=${t},v1=${hmac(secret, `${t}.${call.body}`)}` };
    const code = await codeOf(verifyWebhook({ body: call.body, headers, secret }));
    expect(code).toBe(accepted ? 'no error' : 'INVALID_SIGNATURE');
  });

  function withTime(headers: unknown, seconds: number) {
    const header = (headers as Record<string, string>)['passbell-signature']!;
    return { 'passbell-signature': header.replace(/\d+/, (t) => String(Number(t) + seconds)) };
  }
});
