/** The triggers of the Zapier app: REST hooks on the webhooks of the running service. */
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { KeyPair } from '../../backend/src/modules/applications/applications-service.js';
import { createTestClock } from '../support/clock.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { REFUSALS, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { startWebhookServer, type WebhookCall, type WebhookServer } from '../support/webhook-server.js';
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
    WEBHOOKS_ALLOW_PRIVATE: 'true',
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
  };
  // At the time of day, since the app looks at its own clock to see how old a call is.
  passbell = await startService(settings, { clock: createTestClock(Math.floor(Date.now() / 1000) * 1000) });
});
afterAll(async () => {
  await passbell.stop();
  await twilio.close();
  await zapier.close();
});
beforeEach(async () => {
  keys = await passbell.application(NO_LIMITS);
  shop = connect(passbell.url, keys);
});

interface Subscription {
  readonly id: string;
  readonly secret: string;
}
const operation = (trigger: Trigger) => App.triggers[trigger]!.operation as unknown as Record<string, object>;
const prices = ({ charge, currency }: Record<string, string>) => (charge ? { charge, currency } : {});
let zaps = 0;

/** Switches a Zap on; answers what Zapier keeps of it, and the next call that its address gets. */
async function switchOn(trigger: Trigger) {
  const path = `/hooks/${++zaps}`;
  const run = operation(trigger).performSubscribe;
  const subscribeData: Subscription = await shop.run(run, { targetUrl: `${zapier.url}${path}` });
  // Long enough that every process knows of it.
  passbell.clock.advance(1000);
  const calls = (): WebhookCall[] => zapier.calls.filter((call) => call.path === path);
  return {
    subscribeData,
    calls,
    async call(): Promise<WebhookCall> {
      while (calls().length === 0) {
        passbell.clock.advance(100);
        await pause(5);
      }
      return calls()[0]!;
    },
  };
}

/** A call as Zapier gives it to the app. */
const bundleOf = ({ headers, body }: Pick<WebhookCall, 'headers' | 'body'>, subscribeData: object): TestBundle => ({
  subscribeData: subscribeData as never,
  cleanedRequest: JSON.parse(body),
  rawRequest: {
    method: 'POST',
    headers: { 'Http-Passbell-Signature': String(headers['passbell-signature']) },
    content: body,
  },
});

/** Makes the event happen; answers what of it a Zap must see. */
const HAPPENINGS: Record<Trigger, () => Promise<object>> = {
  async message_delivered() {
    const { maskId }: Body = await shop.act('order_notification', {
      to: 'ana@example.com',
      templateType: 'order_shipped',
      orderId: 'A-1',
    });
    return { maskId, authType: 'Email', to: 'an***@example.com', template: 'order_shipped' };
  },
  async message_failed() {
    const sms = { to: freshPhone(), channel: 'SMS', reference: String(zaps) };
    twilio.answer(REFUSALS.optedOut);
    expect(await shop.refused('send_otp', sms)).toMatchObject({ name: 'AppError', code: 'SEND_FAILED' });
    twilio.answer('accept');
    return { authType: 'Sms', state: 'failed', template: 'otp' };
  },
  async otp_verified() {
    const to = 'ana@example.com';
    const { maskId }: Body = await shop.act('send_otp', { to, reference: String(zaps) });
    const { user }: Body = await shop.act('verify_otp', { maskId, otp: await passbell.codeFor(to) });
    return { maskId, userId: user.userId, channel: 'email', identityType: 'email', to: 'an***@example.com' };
  },
};

