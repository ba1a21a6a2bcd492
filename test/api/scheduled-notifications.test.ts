/** Notifications that are sent later: `sendAt`, quiet hours, replaced and canceled messages. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { until } from '../support/wait.js';

let passbell: TestService;
let keys: KeyPair;
beforeAll(async () => {
  passbell = await startService();
  keys = await passbell.application(NO_LIMITS);
});
afterAll(() => passbell.stop());

const now = () => passbell.clock.now();
const iso = (ms: number) => new Date(ms).toISOString();
const send = (parameters: object, { path = 'order', headers = {}, pair = keys } = {}): Promise<Body> =>
  passbell.post(
    `/notifications/${path}`,
    { authWay: 'sms', templateType: 'order_shipped', variables: { orderId: 'A-1001' }, ...parameters },
    { keys: pair, headers },
  );
const resultOf = (body: Body) => body.data.results[0];
const statusOf = async (messageId: string, pair = keys): Promise<Body> =>
  (await passbell.get(`/messages/${messageId}`, {}, { keys: pair })).data;
const cancel = async (messageId: string, pair = keys): Promise<Body> =>
  (await passbell.fetch(`/api/v1/messages/${messageId}`, { method: 'DELETE' }, { keys: pair })).json();
/** Lets the sweeper run until all due messages are sent. */
const sweepUntil = (what: string, test: () => Promise<boolean>) =>
  until(what, async () => {
    for (const core of passbell.cores) await core.messages.sweep();
    return test();
  });
const inboxOf = (to: string) => passbell.inbox(to);

async function scheduled(to: string, ms = HOUR, parameters: object = {}): Promise<string> {
  const body = await send({ to, sendAt: iso(now() + ms), ...parameters });
  expect(body).toMatchObject({ success: true });
  return resultOf(body).messageId;
}

/** Waits for a message that is due now, and so for all that were due before. */
async function sweepAll(): Promise<void> {
  const to = freshMail();
  const id = await scheduled(to, SECOND, { authWay: 'email', variables: { orderId: `last ${to}` } });
  passbell.clock.advance(SECOND);
  await sweepUntil('the last due message', async () => (await statusOf(id)).state === 'sent');
}

