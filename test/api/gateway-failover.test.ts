/** A route with two HTTP gateways. The first gateway fails in various ways. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import {
  startGatewayServer,
  type GatewayBehavior,
  type GatewayRequest,
  type GatewayServer,
} from '../support/gateway-server.js';
import { accountOf, addGateway, waitForRoutingUpdate, setRoute } from '../support/providers.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { CALLBACK_BASE } from '../support/twilio-callback.js';
import { advancing, settled, until } from '../support/wait.js';

/** Default value of `SEND_WAIT_MS`. The tests wait longer to see the outcome. */
const WAIT_MS = 3000;
const BODY = '{"to": "{{ to }}", "text": "{{ text }}", "dlr": "{{ callbackUrl }}"}';
const REPORTS = { reportState: 'status', reportId: 'id', reportStates: 'delivered = OK' };

let first: GatewayServer;
let second: GatewayServer;
let passbell: TestService;
let keys: Awaited<ReturnType<TestService['application']>>;

beforeEach(async () => {
  [first, second] = [await startGatewayServer(), await startGatewayServer()];
  passbell = await startService({ BASE_URL: CALLBACK_BASE, DEV_INBOX: 'off', SEND_WAIT_MS: '30000' });
  keys = await passbell.application({ ...NO_LIMITS, settings: { channels: ['SMS'], countries: ['US'] } });
});
afterEach(async () => {
  await Promise.all([first.close(), second.close()]);
  await passbell.stop();
});

/** Sets up the route, and returns the id of the first provider. `more`: additional settings of the first gateway. */
async function route(more: Record<string, string> = {}): Promise<string> {
  const { id } = await addGateway(passbell, 'First', first, { body: BODY, ...REPORTS, ...more });
  const { id: secondId } = await addGateway(passbell, 'Second', second);
  await setRoute(passbell, 'SMS', '*', id, secondId);
  await waitForRoutingUpdate(passbell);
  return id;
}

/**
 * Sends a code, and advances the clock until the reply arrives. `fromRequest`: the clock first waits for this request
 * to the first gateway. Returns the reply, and how long the caller waited.
 */
async function send(stepMs = 5, fromRequest = 0): Promise<{ reply: Body; waitedMs: number }> {
  const startedAt = passbell.clock.now();
  const reply = passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
  if (fromRequest > 0) await first.waitForRequest(fromRequest);
  await until('a reply', settled(reply), advancing(passbell.clock, stepMs));
  return { reply: await reply, waitedMs: passbell.clock.now() - startedAt };
}

const messageOf = async (reply: Body): Promise<Body> =>
  (await passbell.get(`/messages/${reply.data.results[0].messageId}`, {}, { keys })).data;
const isSend = ({ method }: GatewayRequest): boolean => method === 'POST';
/** Returns how many messages each gateway was asked to send. */
const sendCounts = () => [first.requests.filter(isSend).length, second.requests.filter(isSend).length];
const lookUps = () => first.requests.filter((request) => !isSend(request)).length;

/** Gives retries and the sweeper time to send the message again. */
async function passTime(): Promise<void> {
  const end = passbell.clock.now() + 10 * 60_000;
  await until('the end of ten minutes', () => passbell.clock.now() >= end, advancing(passbell.clock, 10_000));
}

it.each<[string, GatewayBehavior | 'closed', Record<string, string>?]>([
  ['is overloaded', { status: 503 }],
  ['asks to slow down', { status: 429, headers: { 'Retry-After': '60' } }],
  ['answers 500, and its rules say that nothing was sent', { status: 500 }, { errors: 'transient: status 500' }],
  ['refuses the credentials', { status: 401 }],
  ['rejects the request', { status: 422 }],
  ['accepts no connections', 'closed'],
])('a code is sent once, through the second gateway, when the first one %s', async (_what, behavior, settings) => {
  await route(settings);
  if (behavior === 'closed') await first.close();
  else first.respondWith(behavior);
  const { reply, waitedMs } = await send();
  expect(reply).toMatchObject({ success: true, data: { isTried: 1, isSent: 1 } });
  expect(waitedMs).toBeLessThan(WAIT_MS);
  expect(sendCounts()).toEqual([behavior === 'closed' ? 0 : 1, 1]);
  expect((await messageOf(reply)).attempts).toMatchObject([
    { provider: 'Second', success: true },
    { provider: 'First', success: false },
  ]);
});

