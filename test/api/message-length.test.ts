/**
 * The length of messages: an SMS is charged per segment, and a message that is too long is rejected before it is
 * stored.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { retryMessage } from '../support/messages.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { CALLBACK_BASE, sendStatusCallback } from '../support/twilio-callback.js';
import { startTwilioServer, TWILIO_ERRORS, type TwilioServer } from '../support/twilio-server.js';
import { storedUsage } from '../support/usage.js';
import { until } from '../support/wait.js';

const folder = mkdtempSync(join(tmpdir(), 'passbell-lengths-'));
let twilio: TwilioServer;
let passbell: TestService;
let keys: TestService['keys'];
beforeAll(async () => {
  const prices = join(folder, 'prices.json');
  writeFileSync(
    prices,
    JSON.stringify({ currency: 'usd', prices: { SMS: { '*': '0.0079' }, VOICE: { '*': '0.02' } } }),
  );
  twilio = await startTwilioServer();
  passbell = await startService({
    BASE_URL: CALLBACK_BASE,
    PRICES_FILE: prices,
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_WHATSAPP_FROM: '+14155550100',
    TWILIO_VOICE_FROM: '+14155550100',
  });
});
afterAll(async () => {
  await passbell.stop();
  await twilio.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  twilio.respondWith('accept');
  keys = await passbell.application(NO_LIMITS);
  // Closes circuit breakers that lost replies may have opened.
  passbell.clock.advance(60_000);
});

const send = (more: object = {}): Promise<Body> =>
  passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS', ...more }, { keys });
const notify = (variables: object, more: object = {}): Promise<Body> =>
  passbell.post(
    '/notifications/order',
    {
      to: freshPhone(),
      authWay: 'SMS',
      templateType: 'order_update',
      variables: { orderId: '7', ...variables },
      ...more,
    },
    { keys },
  );
const usage = () => storedUsage(passbell, keys.appKey, { from: '2027-01-15', to: '2027-01-15' }, ['channel']);
const chargeOf = async ({ data }: Body) =>
  (await passbell.get(`/messages/${data.results[0].messageId}`, {}, { keys })).data.charge;

/** Returns the number of stored messages of the application. */
async function storedMessages(): Promise<number> {
  const { id } = await passbell.core.applications.service.load(keys.appKey);
  const db = passbell.openDatabase();
  const rows = await db('messages').where({ application_id: id });
  await db.destroy();
  return rows.length;
}

/** Stores a custom SMS text for codes. */
async function useText(text: string): Promise<void> {
  const application = await passbell.core.applications.service.load(keys.appKey);
  const key = { template: 'otp', channel: 'SMS', language: 'en' } as const;
  await passbell.core.templates.service.save(OPERATOR, application, { ...key, subject: null, text });
}

describe('the charge for an SMS', () => {
  it.each([
    ['one segment', `{{ code }}${'x'.repeat(154)}`, '0.0079', 79n],
    ['two segments', `{{ code }}${'x'.repeat(155)}`, '0.0158', 158n],
    ['two segments because of a character that counts twice', `{{ code }}${'x'.repeat(153)}€`, '0.0158', 158n],
    ['three segments', `{{ code }}${'x'.repeat(301)}`, '0.0237', 237n],
    ['one Unicode segment', `{{ code }}${'ж'.repeat(64)}`, '0.0079', 79n],
    ['two Unicode segments', `{{ code }}${'ж'.repeat(65)}`, '0.0158', 158n],
  ])('is the price per segment times the number of segments: %s', async (_what, text, charge, cost) => {
    await useText(text);
    const body = await send();
    expect(body.data.results).toMatchObject([{ success: true, charge, currency: 'usd' }]);
    expect(await chargeOf(body)).toBe(charge);
    expect(await usage()).toMatchObject([{ channel: 'SMS', sent: 1, cost }]);
  });

  it('depends on the text with its variables filled in', async () => {
    expect((await notify({ status: 'packed' })).data.results).toMatchObject([{ charge: '0.0079' }]);
    expect((await notify({ updateMessage: 'x'.repeat(300) })).data.results).toMatchObject([{ charge: '0.0237' }]);
    expect(await usage()).toMatchObject([{ sent: 2, cost: 316n }]);
  });

  it('is the same if the reply was lost and a delivery report confirms the send', async () => {
    await useText(`{{ code }}${'x'.repeat(155)}`);
    twilio.respondWith('reset');
    const body = await send();
    expect(body).toMatchObject({ success: false });
    const sid = `SM${randomBytes(16).toString('hex')}`;
    const { messageId } = body.data.results[0];
    const report = { MessageSid: sid, MessageStatus: 'delivered' };
    await sendStatusCallback(passbell, messageId, report, { authToken: twilio.authToken });
    expect(await chargeOf(body)).toBe('0.0158');
    expect(await usage()).toMatchObject([{ sent: 1, failed: 0, delivered: 1, cost: 158n }]);
  });

  it('is the same for a retried message', async () => {
    await useText(`{{ code }}${'x'.repeat(155)}`);
    twilio.respondWith(TWILIO_ERRORS.optedOut);
    const body = await send();
    twilio.respondWith('accept');
    expect(await retryMessage(passbell, body.data.results[0].messageId)).toBe('retried');
    passbell.clock.advance(1000);
    await until('the retry', async () => (await usage())[0]!.sent > 0);
    expect(await usage()).toMatchObject([{ sent: 1, failed: 1, cost: 158n }]);
  });
});