describe('sendAt', () => {
  it('sends a notification when it is due, and not before', async () => {
    const to = freshPhone();
    const sendAt = now() + HOUR;
    const reply = await send({ to, sendAt: iso(sendAt) });
    const text = `scheduled for ${iso(sendAt).replace('.000Z', 'Z')}`;
    expect(reply).toMatchObject({ success: true, message: `notification is ${text}`, status: 'NotificationsSent' });
    expect(resultOf(reply)).toMatchObject({
      message: text,
      sendTime: sendAt / SECOND,
      expireTime: (sendAt + DAY) / SECOND,
      charge: '0.0000',
    });
    const { messageId } = resultOf(reply);
    expect(await statusOf(messageId)).toMatchObject({ state: 'scheduled', sendTime: sendAt / SECOND, attempts: [] });

    passbell.clock.advance(HOUR - MINUTE);
    await sweepAll();
    expect(await inboxOf(to)).toEqual([]);
    passbell.clock.advance(MINUTE);
    await sweepUntil('the message', async () => (await inboxOf(to)).length > 0);
    await sweepAll();
    expect(await inboxOf(to)).toHaveLength(1);
    expect(await statusOf(messageId)).toMatchObject({ state: 'sent', sendTime: sendAt / SECOND });
  });

  it('accepts Unix time in seconds, as a number or a text', async () => {
    const sendAt = now() / SECOND + 3600;
    for (const value of [sendAt, String(sendAt)])
      expect(resultOf(await send({ to: freshPhone(), sendAt: value }))).toMatchObject({ sendTime: sendAt });
  });

  it('means now for a time in the last five minutes', async () => {
    const to = freshPhone();
    expect(resultOf(await send({ to, sendAt: iso(now() - 4 * MINUTE) }))).toMatchObject({ message: 'sent' });
  });

  it.each([
    'tomorrow',
    '2027-01-15',
    '2027-01-15T09:00:00',
    '2027-01-15 09:00:00Z',
    -5,
    1.5,
    1_800_000_000_000,
    true,
    {},
  ])('%p is rejected', async (sendAt) =>
    expect(await send({ to: freshPhone(), sendAt })).toMatchObject({ code: 'INVALID_PARAMETER', field: 'sendAt' }),
  );

  it('is rejected in the past, and more than 30 days from now', async () => {
    for (const ms of [-6 * MINUTE, 30 * DAY + MINUTE])
      expect(await send({ to: freshPhone(), sendAt: iso(now() + ms) })).toMatchObject({
        code: 'INVALID_PARAMETER',
        field: 'sendAt',
      });
  });

  it('is not repeated for the same Idempotency-Key, which gets the first reply', async () => {
    const to = freshPhone();
    const request = { to, sendAt: iso(now() + MINUTE) };
    const headers = { 'Idempotency-Key': 'scheduled-once' };
    const first = await send(request, { headers });
    passbell.clock.advance(10 * MINUTE);
    expect(await send(request, { headers })).toEqual(first);
    const other = { ...request, sendAt: iso(now() + MINUTE) };
    expect(await send(other, { headers })).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    await sweepAll();
    expect(await inboxOf(to)).toHaveLength(1);
  });

  it('survives a restart, and is sent once at its time although the clock is set back and forward', async () => {
    const to = freshPhone();
    await scheduled(to);
    passbell.clock.advance(HOUR - SECOND);
    passbell.clock.advance(-3 * HOUR);
    await sweepAll();
    expect(await inboxOf(to)).toEqual([]);
    const service = await passbell.restart();
    passbell = service;
    service.clock.advance(3 * HOUR);
    await sweepUntil('the message', async () => (await inboxOf(to)).length > 0);
    await sweepAll();
    expect(await inboxOf(to)).toHaveLength(1);
  });

  it('can be sent after the key that sealed it was replaced', async () => {
    const to = freshPhone();
    const old = 'an old key that only tests use and nobody else';
    const rotated = 'a new key that only tests use and nobody else';
    const other = await startService({ SECRET_KEY: old });
    const sendAt = other.clock.now() / SECOND + 3600;
    const order = { to, templateType: 'order_shipped', variables: { orderId: 'A-1' }, sendAt };
    await other.post('/notifications/order', order);
    const both = await other.restart({ SECRET_KEY: `${rotated},${old}` });
    expect(await both.core.messages.reseal()).toBe(1);
    const last = await both.restart({ SECRET_KEY: rotated });
    last.clock.advance(HOUR);
    await until('the message', async () => {
      await last.core.messages.sweep();
      return (await last.inbox(to)).length === 1;
    });
    await last.stop();
  });

  it('waits while no process has the key that sealed it', async () => {
    const to = freshPhone();
    const first = await startService({ SECRET_KEY: 'a key that only tests use and nobody else' });
    const sendAt = first.clock.now() / SECOND + 3600;
    const order = { to, authWay: 'SMS', templateType: 'order_shipped', variables: { orderId: 'A-1' }, sendAt };
    const { messageId } = resultOf(await first.post('/notifications/order', order));
    const wrong = await first.restart({ SECRET_KEY: 'a wrong key that only tests use and nobody else' });
    wrong.clock.advance(HOUR);
    const stateOf = async () => (await wrong.get(`/messages/${messageId}`)).data.state;
    await until('the attempt', async () => {
      await wrong.core.messages.sweep();
      return wrong.logged.join('').includes('delivery attempt failed') && (await stateOf()) !== 'sending';
    });
    expect(await stateOf()).toBe('queued');
    const right = await wrong.restart({ SECRET_KEY: 'a key that only tests use and nobody else' });
    right.clock.advance(HOUR);
    await until('the message', async () => {
      await right.core.messages.sweep();
      return (await right.inbox(to)).length === 1;
    });
    await right.stop();
  });

  it('does not delay codes of the application', async () => {
    await Promise.all(Array.from({ length: 20 }, () => scheduled(freshPhone(), MINUTE)));
    passbell.clock.advance(MINUTE);
    const to = freshPhone();
    const { data } = await passbell.post('/auth/sendotp', { to }, { keys });
    expect(data.results[0]).toMatchObject({ message: 'sent' });
  });

  it('fails if the application was turned off in the meantime', async () => {
    const pair = await passbell.application(NO_LIMITS);
    const to = freshPhone();
    const { messageId } = resultOf(await send({ to, sendAt: iso(now() + HOUR) }, { pair }));
    await passbell.core.applications.service.update(OPERATOR, pair.appKey, { status: 'inactive' });
    passbell.clock.advance(HOUR);
    await sweepUntil('the end of the message', async () => {
      const [message] = await passbell.core.messages.lookup.newest({ state: 'failed', limit: 1 });
      return message?.id === messageId;
    });
    expect(await inboxOf(to)).toEqual([]);
  });
});

