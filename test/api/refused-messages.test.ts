/** Refused sends are stored as messages, so that support can see why a recipient got none. */
import { CLEANUP_INTERVAL_MS } from '../../backend/src/core.js';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { ApplicationChange } from '../../backend/src/modules/applications/application-change.js';
import type { ApplicationLimits } from '../../backend/src/modules/applications/application-limits.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { uncapitalized } from '../../backend/src/platform/capitalized.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import type { Database } from '../../backend/src/platform/db/database.js';
import { tablesWith } from '../support/all-rows.js';
import { startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { advancing, until } from '../support/wait.js';
import { startWebhookServer } from '../support/webhook-server.js';

/** Maximum number of stored refusals of an application in an hour. */
const MAX_STORED = 100;

let twilio: TwilioServer;
let passbell: TestService;
let db: Database;
let keys: KeyPair;
beforeAll(async () => {
  twilio = await startTwilioServer();
  // There is no provider for email.
  passbell = await startService({
    DEV_INBOX: 'off',
    WEBHOOKS_ALLOW_PRIVATE: 'true',
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
  });
  db = passbell.openDatabase();
});
beforeEach(async () => {
  keys = await passbell.application(NO_LIMITS);
  passbell.clock.advance(2 * MINUTE);
});
afterAll(async () => {
  await db.destroy();
  await passbell.stop();
  await twilio.close();
});

let count = 0;
/** Returns a number that the provider accepts, and that no other test in this file uses. */
const freshNumber = (): string => `+1415200${String(1000 + ++count)}`;
const applicationId = async (): Promise<number> => (await passbell.core.applications.service.find(keys.appKey))!.id;

async function change(applicationChange: ApplicationChange): Promise<void> {
  await passbell.core.applications.service.update(OPERATOR, keys.appKey, applicationChange);
  passbell.clock.advance(2 * SECOND);
}
const limit = (limits: Partial<ApplicationLimits>): Promise<void> => change({ limits });

const send = (to: string, more: object = {}, options: object = {}): Promise<Body> =>
  passbell.post('/auth/sendotp', { to, authWay: 'SMS', ...more }, { keys, ...options });
const notify = (to: string, variables: object = { orderId: `A-${++count}` }): Promise<Body> =>
  passbell.post('/notifications/order', { to, authWay: 'SMS', templateType: 'order_shipped', variables }, { keys });

const list = async (query: Record<string, string> = { state: 'refused' }): Promise<Body[]> =>
  (await passbell.get('/messages', query, { keys })).data.messages;
/** Refusals are stored after the reply. */
const refusals = (number = 1): Promise<Body[]> =>
  until(`${number} refusals`, async () => {
    const found = await list({ state: 'refused', limit: '100' });
    return found.length >= number && found;
  });
const now = (): number => Math.floor(passbell.clock.now() / 1000);
const pause = async (): Promise<void> => {
  const application = (await passbell.core.applications.service.find(keys.appKey))!;
  for (const { fraud } of passbell.cores)
    await fraud.pauses.act(OPERATOR, application, { scope: 'country', key: 'CA' }, 'pause');
  passbell.clock.advance(4 * SECOND);
};

/** Each way in which a correct request is refused, and the message that the request would have created. */
const REFUSALS: readonly (readonly [code: string, refuse: () => Promise<{ body: Body; message: object }>])[] = [
  [
    'COOLDOWN',
    async () => {
      await limit({ cooldownSeconds: 30 });
      const to = freshNumber();
      expect(await send(to)).toMatchObject({ success: true });
      return { body: await send(to), message: { template: 'otp', authType: 'Sms' } };
    },
  ],
  [
    'BURST_LIMIT',
    async () => {
      await limit({ burstPerMinute: 1 });
      expect(await send(freshNumber())).toMatchObject({ success: true });
      return { body: await send(freshNumber()), message: { template: 'otp', authType: 'Sms' } };
    },
  ],
  [
    'NOTIFICATION_LIMIT',
    async () => {
      await limit({ notificationsPerDay: 1 });
      const to = freshNumber();
      expect(await notify(to)).toMatchObject({ success: true });
      return { body: await notify(to), message: { template: 'order_shipped', authType: 'Sms' } };
    },
  ],
  [
    'FRAUD_SUSPECTED',
    async () => {
      await pause();
      return { body: await send('+14165550123'), message: { template: 'otp', authType: 'Sms' } };
    },
  ],
  [
    'COUNTRY_NOT_ALLOWED',
    async () => {
      await change({ settings: { countries: ['US'] } });
      return { body: await send('+4915112345678'), message: { template: 'otp', authType: 'Sms' } };
    },
  ],
  [
    'CHANNEL_NOT_CONFIGURED',
    async () => {
      const body = await send('ana@example.com', { authWay: 'EMAIL' });
      return { body, message: { template: 'otp', authType: 'Email', to: 'an***@example.com' } };
    },
  ],
];

describe('a refused send', () => {
  it.each(REFUSALS)('is stored as a refused message (%s)', async (code, refuse) => {
    const { body, message } = await refuse();
    expect(body).toMatchObject({ success: false, code });
    expect(body.data).toBeUndefined();
    const [refused, ...others] = await refusals();
    expect(others).toEqual([]);
    const { retryAfterSeconds, hint } = body;
    expect(refused).toMatchObject({
      ...message,
      messageId: expect.stringMatching(/^[0-9a-f]{32}$/),
      maskId: '',
      state: 'refused',
      attempts: [],
      charge: '0.0000',
      createdTime: now(),
      finishedTime: now(),
    });
    const { untilTime, ...reason } = refused.refusal;
    const [, problem] = /^(.+)\. Try again in .+$/.exec(body.message) ?? [];
    expect(reason).toEqual({ code, message: problem ? uncapitalized(problem) : body.message, hint });
    if (retryAfterSeconds === undefined) expect(untilTime).toBeUndefined();
    else expect(Math.abs(untilTime - now() - retryAfterSeconds)).toBeLessThanOrEqual(1);
    expect((await passbell.get(`/messages/${refused.messageId}`, {}, { keys })).data).toEqual(refused);
    expect(await passbell.get(`/messages/${refused.messageId}`)).toMatchObject({ code: 'MESSAGE_NOT_FOUND' });
  });

  it('is found by its recipient, and contains the request ID but neither code nor content', async () => {
    await change({ settings: { countries: ['DE'] } });
    const to = freshNumber();
    const headers = { 'Content-Type': 'application/json' };
    const init = { method: 'POST', body: JSON.stringify({ to, otp: '739164' }) };
    const reply = await passbell.fetch('/api/v1/auth/sendotp', init, { keys, headers });
    await refusals();
    expect(await list({ to })).toMatchObject([{ state: 'refused' }]);
    const row = await db('messages').where({ recipient: to }).first();
    const request_id = reply.headers.get('X-Request-Id');
    expect(row).toMatchObject({ request_id, payload: null, mask_id: null, due_at: null });
    expect(JSON.stringify(row)).not.toContain('739164');
  });

  it('is neither sent nor failed: it is not counted, has no event, and cannot be sent again', async () => {
    const customer = await startWebhookServer();
    const events = ['message.accepted', 'message.delivered', 'message.failed'];
    await passbell.post('/webhooks', { url: customer.url, events }, { keys });
    await limit({ cooldownSeconds: 30 });
    const to = freshNumber();
    await send(to);
    await send(to);
    const [{ messageId }] = (await refusals()) as [Body];
    const { data } = await passbell.get('/usage', {}, { keys });
    expect(data.usage).toMatchObject([{ sent: 1, failed: 0 }]);
    await until('an event', () => customer.calls.length > 0, advancing(passbell.clock, 250));
    expect((await passbell.get('/webhooks/recent', { event: 'message.failed' }, { keys })).data.events).toEqual([]);
    const application = (await passbell.core.applications.service.find(keys.appKey))!;
    expect(await passbell.core.messages.service.retry(OPERATOR, [application], messageId)).toBe('not failed');
    expect(customer.calls.map(({ event }) => event.event)).toEqual(['message.accepted']);
    await customer.close();
  });

  it('is sent when its Idempotency-Key is repeated after the refusal', async () => {
    await change({ settings: { countries: ['DE'] } });
    const to = freshNumber();
    const headers = { 'Idempotency-Key': `order-${to}` };
    expect(await send(to, {}, { headers })).toMatchObject({ code: 'COUNTRY_NOT_ALLOWED' });
    await refusals();
    await change({ settings: { countries: ['US'] } });
    expect(await send(to, {}, { headers })).toMatchObject({ success: true });
    expect(await list({ to })).toMatchObject([{ state: 'sent' }, { state: 'refused' }]);
  });

  it('is refused as before if it cannot be stored', async () => {
    await limit({ cooldownSeconds: 30 });
    const to = freshNumber();
    await send(to);
    await db.raw('alter table messages rename column refusal to refusal_elsewhere');
    const body = await send(to);
    expect(body).toMatchObject({ success: false, code: 'COOLDOWN', retryAfterSeconds: 30 });
    const failures = () => passbell.logged.filter((line) => line.includes('"task":"refused message"'));
    await until('the log line', () => failures().length > 0);
    await db.raw('alter table messages rename column refusal_elsewhere to refusal');
    expect(failures().join()).not.toContain(to);
    expect(await list()).toEqual([]);
  });

  it('is erased with its recipient, and deleted after 30 days', async () => {
    await change({ settings: { countries: ['DE'] } });
    const erased = freshNumber();
    const kept = freshNumber();
    await send(erased);
    await send(kept);
    await refusals(2);
    expect(await tablesWith(db, erased)).toContain('messages');
    const application = (await passbell.core.applications.service.find(keys.appKey))!;
    await passbell.core.erasure.service.erase(OPERATOR, [application], erased);
    expect(await tablesWith(db, erased)).toEqual([]);
    passbell.clock.advance(30 * DAY);
    const application_id = await applicationId();
    const isDeleted = async () => (await db('messages').where({ application_id })).length === 0;
    await until('the clean-up', isDeleted, advancing(passbell.clock, CLEANUP_INTERVAL_MS));
  });
});

describe('nothing is stored', () => {
  /** Refuses one more send, whose message shows that earlier refusals would have been stored. */
  async function expectNothingElse(): Promise<void> {
    await change({ settings: { countries: ['DE'] } });
    const last = freshNumber();
    await send(last);
    const found = await refusals();
    expect(found.map(({ refusal }) => refusal.code)).toEqual(['COUNTRY_NOT_ALLOWED']);
  }

  it('for incorrect requests, repeated notifications and other callers', async () => {
    await change({ settings: { countries: ['US'] } });
    const to = '+4915112345678';
    const codes = [
      await send('12'),
      await send('+1800200300'),
      await passbell.post('/auth/sendotp', { to, authWay: 'SMS' }, { keys: { ...keys, appSecret: 'wrong' } }),
      await passbell.post('/notifications/order', { to, templateType: 'order_lost', variables: {} }, { keys }),
    ];
    expect(codes.map(({ code }) => code)).toEqual([
      'INVALID_RECIPIENT',
      'INVALID_RECIPIENT',
      'INVALID_CREDENTIALS',
      'COUNTRY_NOT_ALLOWED',
    ]);
    await limit({ notificationRepeatSeconds: 30 });
    const known = freshNumber();
    await notify(known, { orderId: 'A-1' });
    expect(await notify(known, { orderId: 'A-1' })).toMatchObject({ code: 'DUPLICATE_NOTIFICATION' });
    await expectNothingElse();
  });

  it('for test recipients', async () => {
    const to = '+15005550006';
    await change({ settings: { testRecipients: { [to]: '246810' } }, limits: { burstPerMinute: 1 } });
    await send(to);
    expect(await send(to)).toMatchObject({ code: 'BURST_LIMIT' });
    passbell.clock.advance(MINUTE);
    await expectNothingElse();
  });
});

describe('the number of stored refusals', () => {
  const rows = async (): Promise<Body[]> => db('messages').where({ application_id: await applicationId() });
  /** Waits until the refusals that were stored are stored. The number must not grow afterwards. */
  const stored = async (number: number): Promise<void> => {
    await until(`${number} rows`, async () => (await rows()).length >= number);
    await Promise.all(passbell.cores.map(({ messages }) => messages.stop()));
    expect(await rows()).toHaveLength(number);
  };

  it('is one a minute for the same recipient and reason', async () => {
    await change({ settings: { countries: ['DE'] } });
    const to = freshNumber();
    for (let n = 0; n < 5; n++) await send(to);
    await stored(1);
    passbell.clock.advance(MINUTE + SECOND);
    await send(to);
    await stored(2);
  });

  it('is limited in an hour for each application', async () => {
    await change({ settings: { countries: ['DE'] } });
    for (let n = 0; n < MAX_STORED + 20; n += 20)
      await Promise.all(Array.from({ length: 20 }, () => send(freshNumber())));
    await stored(MAX_STORED);
    const first = keys;
    keys = await passbell.application({ ...NO_LIMITS, settings: { countries: ['DE'] } });
    await send(freshNumber());
    await stored(1);
    keys = first;
    passbell.clock.advance(HOUR);
    await send(freshNumber());
    await stored(MAX_STORED + 1);
  });
});
