/** What the service refuses is never a success: each failure of the contract's table, as a person sees it in n8n. */
import Sqlite from 'better-sqlite3';
import { join } from 'node:path';
import { ERRORS } from '../../../backend/src/generated/errors.js';
import type { ApplicationChange } from '../../../backend/src/modules/applications/applications-service.js';
import { freshMail, freshPhone, startService, wrongCode, type Body } from '../../support/service.js';
import { REFUSALS, startTwilioServer } from '../../support/twilio-server.js';
import { startForwarder, startStranger } from './forwarder.js';
import { outputOf, startWorkbench, type Credentials, type Run, type Workbench } from './engine.js';

let bench: Workbench;
beforeAll(async () => {
  bench = await startWorkbench();
});
afterAll(() => bench.stop());

const SEND = { resource: 'otp', operation: 'send', to: '={{ $json.to }}', options: {} as object };
const VERIFY = {
  resource: 'otp',
  operation: 'verify',
  ifNotVerified: 'fail',
  maskId: '={{ $json.maskId }}',
  otp: '={{ $json.code }}',
};
const TOKEN = { resource: 'session', operation: 'verifyToken', token: '={{ $json.token }}' };
const ORDER = {
  resource: 'notification',
  operation: 'sendOrder',
  to: '={{ $json.to }}',
  templateType: 'order_shipped',
};

const CONTINUE = { onError: 'continueRegularOutput' };

/** What the person reads when the workflow stops, and what an item tells when it goes on. */
function expectFailure(code: string, stopped: Run, continued: Run): void {
  const description = expect.stringMatching(/^Item 0: .{15}/);
  expect(stopped).toMatchObject({ status: 'error', error: { description, context: { itemIndex: 0 } } });
  const [item] = outputOf(continued);
  expect(item).toEqual({
    json: { error: expect.any(String), message: expect.any(String), details: expect.objectContaining({ code }) },
    pairedItem: { item: 0 },
  });
  expect(Object.keys(item!.json).sort()).toEqual(['details', 'error', 'message']);
}

interface Scene {
  parameters: object;
  item: Body;
  credentials?: Partial<Credentials>;
}

/** The key pair of another application. */
async function own(change?: ApplicationChange): Promise<Credentials> {
  return { ...(await bench.passbell.application(change)), baseUrl: bench.passbell.url };
}

async function account(status: 'inactive' | 'blocked'): Promise<Credentials> {
  const { applications } = bench.passbell.service;
  const pair = await applications.create({ name: 'Own account', email: `${status}@shop.example` });
  await applications.setAccountStatus(pair.appKey, status);
  return { ...pair, baseUrl: bench.passbell.url };
}

/** A session of an application with all limits. */
async function session(): Promise<Body> {
  const credentials = await own();
  const sent = await bench.passbell.send(freshPhone(), {}, { keys: credentials });
  return { ...sent, credentials };
}

async function token(): Promise<string> {
  const { maskId, code } = await bench.passbell.send(freshPhone(), {}, { keys: bench.keys });
  return (await bench.passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys: bench.keys })).data.token;
}