it('a call has a fixed price, regardless of its length', async () => {
  const body = await notify({ updateMessage: 'x'.repeat(400) }, { authWay: 'VOICE' });
  expect(body.data.results).toMatchObject([{ success: true, authType: 'Voice', charge: '0.0200' }]);
});

describe('a message that is too long', () => {
  const link = `https://shop.example/${'x'.repeat(950)}`;
  const links = { orderDetailsLink: link, trackingLink: link, supportLink: link };

  it.each([
    ['SMS', { status: 'packed', ...links }, '20 SMS long, and at most 15 are allowed'],
    ['SMS', { updateMessage: 'ж'.repeat(500), supportLink: link }, '23 SMS long, and at most 15 are allowed'],
    [
      'VOICE',
      {
        updateMessage: 'x'.repeat(500),
        failureReason: 'x'.repeat(300),
        cancelReason: 'x'.repeat(300),
        status: 'x'.repeat(200),
        orderTotal: 'x'.repeat(64),
        paymentMethod: 'x'.repeat(100),
      },
      'a call reads at most 1500',
    ],
  ])('is rejected for the channel %s before it is stored', async (authWay, variables, text) => {
    const count = twilio.requests.length;
    expect(await notify(variables, { authWay })).toMatchObject({
      success: false,
      code: 'INVALID_PARAMETER',
      message: expect.stringMatching(new RegExp(`^variables: the message would be .*${text}$`)),
    });
    expect(await storedMessages()).toBe(0);
    expect(await usage()).toEqual([]);
    expect(twilio.requests).toHaveLength(count);
  });

  it('is rejected if it is too long for one of the channels it may use, and accepted on channels without a limit', async () => {
    const rejected = await notify({ status: 'packed', ...links }, { authWay: undefined });
    expect(rejected).toMatchObject({ code: 'INVALID_PARAMETER' });
    expect(await notify({ status: 'packed', ...links }, { authWay: 'WHATSAPP' })).toMatchObject({ success: true });
  });

  it("is replaced by the built-in text if only the application's own text is too long", async () => {
    const application = await passbell.core.applications.service.load(keys.appKey);
    const key = { template: 'order_update', channel: 'SMS', language: 'en' } as const;
    const text = '{{ updateMessage }}'.repeat(8);
    await passbell.core.templates.service.save(OPERATOR, application, { ...key, subject: null, text });
    const body = await notify({ updateMessage: 'x'.repeat(400) });
    expect(body.data.results).toMatchObject([{ success: true, charge: '0.0237' }]);
    expect(twilio.requests.at(-1)!.form.Body).toMatch(/^Another Shop: .*x{400}/);
  });

  it("cannot be saved as the application's own text", async () => {
    await expect(useText(`{{ code }}${'x'.repeat(15 * 153)}`)).rejects.toThrow(
      'the text is 16 SMS long, and at most 15 are allowed',
    );
    await useText(`{{ code }}${'x'.repeat(15 * 153 - 6)}`);
    expect((await send()).data.results).toMatchObject([{ success: true, charge: '0.1185' }]);
  });
});