describe('quiet hours', () => {
  // The test clock starts on 15 January 2027 at 08:00 UTC.
  it('postpone notifications to phone numbers until they are over, but not codes and emails', async () => {
    const hour = new Date(now()).getUTCHours();
    const time = (offset: number) => `${String((hour + 1 + offset + 24) % 24).padStart(2, '0')}:00`;
    const pair = await passbell.application({ ...NO_LIMITS, settings: { quietHours: `${time(-2)}-${time(2)}` } });
    const to = '+4915123456789';
    const { messageId, sendTime } = resultOf(await send({ to }, { pair }));
    expect(sendTime * SECOND - now()).toBeGreaterThan(HOUR);
    expect(new Date(sendTime * SECOND).toISOString().slice(14)).toBe('00:00.000Z');
    expect(await statusOf(messageId, pair)).toMatchObject({ state: 'scheduled' });
    const email = await send({ to: freshMail(), authWay: 'email' }, { pair });
    expect(resultOf(email)).toMatchObject({ message: 'sent' });
    const code = await passbell.post('/auth/sendotp', { to }, { keys: pair });
    expect(code.data.results[0]).toMatchObject({ message: 'sent' });
  });
});

describe('a scheduled message', () => {
  it('is replaced by a later notification about the same order', async () => {
    const to = freshPhone();
    const first = await scheduled(to);
    const second = await scheduled(to, HOUR, { variables: { orderId: 'A-1001', trackingNo: '1Z9' } });
    expect(await statusOf(first)).toMatchObject({ state: 'canceled', replacedBy: second });
    const sent = await send({ to, templateType: 'order_cancelled' });
    expect(resultOf(sent)).toMatchObject({ message: 'sent' });
    expect(await statusOf(second)).toMatchObject({ state: 'canceled', replacedBy: resultOf(sent).messageId });
    passbell.clock.advance(HOUR);
    await sweepAll();
    expect(await inboxOf(to)).toHaveLength(1);
  });

  it('is not replaced by notifications about something else, to someone else, or from another application', async () => {
    const to = freshPhone();
    const id = await scheduled(to);
    const pair = await passbell.application(NO_LIMITS);
    await scheduled(to, HOUR, { variables: { orderId: 'A-1002' } });
    await scheduled(freshPhone());
    await scheduled(to, HOUR, { templateType: 'payment_pending' });
    await scheduled(to, HOUR, {
      templateType: 'feedback_request',
      variables: { orderId: 'A-1001', feedbackLink: 'https://shop.example/f' },
    });
    await scheduled(to, 2 * HOUR, { templateType: 'order_delivered' });
    await send({ to, sendAt: iso(now() + HOUR) }, { pair });
    expect(await statusOf(id)).toMatchObject({ state: 'scheduled' });
  });

  it('remains only once for parallel notifications about the same order', async () => {
    const to = freshPhone();
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, n) => scheduled(to, HOUR, { variables: { orderId: 'A-1', trackingNo: `1Z${n}` } })),
    );
    const states = await Promise.all(ids.map(async (id) => (await statusOf(id)).state));
    expect(states.filter((state) => state === 'scheduled')).toHaveLength(1);
  });

  it('is found by its state', async () => {
    const to = freshPhone();
    const id = await scheduled(to);
    const list = async (state: string) =>
      (await passbell.get('/messages', { to, state }, { keys })).data.messages.map(({ messageId }: Body) => messageId);
    expect([await list('scheduled'), await list('queued'), await list('failed')]).toEqual([[id], [], []]);
    await cancel(id);
    expect([await list('scheduled'), await list('canceled'), await list('expired')]).toEqual([[], [id], []]);
  });

  it('does not count as queued', async () => {
    const { messages } = await passbell.core.messages.service.backlog();
    await scheduled(freshPhone());
    expect(await passbell.core.messages.service.backlog()).toMatchObject({ messages });
  });

  it('is canceled and erased with its recipient', async () => {
    const to = freshPhone();
    const id = await scheduled(to);
    const applications = await passbell.core.applications.service.list();
    const erasure = await passbell.core.erasure.service.erase(OPERATOR, applications, to);
    expect(erasure!.erased.messages).toBe(1);
    expect(await statusOf(id)).toMatchObject({ state: 'canceled', to: '*****' });
    const db = passbell.openDatabase();
    const row = await db('messages').where({ id }).first();
    await db.destroy();
    expect(row).toMatchObject({ recipient: '', payload: null, order_key: null, due_at: null });
  });
});