const SCENES: Record<string, () => Promise<Scene>> = {
  MISSING_CREDENTIALS: async () => ({ parameters: SEND, item: { to: freshPhone() }, credentials: { appKey: '' } }),
  INVALID_CREDENTIALS: async () => ({
    parameters: SEND,
    item: { to: freshPhone() },
    credentials: { appSecret: 'sk_x' },
  }),
  APPLICATION_INACTIVE: async () => ({
    parameters: SEND,
    item: { to: freshPhone() },
    credentials: await own({ status: 'inactive' }),
  }),
  USER_INACTIVE: async () => ({ parameters: SEND, item: { to: freshPhone() }, credentials: await account('inactive') }),
  ACCOUNT_BLOCKED: async () => ({
    parameters: SEND,
    item: { to: freshPhone() },
    credentials: await account('blocked'),
  }),
  INVALID_ENDPOINT: async () => ({
    parameters: SEND,
    item: { to: freshPhone() },
    credentials: await own({ settings: { authorizedEndpoints: ['https://shop.example'] } }),
  }),
  MISSING_PARAMETERS: async () => ({ parameters: VERIFY, item: { maskId: '', code: '123456' } }),
  INVALID_PARAMETER: async () => ({
    parameters: { ...SEND, options: { expiry: '={{ $json.minutes }}' } },
    item: { to: freshPhone(), minutes: 2000 },
  }),
  MISSING_RECIPIENT: async () => ({ parameters: SEND, item: { to: '' } }),
  INVALID_RECIPIENT: async () => ({ parameters: SEND, item: { to: 'nobody' } }),
  COUNTRY_NOT_ALLOWED: async () => ({
    parameters: SEND,
    item: { to: freshPhone() },
    credentials: await own({ settings: { countries: ['DE'] } }),
  }),
  INVALID_AUTH_WAY: async () => ({
    parameters: { ...SEND, channel: '={{ $json.by }}' },
    item: { to: freshPhone(), by: 'PIGEON' },
  }),
  UNKNOWN_TEMPLATE: async () => ({
    parameters: { ...ORDER, variablesFrom: 'json', templateType: '={{ $json.template }}' },
    item: { to: freshPhone(), template: 'order_lost' },
  }),
  MISSING_TEMPLATE_VARIABLES: async () => ({
    parameters: { ...ORDER, orderId: '={{ $json.order }}' },
    item: { to: freshPhone(), order: '' },
  }),
  COOLDOWN: async () => {
    const [credentials, to] = [await own(), freshPhone()];
    await bench.passbell.send(to, {}, { keys: credentials });
    return { parameters: SEND, item: { to }, credentials };
  },
  DUPLICATE_NOTIFICATION: async () => {
    const [credentials, to] = [await own(), freshMail()];
    const body = { to, templateType: 'order_shipped', variables: { orderId: 'A-1' } };
    await bench.passbell.post('/notifications/order', body, { keys: credentials });
    return { parameters: { ...ORDER, orderId: 'A-1' }, item: { to }, credentials };
  },
  BURST_LIMIT: async () => {
    const credentials = await own({ limits: { burstPerMinute: 1 } });
    await bench.passbell.send(freshPhone(), {}, { keys: credentials });
    return { parameters: SEND, item: { to: freshPhone() }, credentials };
  },
  INVALID_OTP: async () => {
    const { maskId, code, credentials } = await session();
    return { parameters: VERIFY, item: { maskId, code: wrongCode(code) }, credentials };
  },
  OTP_EXPIRED: async () => {
    const { maskId, code, credentials } = await session();
    bench.passbell.clock.advance(301_000);
    return { parameters: VERIFY, item: { maskId, code }, credentials };
  },
  OTP_LOCKED: async () => {
    const { maskId, code, credentials } = await session();
    const guess = { maskId, otp: wrongCode(code) };
    for (let i = 0; i < 5; i++) await bench.passbell.post('/auth/verifyotp', guess, { keys: credentials });
    return { parameters: VERIFY, item: { maskId, code }, credentials };
  },
  INVALID_TOKEN: async () => ({ parameters: TOKEN, item: { token: 'not.a.token' } }),
  TOKEN_EXPIRED: async () => {
    const item = { token: await token() };
    bench.passbell.clock.advance(1_801_000);
    return { parameters: TOKEN, item };
  },
  TOKEN_REVOKED: async () => {
    const item = { token: await token() };
    await bench.passbell.post('/auth/revokesession', item, { keys: bench.keys });
    return { parameters: TOKEN, item };
  },
  INVALID_IDEMPOTENCY_KEY: async () => ({
    parameters: { ...SEND, options: { idempotencyKey: 'k'.repeat(256) } },
    item: { to: freshPhone() },
  }),
  IDEMPOTENCY_KEY_REUSED: async () => {
    const headers = { 'Idempotency-Key': 'order-7' };
    await bench.passbell.post('/auth/sendotp', { to: freshPhone() }, { keys: bench.keys, headers });
    return { parameters: { ...SEND, options: { idempotencyKey: 'order-7' } }, item: { to: freshPhone() } };
  },
  BODY_TOO_LARGE: async () => ({
    parameters: { ...ORDER, orderId: '={{ "x".repeat(70000) }}' },
    item: { to: freshPhone() },
  }),
  // The last one, since it shuts out every wrong key pair that comes after it.
  TOO_MANY_FAILED_AUTHENTICATIONS: async () => {
    const wrong = { ...bench.keys, appSecret: 'sk_wrong' };
    for (let i = 0; i < 10; i++) await bench.passbell.get('/auth/authentication', {}, { keys: wrong });
    return { parameters: SEND, item: { to: freshPhone() }, credentials: wrong };
  },
};

