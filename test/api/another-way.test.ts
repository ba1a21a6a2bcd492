/** Codes that a provider accepted, but that do not arrive, are sent another way: with the next provider or channel. */
import { randomBytes } from 'node:crypto';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { timelineOf } from '../../backend/src/modules/messages/timeline.js';
import { readMessage, REPORTS, sends, untilSent } from '../support/another-way.js';
import { findCode, startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { accountOf, addGateway, setRoute, waitForRoutingUpdate } from '../support/providers.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { CALLBACK_BASE } from '../support/twilio-callback.js';
import { startWebhookServer, type WebhookServer } from '../support/webhook-server.js';
import { advancing, until } from '../support/wait.js';

let first: GatewayServer;
let second: GatewayServer;
let passbell: TestService;
let keys: Awaited<ReturnType<TestService['application']>>;

beforeEach(async () => {
  [first, second] = [await startGatewayServer(), await startGatewayServer()];
  for (const server of [first, second])
    server.respondWith(() => ({ status: 200, body: { id: randomBytes(8).toString('hex') } }));
  passbell = await startService({
    BASE_URL: CALLBACK_BASE,
    DEV_INBOX: 'off',
    SEND_WAIT_MS: '30000',
    WEBHOOKS_ALLOW_PRIVATE: 'true',
  });
});
afterEach(async () => {
  await Promise.all([first.close(), second.close()]);
  await passbell.stop();
});

/** Two gateways for SMS, of which the first comes first. */
async function routeOfTwo(settings: object = {}): Promise<void> {
  const { id } = await addGateway(passbell, 'First', first, REPORTS);
  const { id: secondId } = await addGateway(passbell, 'Second', second, REPORTS);
  await setRoute(passbell, 'SMS', '*', id, secondId);
  await waitForRoutingUpdate(passbell);
  keys = await passbell.application({ ...NO_LIMITS, settings: { channels: ['SMS'], ...settings } });
}

interface SentCode {
  readonly to: string;
  readonly maskId: string;
  readonly messageId: string;
  readonly code: string;
}

async function send(): Promise<SentCode> {
  const to = freshPhone();
  const body = await passbell.post('/auth/sendotp', { to, expiry: 5 }, { keys });
  expect(body).toMatchObject({ success: true, data: { isSent: 1 } });
  return { ...body.data.results[0], to, code: /\b\d{6}\b/.exec(JSON.stringify(sends(first).at(-1)))![0] };
}

/** The gateway reports on its newest message, to which it has assigned `id`. */
async function report(server: GatewayServer, status: 'OK' | 'FAIL', id: string): Promise<void> {
  const url = new URL(sends(server).at(-1)!.dlr);
  const headers = { 'Content-Type': 'application/json' };
  const init = { method: 'POST', body: JSON.stringify({ status, id }) };
  const response = await passbell.fetch(`${url.pathname}${url.search}`, init, { headers });
  expect(response.status).toBe(204);
}

/** Returns the ids that the gateways assign, in the order of the sends. */
function withIds(server: GatewayServer): string[] {
  const ids: string[] = [];
  server.respondWith(() => {
    const id = randomBytes(8).toString('hex');
    ids.push(id);
    return { status: 200, body: { id } };
  });
  return ids;
}

const messageOf = async ({ messageId }: SentCode): Promise<Body> =>
  (await passbell.get(`/messages/${messageId}`, {}, { keys })).data;
const verify = ({ maskId }: SentCode, otp: string): Promise<Body> =>
  passbell.post('/auth/verifyotp', { maskId, otp }, { keys });
const storedMessage = ({ messageId }: SentCode) => readMessage(passbell, keys, messageId);

const waitForSends = (server: GatewayServer, count: number, stepMs?: number) =>
  untilSent(passbell, server, count, stepMs);

async function usage() {
  const application = await passbell.core.applications.service.find(keys.appKey);
  const range = { applicationIds: [application!.id], from: '2027-01-01', to: '2027-12-31' };
  const [sums] = await passbell.core.usage.service.sums(range, ['channel']);
  const { sent, delivered, undelivered, failed } = sums!;
  return { sent, delivered, undelivered, failed };
}

it('a code that is reported as undelivered is sent with the next provider, within ten seconds', async () => {
  const firstIds = withIds(first);
  const secondIds = withIds(second);
  await routeOfTwo();
  const sent = await send();
  const reportedAt = passbell.clock.now();
  await report(first, 'FAIL', firstIds[0]!);
  await waitForSends(second, 1);
  expect(passbell.clock.now() - reportedAt).toBeLessThanOrEqual(10_000);
  expect(findCode(second)).toBe(sent.code);
  await report(second, 'OK', secondIds[0]!);
  expect(timelineOf(await storedMessage(sent)).map(({ kind }) => kind)).toEqual([
    'accepted',
    'sent',
    'reported',
    'sent',
    'reported',
  ]);
  expect(await messageOf(sent)).toMatchObject({
    state: 'delivered',
    authType: 'Sms',
    attempts: [
      { provider: 'Second', success: true, message: 'sent' },
      { provider: 'First', success: false, message: 'not delivered' },
    ],
  });
  expect(await verify(sent, sent.code)).toMatchObject({ success: true });
  expect(await usage()).toEqual({ sent: 2, delivered: 1, undelivered: 1, failed: 0 });
});

it('a resend whose outcome is unknown is listed with the reason', async () => {
  const firstIds = withIds(first);
  second.respondWith({ status: 500, body: {} });
  await routeOfTwo();
  const sent = await send();
  await report(first, 'FAIL', firstIds[0]!);
  const resend = () =>
    messageOf(sent).then(({ attempts }) => attempts.find(({ provider }: Body) => provider === 'Second'));
  expect(await until('the resend', resend, advancing(passbell.clock, 1000))).toMatchObject({
    success: false,
    message: expect.stringContaining('500'),
  });
});

it('a late report of the first provider after the second one delivered changes nothing but the bill', async () => {
  const firstIds = withIds(first);
  const secondIds = withIds(second);
  await routeOfTwo();
  const sent = await send();
  await report(first, 'FAIL', firstIds[0]!);
  await waitForSends(second, 1);
  await report(second, 'OK', secondIds[0]!);
  const before = await messageOf(sent);
  await report(first, 'OK', firstIds[0]!);
  const after = await messageOf(sent);
  expect(after.attempts[1]).toMatchObject({ provider: 'First', message: 'delivered late' });
  expect({ ...after, attempts: [] }).toEqual({ ...before, attempts: [] });
  expect(await usage()).toEqual({ sent: 2, delivered: 2, undelivered: 0, failed: 0 });
  expect([sends(first).length, sends(second).length]).toEqual([1, 1]);
});

it('a late report of the first provider that it delivered stops a message that waits to be sent another way', async () => {
  const firstIds = withIds(first);
  await routeOfTwo();
  const sent = await send();
  await report(first, 'FAIL', firstIds[0]!);
  await report(first, 'OK', firstIds[0]!);
  await passTime();
  expect(sends(second)).toEqual([]);
  expect(await messageOf(sent)).toMatchObject({ state: 'delivered' });
});

/** Gives the sweeper and timers time to send messages. */
async function passTime(minutes = 10): Promise<void> {
  const end = passbell.clock.now() + minutes * 60_000;
  await until('the end of the time', () => passbell.clock.now() >= end, advancing(passbell.clock, 5000));
}

it('a code that was entered is not sent another way, and its content is erased', async () => {
  const firstIds = withIds(first);
  await routeOfTwo({ silentSeconds: 15 });
  const sent = await send();
  expect((await storedMessage(sent)).payload).not.toBeNull();
  expect(await verify(sent, sent.code)).toMatchObject({ success: true });
  expect((await storedMessage(sent)).payload).toBeNull();
  await report(first, 'FAIL', firstIds[0]!);
  await passTime();
  expect(sends(second)).toEqual([]);
});

describe('the second code for a person', () => {
  const sendTo = (to: string): Promise<Body> => passbell.post('/auth/sendotp', { to }, { keys });

  it('within ten minutes is sent with the next provider, and the third one with the first provider again', async () => {
    await routeOfTwo();
    const to = freshPhone();
    for (const counts of [
      [1, 0],
      [1, 1],
      [2, 1],
    ]) {
      await sendTo(to);
      expect([sends(first).length, sends(second).length]).toEqual(counts);
    }
  });

  it('starts with the first provider after a code that was entered, or after ten minutes', async () => {
    await routeOfTwo();
    const sent = await send();
    await verify(sent, sent.code);
    await sendTo(sent.to);
    expect([sends(first).length, sends(second).length]).toEqual([2, 0]);
    await passTime(11);
    await sendTo(sent.to);
    expect([sends(first).length, sends(second).length]).toEqual([3, 0]);
  });

  it('is sent on the next channel if the channel has one provider, and the reply names the channel', async () => {
    await addGateway(passbell, 'First', first, REPORTS);
    await addGateway(passbell, 'Second', second, { ...REPORTS, channel: 'WHATSAPP' });
    await waitForRoutingUpdate(passbell);
    keys = await passbell.application({ ...NO_LIMITS, settings: { channels: ['SMS', 'WHATSAPP'] } });
    const to = freshPhone();
    expect((await sendTo(to)).data.results).toMatchObject([{ authType: 'Sms' }]);
    expect((await sendTo(to)).data.results).toMatchObject([{ authType: 'WHATSAPP' }]);
    expect([sends(first).length, sends(second).length]).toEqual([1, 1]);
  });

  it('stays on the channel that the caller names', async () => {
    await addGateway(passbell, 'First', first, REPORTS);
    await addGateway(passbell, 'Second', second, { ...REPORTS, channel: 'WHATSAPP' });
    await waitForRoutingUpdate(passbell);
    keys = await passbell.application({ ...NO_LIMITS, settings: { channels: ['SMS', 'WHATSAPP'] } });
    const to = freshPhone();
    for (let n = 0; n < 2; n++) await passbell.post('/auth/sendotp', { to, authWay: 'SMS' }, { keys });
    expect([sends(first).length, sends(second).length]).toEqual([2, 0]);
  });
});

it('an older code that ends because a newer one was entered is not sent another way', async () => {
  await routeOfTwo({ silentSeconds: 15 });
  const older = await send();
  const reply = await passbell.post('/auth/sendotp', { to: older.to }, { keys });
  const { maskId } = reply.data.results[0];
  expect(await verify({ ...older, maskId }, findCode(second))).toMatchObject({ success: true });
  expect((await storedMessage(older)).payload).toBeNull();
  await passTime();
  expect([sends(first).length, sends(second).length]).toEqual([1, 1]);
});

it('a code that the site reports as verified is not sent another way', async () => {
  const firstIds = withIds(first);
  await routeOfTwo({ silentSeconds: 15 });
  const sent = await send();
  expect(await passbell.post('/auth/reportverified', { maskId: sent.maskId }, { keys })).toMatchObject({
    success: true,
  });
  await report(first, 'FAIL', firstIds[0]!);
  await passTime();
  expect(sends(second)).toEqual([]);
});

it('a code that was entered before the provider replied is not sent another way', async () => {
  await routeOfTwo({ silentSeconds: 15 });
  let reply!: () => void;
  const replied = new Promise<void>((resolve) => (reply = resolve));
  first.respondWith(async () => {
    await replied;
    return { status: 200, body: { id: 'slow' } };
  });
  const sending = passbell.post('/auth/sendotp', { to: freshPhone() }, { keys });
  await first.waitForRequest(1);
  const { to } = JSON.parse(first.requests[0]!.body);
  expect(await passbell.post('/auth/verifyotp', { to, otp: findCode(first) }, { keys })).toMatchObject({
    success: true,
  });
  reply();
  expect(await sending).toMatchObject({ success: true });
  await passTime();
  expect(sends(second)).toEqual([]);
});

it('a code that is neither entered nor reported is sent with the next provider after the silent time', async () => {
  withIds(first);
  withIds(second);
  await routeOfTwo({ silentSeconds: 20 });
  const sentAt = passbell.clock.now();
  const sent = await send();
  passbell.clock.advance(19_000);
  // In short steps, because the clock also advances while a slow machine sends the message.
  await waitForSends(second, 1, 50);
  const waited = passbell.clock.now() - sentAt;
  expect(waited).toBeGreaterThanOrEqual(20_000);
  expect(waited).toBeLessThanOrEqual(30_000);
  expect(findCode(second)).toBe(sent.code);
  expect(timelineOf(await storedMessage(sent)).map(({ kind }) => kind)).toContain('silent');
  expect((await messageOf(sent)).attempts[1]).toMatchObject({ message: 'no delivery report has arrived' });
  expect(await verify(sent, sent.code)).toMatchObject({ success: true });
});

it('with a provider that accepts every code and delivers none, 95 % of people enter the code that the next provider sends', async () => {
  await routeOfTwo({ silentSeconds: 15, countries: ['US'] });
  const maskIds = new Map<string, string>();
  for (let n = 0; n < 40; n++) {
    const to = freshPhone();
    const reply = await passbell.post('/auth/sendotp', { to, expiry: 60 }, { keys });
    maskIds.set(to, reply.data.results[0].maskId);
  }
  await waitForSends(second, 38);
  let entered = 0;
  for (const { to, text } of sends(second)) {
    const reply = await passbell.post(
      '/auth/verifyotp',
      { maskId: maskIds.get(to), otp: /\d{6}/.exec(text)![0] },
      { keys },
    );
    entered += reply.success ? 1 : 0;
  }
  expect(entered).toBeGreaterThanOrEqual(38);
  expect(sends(first)).toHaveLength(40);
});

it('without the setting, a silent code is not sent again, and its content is erased when it expires', async () => {
  await routeOfTwo();
  const sent = await send();
  await passTime();
  expect(sends(second)).toEqual([]);
  expect(await storedMessage(sent)).toMatchObject({ state: 'sent', payload: null, dueAt: null });
});

it('a message without another way is undelivered at once, and keeps no content', async () => {
  const ids = withIds(first);
  await addGateway(passbell, 'First', first, REPORTS);
  await waitForRoutingUpdate(passbell);
  keys = await passbell.application({ ...NO_LIMITS, settings: { channels: ['SMS'] } });
  const sent = await send();
  expect((await storedMessage(sent)).payload).toBeNull();
  await report(first, 'FAIL', ids[0]!);
  expect(await messageOf(sent)).toMatchObject({ state: 'undelivered' });
});

it('a message whose other way fails ends as undelivered, and is charged once', async () => {
  const firstIds = withIds(first);
  await routeOfTwo();
  second.respondWith({ status: 422 });
  const sent = await send();
  await report(first, 'FAIL', firstIds[0]!);
  await waitForSends(second, 1);
  await until('the end', async () => (await messageOf(sent)).state === 'undelivered', advancing(passbell.clock, 250));
  expect(await usage()).toEqual({ sent: 1, delivered: 0, undelivered: 1, failed: 0 });
});

it('a message is not sent another way when the budget of its account is used up', async () => {
  const firstIds = withIds(first);
  await routeOfTwo();
  await passbell.core.applications.service.setCeilings(OPERATOR, await accountOf(passbell), { messagesPerDay: 1 });
  passbell.clock.advance(2000);
  const sent = await send();
  await report(first, 'FAIL', firstIds[0]!);
  await until('the end', async () => (await messageOf(sent)).state === 'undelivered', advancing(passbell.clock, 250));
  expect(sends(second)).toEqual([]);
});

it('webhooks report that the message was accepted again and delivered, and report no failure', async () => {
  const hook: WebhookServer = await startWebhookServer();
  const firstIds = withIds(first);
  const secondIds = withIds(second);
  await routeOfTwo();
  const application = (await passbell.core.applications.service.find(keys.appKey))!;
  await passbell.core.webhooks.service.create(OPERATOR, application, {
    url: hook.url,
    events: ['message.accepted', 'message.delivered', 'message.failed'],
  });
  const sent = await send();
  await report(first, 'FAIL', firstIds[0]!);
  await waitForSends(second, 1);
  await report(second, 'OK', secondIds[0]!);
  await until('three events', () => hook.calls.length >= 3, advancing(passbell.clock, 500));
  expect(hook.calls.map(({ event }: Body) => event.event).sort()).toEqual([
    'message.accepted',
    'message.accepted',
    'message.delivered',
  ]);
  expect(sent.code).toHaveLength(6);
  await hook.close();
});
