/** sendOrderNotification: duplicates, limits shared with codes, Idempotency-Key, test recipients. */
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import {
  freshPhone,
  NO_LIMITS,
  NO_SEND_LIMITS,
  startService,
  type Body,
  type TestService,
} from '../support/service.js';

let passbell: TestService;
let keys: KeyPair;
beforeAll(async () => {
  passbell = await startService();
  keys = await passbell.application(NO_LIMITS);
});
afterAll(() => passbell.stop());
beforeEach(() => passbell.clock.advance(60_000));

const post = (body: object, pair = keys, headers = {}): Promise<Body> =>
  passbell.post('/notifications/order', body, { keys: pair, headers });
const order = (parameters: object = {}): object => ({
  to: freshPhone(),
  authWay: 'sms',
  templateType: 'order_shipped',
  variables: { orderId: 'A-1001' },
  ...parameters,
});

describe('a repeated notification', () => {
  const REFUSED = { success: false, code: 'DUPLICATE_NOTIFICATION' };

  it('is rejected for 30 seconds in any format, and does not count towards the burst limit', async () => {
    const strict = await passbell.application({ limits: { burstPerMinute: 2 } });
    const to = '+1 415 555 7001';
    expect(await post(order({ to }), strict)).toMatchObject({ success: true });
    passbell.clock.advance(10_000);
    const again = order({ to: '0014155557001', templateType: 'orderDispatched', variables: { orderid: ' A-1001 ' } });
    for (let i = 0; i < 5; i++) expect(await post(again, strict)).toMatchObject({ ...REFUSED, retryAfterSeconds: 20 });
    expect(await passbell.inbox('+14155557001')).toHaveLength(1);
    passbell.clock.advance(20_000);
    expect(await post(again, strict)).toMatchObject({ success: true });
  });

  it('is sent once for parallel requests', async () => {
    const pair = await passbell.application(NO_SEND_LIMITS);
    const to = freshPhone();
    const replies = await Promise.all(Array.from({ length: 10 }, () => post(order({ to }), pair)));
    expect(replies.filter(({ success }) => success)).toHaveLength(1);
    expect(await passbell.inbox(to)).toHaveLength(1);
  });

  it('is sent immediately if a variable, the template, the recipient or the application differs', async () => {
    const pair = await passbell.application();
    const other = await passbell.application();
    const to = freshPhone();
    const different = [
      [order({ to }), pair],
      [order({ to, variables: { orderId: 'A-1002' } }), pair],
      [order({ to, variables: { orderId: 'A-1001', trackingNo: '1' } }), pair],
      [order({ to, templateType: 'order_placed' }), pair],
      [order(), pair],
      [order({ to }), other],
    ] as const;
    for (const [body, keyPair] of different) expect(await post(body, keyPair)).toMatchObject({ success: true });
    expect(await passbell.inbox(to)).toHaveLength(5);
  });

  it('is rejected after a restart', async () => {
    const pair = await passbell.application();
    const body = order();
    expect(await post(body, pair)).toMatchObject({ success: true });
    passbell = await passbell.restart();
    expect(await post(body, pair)).toMatchObject(REFUSED);
  });

  it('is sent if the process of the first request crashed before it stored the message', async () => {
    const pair = await passbell.application();
    const to = freshPhone();
    const headers = { 'Idempotency-Key': `crash-${to}` };
    await post(order({ to }), pair, headers);
    // The limits have counted the notification, but there is no result.
    const db = passbell.openDatabase();
    await db('idempotency_results').delete();
    await db('idempotency_keys').update({ reply: null, lease_until: 0 });
    await db.destroy();
    expect(await post(order({ to }), pair, headers)).toMatchObject({ success: true });
    expect(await passbell.inbox(to)).toHaveLength(2);
    expect(await post(order({ to }), pair)).toMatchObject(REFUSED);
  });

  it('is sent when the limit is disabled', async () => {
    const body = order();
    for (let i = 0; i < 2; i++) expect(await post(body)).toMatchObject({ success: true });
  });
});

it('neither starts the cooldown for codes nor is subject to it', async () => {
  const pair = await passbell.application();
  const to = freshPhone();
  await passbell.send(to, {}, { keys: pair });
  expect(await post(order({ to }), pair)).toMatchObject({ success: true });
  passbell.clock.advance(30_000);
  await passbell.send(to, {}, { keys: pair });
});

it('shares the burst limit of the application with codes', async () => {
  const pair = await passbell.application({ limits: { burstPerMinute: 2 } });
  await passbell.send(freshPhone(), {}, { keys: pair });
  expect(await post(order(), pair)).toMatchObject({ success: true });
  expect(await post(order(), pair)).toMatchObject({ success: false, code: 'BURST_LIMIT' });
});

it('sends nothing to a test recipient', async () => {
  const to = '+15550177';
  const pair = await passbell.application({ settings: { testRecipients: { [to]: '123456' } } });
  const body = await post(order({ to }), pair);
  expect(body).toMatchObject({ success: true, data: { isSent: 1, results: [{ charge: '0.0000' }] } });
  expect(await passbell.inbox(to)).toEqual([]);
});

it('returns the first reply for a repeated Idempotency-Key, and sends once', async () => {
  const to = freshPhone();
  const headers = { 'Idempotency-Key': `order-${to}` };
  const first = await post(order({ to }), keys, headers);
  expect(await post(order({ to }), keys, headers)).toEqual(first);
  expect(await passbell.inbox(to)).toHaveLength(1);
  expect(await post(order({ to, variables: { orderId: 'B' } }), keys, headers)).toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  });
});