it.each(Object.keys(SCENES))('%s of the running service fails, and says what to do', async (code) => {
  const { parameters, item, credentials } = await SCENES[code]!();
  const as = { ...bench.credentials, ...credentials };
  const stopped = await bench.runAs(as, parameters, [item]);
  const continued = await bench.runAs(as, parameters, [item], CONTINUE);
  expectFailure(code, stopped, continued);
  expect(stopped.stored).not.toContain(as.appSecret || 'sk_');
  const { throttled } = ERRORS[code as keyof typeof ERRORS] as { throttled?: boolean };
  const seconds = outputOf(continued)[0]!.json.details.retryAfterSeconds;
  expect(seconds).toEqual(throttled ? expect.any(Number) : undefined);
  if (throttled) expect(stopped.error.message).toContain(`${seconds} seconds`);
});

describe('with providers', () => {
  it.each([
    ['SEND_FAILED', 'SMS'],
    ['CHANNEL_NOT_CONFIGURED', 'VOICE'],
  ])('%s fails, and says what to do', async (code, channel) => {
    const twilio = await startTwilioServer();
    twilio.answer(REFUSALS.invalidNumber);
    const passbell = await startService({
      DEV_INBOX: 'off',
      TWILIO_API_URL: twilio.url,
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_SMS_FROM: '+14155550100',
    });
    const as = { ...passbell.keys, baseUrl: passbell.url };
    const parameters = { ...SEND, channel };
    const [one, two] = [{ to: freshPhone() }, { to: freshPhone() }];
    const stopped = await bench.runAs(as, parameters, [one]);
    expectFailure(code, stopped, await bench.runAs(as, parameters, [two], CONTINUE));
    await passbell.stop();
    await twilio.close();
  });

  it('IDEMPOTENCY_IN_FLIGHT fails, and says what to do', async () => {
    const twilio = await startTwilioServer();
    twilio.answer('silent');
    const passbell = await startService({
      TWILIO_API_URL: twilio.url,
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_SMS_FROM: '+14155550100',
    });
    const item = { to: freshPhone() };
    const as = { ...passbell.keys, baseUrl: passbell.url };
    const parameters = { ...SEND, options: { idempotencyKey: 'same' } };
    const first = bench.runAs(as, parameters, [item]);
    await twilio.request(1);
    const stopped = await bench.runAs(as, parameters, [item]);
    expectFailure('IDEMPOTENCY_IN_FLIGHT', stopped, await bench.runAs(as, parameters, [item], CONTINUE));
    passbell.clock.advance(3_000);
    expect((await first).status).toBe('success');
    expect(twilio.requests).toHaveLength(1);
    await passbell.stop();
    await twilio.close();
  });
});

it('SERVICE_UNAVAILABLE fails, and says what to do', async () => {
  const passbell = await startService();
  const db = new Sqlite(join(passbell.dataDir, 'passbell.sqlite'));
  db.exec('alter table messages rename to messages_away');
  db.close();
  const as = { ...passbell.keys, baseUrl: passbell.url };
  const [one, two] = [{ to: freshPhone() }, { to: freshPhone() }];
  const stopped = await bench.runAs(as, SEND, [one]);
  expectFailure('SERVICE_UNAVAILABLE', stopped, await bench.runAs(as, SEND, [two], CONTINUE));
  await passbell.stop();
});