describe('DELETE /messages/{id}', () => {
  it('cancels a scheduled message, also twice', async () => {
    const to = freshPhone();
    const id = await scheduled(to);
    for (let n = 0; n < 2; n++)
      expect(await cancel(id)).toMatchObject({
        success: true,
        message: 'message canceled',
        data: { messageId: id, state: 'canceled', charge: '0.0000' },
      });
    passbell.clock.advance(HOUR);
    await sweepAll();
    expect(await inboxOf(to)).toEqual([]);
  });

  it('rejects messages that were sent, and messages of other applications', async () => {
    const { messageId } = resultOf(await send({ to: freshPhone() }));
    expect(await cancel(messageId)).toMatchObject({ code: 'MESSAGE_NOT_SCHEDULED' });
    const id = await scheduled(freshPhone());
    for (const [other, pair] of [
      [id, await passbell.application()],
      ['f'.repeat(32), keys],
    ] as const)
      expect(await cancel(other, pair)).toMatchObject({ code: 'MESSAGE_NOT_FOUND' });
    expect(await statusOf(id)).toMatchObject({ state: 'scheduled' });
  });

  it('is either sent or canceled if it is canceled at the time at which it is due', async () => {
    const recipients = Array.from({ length: 24 }, freshPhone);
    const ids = await Promise.all(recipients.map((to) => scheduled(to, MINUTE)));
    passbell.clock.advance(MINUTE);
    const sweep = passbell.core.messages.sweep();
    const replies = await Promise.all(ids.map((id) => cancel(id)));
    await sweep;
    await sweepAll();
    for (const [n, to] of recipients.entries()) {
      const { success, code } = replies[n]!;
      expect(success ? 'canceled' : code).toBe(success ? 'canceled' : 'MESSAGE_NOT_SCHEDULED');
      const isEnded = async () => ['sent', 'canceled'].includes((await statusOf(ids[n]!)).state);
      await until('the end of the message', isEnded);
      expect([to, await inboxOf(to)]).toEqual([to, success ? [] : [expect.anything()]]);
    }
  });

  it('refunds the budgets once, if the message was accepted on the same day', async () => {
    const pair = await passbell.application({ limits: { ...NO_LIMITS.limits, phoneNotificationsPerDay: 1 } });
    const schedule = (orderId: string) =>
      send({ to: freshPhone(), sendAt: iso(now() + 2 * DAY), variables: { orderId } }, { pair });
    const first = resultOf(await schedule('A-1')).messageId;
    expect(await schedule('A-2')).toMatchObject({ code: 'NOTIFICATION_LIMIT' });
    await Promise.all([cancel(first, pair), cancel(first, pair)]);
    const second = resultOf(await schedule('A-3')).messageId;
    expect(await schedule('A-4')).toMatchObject({ code: 'NOTIFICATION_LIMIT' });
    passbell.clock.advance(DAY);
    expect(await schedule('A-5')).toMatchObject({ success: true });
    await cancel(second, pair);
    expect(await schedule('A-6')).toMatchObject({ code: 'NOTIFICATION_LIMIT' });
  });

  it('publishes no event, and counts nothing', async () => {
    const pair = await passbell.application(NO_LIMITS);
    const { messageId } = resultOf(await send({ to: freshPhone(), sendAt: iso(now() + HOUR) }, { pair }));
    await cancel(messageId, pair);
    const events = await passbell.get('/webhooks/recent', { event: 'message.failed' }, { keys: pair });
    const usage = await passbell.get('/usage', {}, { keys: pair });
    expect([events.data.events, usage.data.usage]).toEqual([[], []]);
  });
});