const UNKNOWN: readonly [string, GatewayBehavior][] = [
  ['replies 500', { status: 500 }],
  ['resets the connection', 'reset'],
  ['breaks off its reply', 'half'],
  ['sends an unreadable reply', { status: 200, body: '<html>welcome</html>' }],
  ['never replies', 'silent'],
];
const SUCCESS = { success: 'id exists' };

it.each(UNKNOWN)('a code is charged only once if the first gateway %s', async (_what, behavior) => {
  await route(SUCCESS);
  first.respondWith(behavior);
  const { reply } = await send(50, 1);
  expect(reply).toMatchObject({ success: false, code: 'SEND_FAILED' });
  await passTime();
  expect(sendCounts()).toEqual([1, 0]);
  expect(await messageOf(reply)).toMatchObject({ state: 'failed', attempts: [{ provider: 'First', success: false }] });
  // A delivery report proves that the gateway accepted the message, and corrects the outcome.
  const { dlr } = JSON.parse(first.requests[0]!.body);
  await fetch(dlr.replace(CALLBACK_BASE, passbell.url), {
    method: 'POST',
    body: new URLSearchParams({ id: 'gw-1', status: 'OK' }),
    headers: { Connection: 'close' },
  });
  expect(await messageOf(reply)).toMatchObject({
    state: 'delivered',
    attempts: [{ provider: 'First', success: true }],
  });
});

it('a notification is sent through the second gateway although the opt-outs cannot be read between the two', async () => {
  await route();
  const db = passbell.openDatabase();
  first.respondWith(async () => {
    await db.schema.renameTable('opt_outs', 'unavailable');
    return { status: 503 };
  });
  const order = { to: freshPhone(), authWay: 'SMS', templateType: 'order_shipped', variables: { orderId: 'A-1' } };
  const reply = passbell.post('/notifications/order', order, { keys });
  await until('the failure', () => /could not store the next state|internal error/.test(passbell.logged.join('\n')));
  await db.schema.renameTable('unavailable', 'opt_outs');
  await db.destroy();
  first.respondWith({ status: 503 });
  await until('a reply', settled(reply), advancing(passbell.clock, 50));
  expect(await reply).toMatchObject({ success: true });
  expect(second.requests.filter(isSend)).toHaveLength(1);
});

it('a code is sent once, through the second gateway, after the database fails between the two', async () => {
  await route();
  const db = passbell.openDatabase();
  first.respondWith(async () => {
    first.respondWith({ status: 503 });
    await db.schema.renameTable('messages', 'unavailable');
    return { status: 503 };
  });
  const sent = send();
  try {
    const hasFailed = () => passbell.logged.join('\n').includes('could not store the next state of a message');
    await until('the failure', hasFailed);
    expect(sendCounts()).toEqual([1, 0]);
    await db.schema.renameTable('unavailable', 'messages');
  } finally {
    await db.destroy();
  }
  const { reply } = await sent;
  expect(reply).toMatchObject({ success: true });
  await passTime();
  expect(sendCounts()).toEqual([2, 1]);
  expect(await messageOf(reply)).toMatchObject({
    state: 'sent',
    attempts: [{ provider: 'Second', success: true }, { provider: 'First' }],
  });
});

it('a code waits for a slow reply, and is not sent through another gateway', async () => {
  await route();
  let reply = (_behavior: GatewayBehavior): void => undefined;
  first.respondWith(() => new Promise((resolve) => (reply = resolve)));
  const sent = send();
  await first.waitForRequest(1);
  passbell.clock.advance(WAIT_MS);
  reply({ status: 200, body: { id: 'gw-slow' } });
  expect((await sent).reply).toMatchObject({ success: true });
  expect(sendCounts()).toEqual([1, 0]);
});