it.each(Object.entries(ERRORS))('a reply with %s is a failure, whichever operation it answers', async (code, entry) => {
  const { message, throttled } = entry as { message: string; throttled?: boolean };
  const reply = { success: false, code, message, ...(throttled && { retryAfterSeconds: 7 }) };
  const server = await startStranger(200, { 'Content-Type': 'application/json' }, JSON.stringify(reply));
  const as = { ...bench.credentials, baseUrl: server.url };
  const item = { to: '+14155550100', maskId: 'm', code: '1', token: 't' };
  for (const parameters of [SEND, VERIFY, TOKEN, { ...ORDER, orderId: 'A' }]) {
    const stopped = await bench.runAs(as, parameters, [item]);
    expect(stopped.error.message).toBe(message);
    expectFailure(code, stopped, await bench.runAs(as, parameters, [item], CONTINUE));
  }
  server.close();
});

it.each([
  ['a page', 200, '<html>Welcome</html>'],
  ['nothing', 200, ''],
  ['success as a text', 200, '{"success":"true","data":{}}'],
  ['no success at all', 200, '{"ok":true}'],
  ['a list', 200, '[]'],
  ['an error of a proxy', 502, '<html>Bad Gateway</html>'],
  ['not found', 404, 'Not Found'],
])('a server that answers %s is not Passbell, and that is no success', async (_what, status, body) => {
  const server = await startStranger(status, {}, body);
  const as = { ...bench.credentials, baseUrl: server.url };
  const item = { to: '+14155550100' };
  expectFailure('NOT_PASSBELL', await bench.runAs(as, SEND, [item]), await bench.runAs(as, SEND, [item], CONTINUE));
  server.close();
});

it('a server that nobody reaches is a failure without the key pair or the code in it', async () => {
  const server = await startStranger(200, {}, '');
  server.close();
  const as = { ...bench.credentials, baseUrl: server.url };
  const item = { maskId: 'm', code: '918273' };
  const stopped = await bench.runAs(as, VERIFY, [item]);
  expectFailure('UNREACHABLE', stopped, await bench.runAs(as, VERIFY, [item], CONTINUE));
  expect(stopped.error.message).toContain('refused the connection');
  for (const secret of [as.appSecret, as.appKey]) expect(stopped.stored).not.toContain(secret);
  expect(JSON.stringify(stopped.error)).not.toContain('918273');
});

it('an expression that does not resolve and JSON that is none fail their item', async () => {
  const broken = { ...ORDER, variablesFrom: 'json', variablesJson: '={{ $json.words }}' };
  const item = { to: freshPhone(), words: '[1]' };
  expectFailure('INVALID_INPUT', await bench.run(broken, [item]), await bench.run(broken, [item], CONTINUE));
});