describe.each(Object.keys(HAPPENINGS) as Trigger[])('%s', (trigger) => {
  const { perform, performList, performUnsubscribe, sample } = operation(trigger);

  it('runs the Zap with the event, in the form of the sample and of the list in the editor', async () => {
    const zap = await switchOn(trigger);
    const expected = await HAPPENINGS[trigger]();
    const outputs: Body[] = await shop.run(perform, bundleOf(await zap.call(), zap.subscribeData));
    expect(outputs).toHaveLength(1);
    expect(outputs[0]).toMatchObject({ ...expected, id: expect.stringMatching(/^EVT-/) });
    expect(Math.abs(Date.parse(outputs[0].createdAt) - passbell.clock.now())).toBeLessThan(300_000);
    const kinds = (value: object) =>
      Object.fromEntries(Object.entries(value).map(([key, field]) => [key, typeof field]));
    // Not every event has a price.
    expect({ ...prices(kinds(sample!)), ...kinds(outputs[0]) }).toEqual(kinds(sample!));
    expect(await shop.run(performList)).toEqual(outputs);
  });

  it('has an empty list where nothing has happened', async () => {
    expect(await shop.run(performList)).toEqual([]);
  });

  it('takes no call that the service did not sign for this Zap in the last five minutes', async () => {
    const zap = await switchOn(trigger);
    await HAPPENINGS[trigger]();
    const { headers, body } = await zap.call();
    const good = bundleOf({ headers, body }, zap.subscribeData);
    expect(await shop.run(perform, good)).toHaveLength(1);
    const { secret } = zap.subscribeData;
    const signed = (t: number, text: string, key = secret) => ({
      'passbell-signature': `t=${t},v1=${createHmac('sha256', key).update(`${t}.${text}`).digest('hex')}`,
    });
    const now = Math.floor(Date.now() / 1000);
    const altered = body.replace('ana', 'eve').replace('"EVT-', '"EVT-0');
    expect(
      await shop.run(perform, bundleOf({ headers: signed(now - 240, body), body }, zap.subscribeData)),
    ).toHaveLength(1);
    const forged: [TestBundle, string][] = [
      [bundleOf({ headers, body: altered }, zap.subscribeData), 'another body'],
      [bundleOf({ headers: signed(now, body, 'whsec_other'), body }, zap.subscribeData), 'another secret'],
      [bundleOf({ headers: signed(now, body, ''), body }, { id: zap.subscribeData.id }), 'no secret known'],
      [bundleOf({ headers: signed(now, body, ''), body }, { id: zap.subscribeData.id, secret: '' }), 'an empty secret'],
      [bundleOf({ headers: signed(now - 301, body), body }, zap.subscribeData), 'an old one'],
      [bundleOf({ headers: signed(now + 310, body), body }, zap.subscribeData), 'one of the future'],
      [
        bundleOf({ headers: { 'passbell-signature': `t=${now},v1=${'0'.repeat(64)}` }, body }, zap.subscribeData),
        'zeros',
      ],
      [bundleOf({ headers: { 'passbell-signature': `t=${now},v1=` }, body }, zap.subscribeData), 'nothing signed'],
      [{ ...good, rawRequest: { headers: {}, content: body } }, 'no signature'],
      [{ subscribeData: zap.subscribeData, cleanedRequest: JSON.parse(body) }, 'no raw call'],
    ];
    for (const [bundle, what] of forged) {
      const failure = await shop.fails(perform, bundle);
      expect([what, failure.name]).toEqual([what, 'HaltedError']);
      expect(failure.text).not.toContain(secret);
    }
  });

  it('is told nothing more once the Zap is off, which may be said twice', async () => {
    const zap = await switchOn(trigger);
    const other = await switchOn(trigger);
    const bundle = { subscribeData: zap.subscribeData };
    expect(await shop.run(performUnsubscribe, bundle)).toEqual({});
    expect(await shop.run(performUnsubscribe, bundle)).toEqual({});
    passbell.clock.advance(2000);
    await HAPPENINGS[trigger]();
    await other.call();
    expect(zap.calls()).toEqual([]);
  });

  it('ignores another event that is signed for it', async () => {
    const zap = await switchOn(trigger);
    const body = JSON.stringify({ id: 'EVT-1', event: 'message.opened', createdTime: 1, data: {} });
    const t = Math.floor(Date.now() / 1000);
    const v1 = createHmac('sha256', zap.subscribeData.secret).update(`${t}.${body}`).digest('hex');
    const bundle = bundleOf({ headers: { 'passbell-signature': `t=${t},v1=${v1}` }, body }, zap.subscribeData);
    expect(await shop.run(perform, bundle)).toEqual([]);
  });

  it('expires the connection of a wrong pair, and says why an address is refused', async () => {
    const { performSubscribe } = operation(trigger);
    const stranger = connect(passbell.url, { ...keys, appSecret: 'sk_wrong' });
    const targetUrl = `${zapier.url}/hooks`;
    expect(await stranger.fails(performSubscribe, { targetUrl })).toMatchObject({ name: 'ExpiredAuthError' });
    expect(await stranger.fails(performList)).toMatchObject({ name: 'ExpiredAuthError' });
    expect(await shop.fails(performSubscribe, { targetUrl: 'ftp://hooks.example' })).toMatchObject({
      name: 'AppError',
      code: 'INVALID_WEBHOOK_URL',
    });
  });
});