describe('a gateway that supports look-ups', () => {
  const LOOK_UP = { lookUpFound: 'id exists', lookUpId: 'id' };
  async function routeWithLookUp(sending: GatewayBehavior, lookUp: GatewayBehavior): Promise<void> {
    await route({ ...SUCCESS, ...LOOK_UP, lookUpUrl: `${first.url}/messages/{{ messageId }}` });
    first.respondWith((request) => (isSend(request) ? sending : lookUp));
  }

  it.each(UNKNOWN)('confirms that it accepted a code, although it %s', async (_what, behavior) => {
    await routeWithLookUp(behavior, { status: 200, body: { id: 'gw-found' } });
    const { reply } = await send(50, 1);
    expect(reply).toMatchObject({ success: true, data: { results: [{ message: 'sent' }] } });
    expect([sendCounts(), lookUps()]).toEqual([[1, 0], 1]);
    expect(await messageOf(reply)).toMatchObject({ state: 'sent', attempts: [{ provider: 'First', success: true }] });
  });

  it.each<[string, GatewayBehavior]>([
    ['does not find the message yet', { status: 404 }],
    ['fails with status 500', { status: 500 }],
    ['never gets a reply', 'silent'],
  ])('is queried once, and the code is charged only once, if the look-up %s', async (_what, lookUp) => {
    await routeWithLookUp('reset', lookUp);
    const { reply, waitedMs } = await send(50, 2);
    expect(reply).toMatchObject({ success: false, code: 'SEND_FAILED' });
    expect(waitedMs).toBeLessThan(10_000);
    await passTime();
    expect([sendCounts(), lookUps()]).toEqual([[1, 0], 1]);
  });
});

it('codes that only a failing gateway can send are sent when it has recovered', async () => {
  await route();
  first.respondWith({ status: 422 });
  second.respondWith({ status: 503 });
  const request = () => passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
  const replies = Promise.all(Array.from({ length: 12 }, request));
  await second.waitForRequest(5);
  second.respondWith({ status: 200, body: { id: 'gw-back' } });
  await until('all replies', settled(replies), advancing(passbell.clock, 100));
  for (const reply of await replies) expect(reply).toMatchObject({ success: true, data: { isSent: 1 } });
});

it('a gateway does not appear as failing because of calls with its previous settings', async () => {
  const id = await route();
  const pending: ((behavior: GatewayBehavior) => void)[] = [];
  first.respondWith(() => new Promise((resolve) => pending.push(resolve)));
  const request = () => passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
  const replies = Promise.all(Array.from({ length: 12 }, request));
  await first.waitForRequest(12);
  const { providers } = passbell.core;
  await providers.service.change(OPERATOR, await accountOf(passbell), id, { settings: { from: 'HarborBooks' } });
  await waitForRoutingUpdate(passbell);
  for (const resolve of pending) resolve({ status: 503 });
  for (const reply of await replies) expect(reply).toMatchObject({ success: true });
  const { channels: views } = await providers.channels.list(OPERATOR, await accountOf(passbell));
  expect(views[0]!.state).toMatchObject({ kind: 'own', through: { name: 'First' }, state: { kind: 'live' } });
});

it('the first gateway is skipped while it fails, and is used again when it has recovered', async () => {
  await route();
  first.respondWith({ status: 503 });
  await until('a code without an attempt at the first gateway in all processes', async () => {
    const before = first.requests.length;
    for (let n = 0; n < 4; n++) expect((await send()).reply.success).toBe(true);
    return first.requests.length === before;
  });
  first.respondWith({ status: 200, body: { id: 'gw-back' } });
  const isBack = async () => (await messageOf((await send()).reply)).attempts[0].provider === 'First';
  await until('a code through the first gateway', isBack, advancing(passbell.clock, 1000));
});