describe('On Error', () => {
  const items = () => [{ to: freshPhone() }, { to: 'nobody' }, { to: freshPhone() }];
  const sent = async (list: { to: string }[]) =>
    Promise.all(list.map(async ({ to }) => (to === 'nobody' ? 0 : (await bench.passbell.inbox(to)).length)));

  it('Stop Workflow: names the item, and sends nothing to those after it', async () => {
    const list = items();
    const result = await bench.run(SEND, list);
    expect(result).toMatchObject({
      status: 'error',
      error: {
        message: 'invalid recipient',
        description: expect.stringContaining('Item 1: '),
        context: { itemIndex: 1 },
      },
    });
    expect(await sent(list)).toEqual([1, 0, 0]);
  });

  it('Continue: every item goes on, linked to its own', async () => {
    const list = items();
    const output = outputOf(await bench.run(SEND, list, CONTINUE));
    expect(output.map(({ pairedItem }) => pairedItem.item)).toEqual([0, 1, 2]);
    expect(output[1]!.json).toMatchObject({ error: 'invalid recipient' });
    expect(await sent(list)).toEqual([1, 0, 1]);
  });

  it('Continue (using error output): failed items leave by it, linked to their own', async () => {
    const list = items();
    const result = await bench.run(SEND, list, { onError: 'continueErrorOutput' });
    expect(outputOf(result, 0).map(({ pairedItem }) => pairedItem.item)).toEqual([0, 2]);
    expect(outputOf(result, 1)).toHaveLength(1);
    expect(outputOf(result, 1)[0]).toMatchObject({
      json: { to: 'nobody', error: 'invalid recipient', details: { code: 'INVALID_RECIPIENT' } },
      pairedItem: { item: 1 },
    });
  });

  it('Continue (using error output) beside the two outputs of Verify', async () => {
    const { maskId, code } = await bench.passbell.send(freshPhone(), {}, { keys: bench.keys });
    const other = await bench.passbell.send(freshPhone(), {}, { keys: bench.keys });
    const list = [{ maskId: '' }, { maskId: other.maskId, code: wrongCode(other.code) }, { maskId, code }];
    const parameters = { ...VERIFY, ifNotVerified: 'branch' };
    const result = await bench.run(parameters, list, { onError: 'continueErrorOutput' });
    expect([0, 1, 2].map((output) => outputOf(result, output).map(({ pairedItem }) => pairedItem.item))).toEqual([
      [2],
      [1],
      [0],
    ]);
  });

  it('of 50 items with every fifth one bad, exactly those fail', async () => {
    const list = Array.from({ length: 50 }, (_, n) => ({ to: n % 5 === 4 ? 'nobody' : freshMail() }));
    const result = await bench.run(SEND, list, { onError: 'continueErrorOutput' });
    expect(outputOf(result, 0)).toHaveLength(40);
    expect(outputOf(result, 1).map(({ pairedItem }) => pairedItem.item)).toEqual([
      4, 9, 14, 19, 24, 29, 34, 39, 44, 49,
    ]);
  });
});

describe('throttling', () => {
  /** An application whose recipients must wait a second; the service's time goes on when it has refused. */
  async function throttled() {
    const pair = await own({ limits: { cooldownSeconds: 1 } });
    const forwarder = await startForwarder(bench.passbell.url, ({ reply }) => {
      if (reply.code === 'COOLDOWN') bench.passbell.clock.advance(reply.retryAfterSeconds * 1000);
      return false;
    });
    return { forwarder, as: { ...pair, baseUrl: forwarder.url } };
  }

  it('waits as told when the person allows it', async () => {
    const { forwarder, as } = await throttled();
    const item = { to: freshPhone() };
    const result = await bench.runAs(as, { ...SEND, options: { longestWait: 5 } }, [item, item]);
    expect(result.status).toBe('success');
    expect(outputOf(result)).toHaveLength(2);
    expect(forwarder.exchanges.map(({ reply }) => reply.code)).toEqual([undefined, 'COOLDOWN', undefined]);
    expect(await bench.passbell.inbox(item.to)).toHaveLength(2);
    forwarder.close();
  });

  it('does not wait otherwise, and says how long it takes', async () => {
    const { forwarder, as } = await throttled();
    const item = { to: freshPhone() };
    const result = await bench.runAs(as, SEND, [item, item], CONTINUE);
    expect(outputOf(result)[1]!.json).toMatchObject({
      error: 'too many codes for this recipient, try again in 1 seconds',
      details: { retryAfterSeconds: 1 },
    });
    expect(forwarder.exchanges).toHaveLength(2);
    forwarder.close();
  });

  it('does not begin to wait for longer than allowed', async () => {
    const [as, item] = [await own(), { to: freshPhone() }];
    const result = await bench.runAs(as, { ...SEND, options: { longestWait: 29 } }, [item, item], CONTINUE);
    expect(outputOf(result)[1]!.json).toMatchObject({ details: { code: 'COOLDOWN', retryAfterSeconds: 30 } });
  });
});
