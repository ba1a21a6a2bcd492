/** The webhook events `otp.locked` and `otp.canceled`. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { ApplicationChange } from '../../backend/src/modules/applications/application-change.js';
import type { Database } from '../../backend/src/platform/db/database.js';
import {
  freshMail,
  freshPhone,
  NO_SEND_LIMITS,
  startService,
  type Body,
  type TestService,
} from '../support/service.js';
import { startWebhookServer, type WebhookServer } from '../support/webhook-server.js';
import { advancing, until } from '../support/wait.js';

const EVENTS = ['otp.locked', 'otp.canceled', 'otp.verified'];

let customer: WebhookServer;
let passbell: TestService;
let keys: TestService['keys'];
let db: Database;
beforeAll(async () => {
  passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' });
  db = passbell.openDatabase();
});
afterAll(async () => {
  await db.destroy();
  await passbell.stop();
});
beforeEach(async () => {
  customer = await startWebhookServer();
  await db('webhook_deliveries').delete();
  await subscribe(NO_SEND_LIMITS);
});
afterEach(() => customer.close());

/** Creates an application with a webhook for the events of codes. */
async function subscribe(change: ApplicationChange): Promise<void> {
  keys = await passbell.application(change);
  await passbell.post('/webhooks', { url: customer.url, events: EVENTS }, { keys });
  // Waits until the cached subscribers have expired in every process.
  passbell.clock.advance(1000);
}

const send = (to: string, parameters: object = {}): Promise<Body> => passbell.send(to, parameters, { keys });
const verify = (request: object): Promise<Body> => passbell.post('/auth/verifyotp', request, { keys });
const guess = (request: object, n: number): Promise<Body> => verify({ ...request, otp: `wrong${n}` });
const guesses = (request: object, count = 5): Promise<Body[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => guess(request, n)));
async function cancel(maskId: string): Promise<string> {
  const response = await passbell.fetch(`/api/v1/auth/otp/${maskId}`, { method: 'DELETE' }, { keys });
  return ((await response.json()) as Body).data.state;
}
const recent = async (event: string): Promise<Body[]> =>
  (await passbell.get('/webhooks/recent', { event }, { keys })).data.events;

/** Number of events that were stored and not sent, including those about decoys. */
const stored = async (): Promise<number> => (await db('webhook_deliveries')).length;
/** Sends all stored events. Returns the received ones. */
async function received(): Promise<Body[]> {
  const hasDue = () => db('webhook_deliveries').whereNot({ webhook_id: 0 }).first();
  await until('all events to be sent', async () => !(await hasDue()), advancing(passbell.clock, 100));
  return customer.calls.map(({ event }) => event);
}

it('sends otp.locked once, when parallel wrong codes use the last attempt', async () => {
  const to = freshMail();
  const { maskId, code } = await send(to, { reference: 'A-1' });
  const now = passbell.clock.now() / 1000;
  const replies = await guesses({ maskId }, 8);
  expect(replies.filter(({ lockedForSeconds }) => lockedForSeconds === 60)).toHaveLength(1);
  const [event, ...others] = await received();
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    event: 'otp.locked',
    createdTime: Math.floor(now),
    data: { maskId, channel: 'email', identityType: 'email', reference: 'A-1', lockedUntilTime: Math.ceil(now) + 60 },
  });
  for (const secret of [to, code, 'wrong']) expect(customer.calls[0]!.body).not.toContain(secret);
  expect(await recent('otp.locked')).toEqual([event]);
});

it('sends no event for wrong codes before the last attempt, and for guesses while the code is locked', async () => {
  const { maskId } = await send(freshPhone());
  for (let n = 0; n < 4; n++) await guess({ maskId }, n);
  // Repeats the last wrong code, which does not count.
  await guess({ maskId }, 3);
  expect(await stored()).toBe(0);
  await guess({ maskId }, 4);
  expect(await received()).toHaveLength(1);
  expect(await guess({ maskId }, 5)).toMatchObject({ code: 'OTP_LOCKED' });
  expect(await received()).toHaveLength(1);
});

