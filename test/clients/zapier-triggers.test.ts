/** The triggers of the Zapier app: REST hooks that use the webhooks of the running service. */
import { createHmac } from 'node:crypto';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { DAY } from '../../backend/src/platform/clock.js';
import { createTestClock } from '../support/clock.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { CALLBACK_BASE, sendStatusCallback } from '../support/twilio-callback.js';
import { TWILIO_ERRORS, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { startWebhookServer, type WebhookCall, type WebhookServer } from '../support/webhook-server.js';
import { advancing, until } from '../support/wait.js';
import { App, connect, type TestBundle, type Trigger } from '../support/zapier.js';

let twilio: TwilioServer;
let zapier: WebhookServer;
let passbell: TestService;
let keys: KeyPair;
let shop: ReturnType<typeof connect>;

beforeAll(async () => {
  twilio = await startTwilioServer();
  zapier = await startWebhookServer();
  const settings = {
    BASE_URL: CALLBACK_BASE,
    WEBHOOKS_ALLOW_PRIVATE: 'true',
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
  };
  // Signatures must match the machine's clock, which the app uses to check how old a call is.
  passbell = await startService(settings, { clock: createTestClock(Math.floor(Date.now() / 1000) * 1000) });
});
afterAll(async () => {
  await passbell.stop();
  await twilio.close();
  await zapier.close();
});
beforeEach(async () => {
  keys = await passbell.application({ limits: { ...NO_LIMITS.limits, wrongCodesPerLock: 5 } });
  shop = connect(passbell.url, keys);
});

interface Subscription {
  readonly id: string;
  readonly secret: string;
}
const operation = (trigger: Trigger) => App.triggers[trigger]!.operation as unknown as Record<string, object>;
const prices = ({ charge, currency }: Record<string, string>) => (charge ? { charge, currency } : {});
let zaps = 0;

/** Turns a Zap on; returns its subscription data and the calls to its URL. */
async function turnOn(trigger: Trigger) {
  const path = `/hooks/${++zaps}`;
  const run = operation(trigger).performSubscribe;
  const subscribeData: Subscription = await shop.run(run, { targetUrl: `${zapier.url}${path}` });
  // Makes the subscription visible to every process.
  passbell.clock.advance(1000);
  const calls = (): WebhookCall[] => zapier.calls.filter((call) => call.path === path);
  return {
    subscribeData,
    calls,
    call: () => until(`a call to ${path}`, () => calls()[0], advancing(passbell.clock, 25)),
  };
}

/** A webhook call as Zapier passes it to the app. */
const bundleOf = ({ headers, body }: Pick<WebhookCall, 'headers' | 'body'>, subscribeData: object): TestBundle => ({
  subscribeData: subscribeData as never,
  cleanedRequest: JSON.parse(body),
  rawRequest: {
    method: 'POST',
    headers: { 'Http-Passbell-Signature': String(headers['passbell-signature']) },
    content: body,
  },
});

/** Triggers each event; returns the data that a Zap must receive. */
const EVENTS: Record<Trigger, () => Promise<object>> = {
  async message_accepted() {
    const { maskId }: Body = await shop.act('order_notification', {
      to: 'ana@example.com',
      templateType: 'order_shipped',
      orderId: 'A-1',
      reference: 'A-1001',
    });
    const message = { maskId, authType: 'Email', to: 'an***@example.com', template: 'order_shipped' };
    return { ...message, reference: 'A-1001' };
  },
  async message_delivered() {
    const sid = `SM${'7'.repeat(32)}`;
    twilio.respondWith({ status: 201, body: { sid } });
    const message = { to: freshPhone(), channel: 'SMS', templateType: 'order_shipped', orderId: 'A-1' };
    const inputs = { ...message, reference: 'A-1001' };
    const { maskId, messageId }: Body = await shop.act('order_notification', inputs);
    twilio.respondWith('accept');
    const report = { MessageSid: sid, MessageStatus: 'delivered' };
    await sendStatusCallback(passbell, messageId, report, { authToken: twilio.authToken });
    return { maskId, authType: 'Sms', state: 'delivered', template: 'order_shipped' };
  },
  async message_failed() {
    const sms = { to: freshPhone(), channel: 'SMS', reference: String(zaps) };
    twilio.respondWith(TWILIO_ERRORS.optedOut);
    expect(await shop.actError('send_otp', sms)).toMatchObject({ name: 'AppError', code: 'SEND_FAILED' });
    twilio.respondWith('accept');
    return { authType: 'Sms', state: 'failed', template: 'otp' };
  },
  async otp_verified() {
    const to = 'ana@example.com';
    const { maskId }: Body = await shop.act('send_otp', { to, reference: String(zaps) });
    const { user }: Body = await shop.act('verify_otp', { maskId, otp: await passbell.codeFor(to) });
    return { maskId, userId: user.userId, channel: 'email', identityType: 'email', to: 'an***@example.com' };
  },
  async otp_locked() {
    const { maskId }: Body = await shop.act('send_otp', { to: 'ana@example.com', reference: String(zaps) });
    for (let n = 0; n < 5; n++) await passbell.post('/auth/verifyotp', { maskId, otp: `wrong${n}` }, { keys });
    return { maskId, channel: 'email', identityType: 'email', to: 'an***@example.com' };
  },
  async otp_canceled() {
    const { maskId }: Body = await shop.act('send_otp', { to: 'ana@example.com', reference: String(zaps) });
    await passbell.fetch(`/api/v1/auth/otp/${maskId}`, { method: 'DELETE' }, { keys });
    return { maskId, channel: 'email', identityType: 'email', to: 'an***@example.com' };
  },
  async fraud_paused() {
    await pausePrefix();
    return { appKey: keys.appKey, scope: 'prefix', key: '+1415200', rule: 'prefix', level: 1, isChallenged: false };
  },
  async fraud_refused() {
    const application = await passbell.core.applications.service.load(keys.appKey);
    await passbell.core.fraud.pauses.act(OPERATOR, application, { scope: 'country', key: 'US' }, 'pause');
    // Lets every process load the pause.
    passbell.clock.advance(2000);
    for (let n = 10; n < 16; n++)
      expect(await passbell.post('/auth/sendotp', { to: `+141520010${n}` }, { keys })).toMatchObject({
        code: 'FRAUD_SUSPECTED',
      });
    return { appKey: keys.appKey, messages: 6, people: 6 };
  },
  async recipient_opted_out() {
    await decide(true);
    return { appKey: keys.appKey, authType: 'Email', to: 'an***@example.com', source: 'unsubscribe' };
  },
  async recipient_opted_in() {
    await decide(true);
    await decide(false);
    return { appKey: keys.appKey, authType: 'Email', to: 'an***@example.com', source: 'unsubscribe' };
  },
};

/** Stops or allows notifications with the unsubscribe link of an email. */
async function decide(optedOut: boolean): Promise<void> {
  const { id: applicationId } = await passbell.core.applications.service.load(keys.appKey);
  await passbell.core.suppressions.optOuts.decideByLink({ applicationId, address: 'ana@example.com' }, optedOut);
}

/** Makes a conversion of 70% usual, and sends codes that are not verified, which pauses their prefix. */
async function pausePrefix(): Promise<void> {
  const db = passbell.openDatabase();
  const { id } = await db('applications').where({ app_key: keys.appKey }).first();
  const day = Math.floor(passbell.clock.now() / DAY) * DAY - DAY;
  await db('fraud_days').insert({ application_id: id, country: 'US', day, sent: 1000, verified: 700 });
  await db.destroy();
  const send = (n: number) => passbell.post('/auth/sendotp', { to: `+141520010${n}` }, { keys });
  await Promise.all(Array.from({ length: 10 }, (_, n) => send(10 + n)));
  expect(await send(50)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
}

describe.each(Object.keys(EVENTS) as Trigger[])('%s', (trigger) => {
  const { perform, performList, performUnsubscribe, sample } = operation(trigger);

  it('runs the Zap with the event, in the format of the sample and of the list in the editor', async () => {
    const zap = await turnOn(trigger);
    const expected = await EVENTS[trigger]();
    const outputs: Body[] = await shop.run(perform, bundleOf(await zap.call(), zap.subscribeData));
    expect(outputs).toHaveLength(1);
    expect(outputs[0]).toMatchObject({ ...expected, id: expect.stringMatching(/^EVT-/) });
    expect(Math.abs(Date.parse(outputs[0].createdAt) - passbell.clock.now())).toBeLessThan(300_000);
    const types = (value: object) =>
      Object.fromEntries(Object.entries(value).map(([key, field]) => [key, typeof field]));
    // Some message events have no price.
    expect({ ...prices(types(sample!)), ...types(outputs[0]) }).toEqual(types(sample!));
    expect(await shop.run(performList)).toEqual(outputs);
  });

  it('lists nothing in the editor before the first event', async () => {
    expect(await shop.run(performList)).toEqual([]);
  });

  it('rejects calls that the service did not sign for this Zap in the last day', async () => {
    const zap = await turnOn(trigger);
    await EVENTS[trigger]();
    const { headers, body } = await zap.call();
    const valid = bundleOf({ headers, body }, zap.subscribeData);
    expect(await shop.run(perform, valid)).toHaveLength(1);
    const { secret } = zap.subscribeData;
    const signed = (t: number, text: string, key = secret) => ({
      'passbell-signature': `t=${t},v1=${createHmac('sha256', key).update(`${t}.${text}`).digest('hex')}`,
    });
    const now = Math.floor(Date.now() / 1000);
    const altered = body.replace('"EVT-', '"EVT-0');
    expect(
      await shop.run(perform, bundleOf({ headers: signed(now - 240, body), body }, zap.subscribeData)),
    ).toHaveLength(1);
    // Zapier may deliver an event late. The event is accepted once.
    const delayed = bundleOf({ headers: signed(now - 86_000, body), body }, zap.subscribeData);
    expect(await shop.run(perform, delayed)).toHaveLength(1);
    expect(await shop.run(perform, delayed)).toEqual([]);
    const forged: [TestBundle, string][] = [
      [bundleOf({ headers, body: altered }, zap.subscribeData), 'another body'],
      [bundleOf({ headers: signed(now, body, 'whsec_other'), body }, zap.subscribeData), 'another secret'],
      [bundleOf({ headers: signed(now, body, ''), body }, { id: zap.subscribeData.id }), 'no secret known'],
      [bundleOf({ headers: signed(now, body, ''), body }, { id: zap.subscribeData.id, secret: '' }), 'an empty secret'],
      [bundleOf({ headers: signed(now - 86_500, body), body }, zap.subscribeData), 'an old signature'],
      [bundleOf({ headers: signed(now + 600, body), body }, zap.subscribeData), 'a signature in the future'],
      [
        bundleOf({ headers: { 'passbell-signature': `t=${now},v1=${'0'.repeat(64)}` }, body }, zap.subscribeData),
        'zeros',
      ],
      [bundleOf({ headers: { 'passbell-signature': `t=${now},v1=` }, body }, zap.subscribeData), 'nothing signed'],
      [{ ...valid, rawRequest: { headers: {}, content: body } }, 'no signature'],
      [{ subscribeData: zap.subscribeData, cleanedRequest: JSON.parse(body) }, 'no raw call'],
    ];
    for (const [bundle, name] of forged) {
      const failure = await shop.runError(perform, bundle);
      expect([name, failure.name]).toEqual([name, 'HaltedError']);
      expect(failure.text).not.toContain(secret);
    }
  });

  it('receives no calls once the Zap is off; turning the Zap off twice succeeds', async () => {
    const zap = await turnOn(trigger);
    const other = await turnOn(trigger);
    const bundle = { subscribeData: zap.subscribeData };
    expect(await shop.run(performUnsubscribe, bundle)).toEqual({});
    expect(await shop.run(performUnsubscribe, bundle)).toEqual({});
    passbell.clock.advance(2000);
    await EVENTS[trigger]();
    await other.call();
    expect(zap.calls()).toEqual([]);
  });

  it('ignores a signed call with another event', async () => {
    const zap = await turnOn(trigger);
    const body = JSON.stringify({ id: 'EVT-1', event: 'message.opened', createdTime: 1, data: {} });
    const t = Math.floor(Date.now() / 1000);
    const v1 = createHmac('sha256', zap.subscribeData.secret).update(`${t}.${body}`).digest('hex');
    const bundle = bundleOf({ headers: { 'passbell-signature': `t=${t},v1=${v1}` }, body }, zap.subscribeData);
    expect(await shop.run(perform, bundle)).toEqual([]);
  });

  it('expires the connection for wrong credentials, and reports why a URL is rejected', async () => {
    const { performSubscribe } = operation(trigger);
    // Keeps the wrong credentials of all triggers below the limit for a minute.
    passbell.clock.advance(20_000);
    const anonymous = connect(passbell.url, { ...keys, appSecret: 'sk_wrong' });
    const targetUrl = `${zapier.url}/hooks`;
    expect(await anonymous.runError(performSubscribe, { targetUrl })).toMatchObject({ name: 'ExpiredAuthError' });
    expect(await anonymous.runError(performList)).toMatchObject({ name: 'ExpiredAuthError' });
    expect(await shop.runError(performSubscribe, { targetUrl: 'ftp://hooks.example' })).toMatchObject({
      name: 'AppError',
      code: 'INVALID_WEBHOOK_URL',
    });
  });
});

it('a trigger with filters runs only for matching events, and lists only these', async () => {
  const { perform, performList } = operation('message_accepted');
  const zap = await turnOn('message_accepted');
  await EVENTS.message_accepted();
  const bundle = bundleOf(await zap.call(), zap.subscribeData);
  for (const [inputData, count] of [
    [{ channel: 'EMAIL', template: 'order_shipped' }, 1],
    [{ channel: 'SMS' }, 0],
    [{ template: 'otp' }, 0],
  ] as [Body, number][]) {
    expect(await shop.run(perform, { ...bundle, inputData })).toHaveLength(count);
    expect(await shop.run(performList, { inputData })).toHaveLength(count);
  }
});