it('sends an event for each lock, also after support has unlocked the code', async () => {
  const to = freshPhone();
  const { maskId, expireTime } = await send(to, { expiry: 30 });
  await guesses({ maskId });
  passbell.clock.advance(61_000);
  for (let n = 10; n < 15; n++) await guess({ maskId }, n);
  const application = await passbell.core.applications.service.load(keys.appKey);
  await passbell.core.endUsers.service.unlock(OPERATOR, application, to);
  expect(await recent('otp.locked')).toEqual([]);
  passbell.clock.advance(1000);
  for (let n = 20; n < 25; n++) await guess({ maskId }, n);
  passbell.clock.advance(61_000);
  for (let n = 30; n < 40; n++) {
    await guess({ maskId }, n);
    if (n === 34) passbell.clock.advance(301_000);
  }
  const events = await received();
  expect(events).toHaveLength(5);
  expect(new Set(events.map(({ id }) => id)).size).toBe(5);
  expect(events.at(-1).data.lockedUntilTime).toBe(expireTime);
  expect((await recent('otp.locked')).map(({ id }) => id)).toEqual([events.at(-1).id]);
});

it('sends the end of the lock of a recipient who used all attempts of the hour', async () => {
  await subscribe({ limits: { ...NO_SEND_LIMITS.limits, wrongCodesPerHour: 3 } });
  const { maskId } = await send(freshPhone());
  const lockedUntil = passbell.clock.now() + 3_600_000;
  await guesses({ maskId }, 3);
  const [event] = await received();
  expect(event.data.lockedUntilTime).toBe(Math.ceil(lockedUntil / 1000));
  expect(await recent('otp.locked')).toEqual([event]);
});

describe('without a code', () => {
  it('a locked decoy costs the same as a locked code, and has no event', async () => {
    const replies = await guesses({ to: freshPhone() });
    expect(replies.some(({ lockedForSeconds }) => lockedForSeconds === 60)).toBe(true);
    expect(await stored()).toBe(1);
    expect(await received()).toEqual([]);
    expect(await recent('otp.locked')).toEqual([]);
    const [decoy, ...others] = await db('webhook_deliveries').where({ webhook_id: 0 });
    // The row outlives the application, so it has the size of an event, and no content.
    expect([decoy.body, others]).toEqual([expect.stringMatching(/^ {100,}$/), []]);
    const to = freshPhone();
    await send(to);
    await guesses({ to });
    expect(await received()).toHaveLength(1);
  });
});

it('sends otp.canceled once', async () => {
  const to = freshPhone();
  const { maskId, code } = await send(to, { reference: 'A-2' });
  const now = Math.floor(passbell.clock.now() / 1000);
  expect(await Promise.all([1, 2, 3].map(() => cancel(maskId)))).toEqual(Array(3).fill('canceled'));
  const [event, ...others] = await received();
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    event: 'otp.canceled',
    createdTime: now,
    data: { maskId, channel: 'sms', identityType: 'phone', reference: 'A-2' },
  });
  for (const secret of [to, code]) expect(customer.calls[0]!.body).not.toContain(secret);
  expect(await recent('otp.canceled')).toEqual([event]);
});

it('sends no otp.canceled for codes that ended before, and for codes that another one replaced', async () => {
  const to = freshMail();
  const first = await send(to);
  const second = await send(to);
  await verify({ maskId: second.maskId, otp: second.code });
  expect(await cancel(second.maskId)).toBe('verified');
  expect(await cancel(first.maskId)).toBe('canceled');
  const expired = await send(freshMail());
  passbell.clock.advance(300_000);
  expect(await cancel(expired.maskId)).toBe('expired');
  expect((await received()).map(({ event }) => event)).toEqual(['otp.verified']);
  expect(await recent('otp.canceled')).toEqual([]);
});

it('a concurrent cancel and verify have one event', async () => {
  for (let n = 0; n < 10; n++) {
    const { maskId, code } = await send(freshMail());
    const later = async (): Promise<Body> => {
      for (let other = 0; other < n; other++) await fetch(`${passbell.url}/health/live`);
      return verify({ maskId, otp: code });
    };
    const [state, { success }] = await Promise.all([cancel(maskId), later()]);
    const events = (await received()).filter(({ data }) => data.maskId === maskId);
    expect(events.map(({ event }) => event)).toEqual([success ? 'otp.verified' : 'otp.canceled']);
    expect(state).toBe(success ? 'verified' : 'canceled');
  }
});

it('erasing a recipient removes the recent events', async () => {
  const to = freshMail();
  const locked = await send(to);
  const canceled = await send(to);
  await guesses({ maskId: locked.maskId });
  await cancel(canceled.maskId);
  for (const event of ['otp.locked', 'otp.canceled']) expect(await recent(event)).toHaveLength(1);
  const application = await passbell.core.applications.service.load(keys.appKey);
  await passbell.core.erasure.service.erase(OPERATOR, [application], to);
  for (const event of ['otp.locked', 'otp.canceled']) expect(await recent(event)).toEqual([]);
});
