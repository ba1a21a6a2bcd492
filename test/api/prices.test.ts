/** Prices of sends by channel and country, and the recorded usage. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applierOf, retryMessage } from '../support/messages.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';
import { storedUsage } from '../support/usage.js';
import { TWILIO_ERRORS, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { until } from '../support/wait.js';

const folder = mkdtempSync(join(tmpdir(), 'passbell-prices-'));
let twilio: TwilioServer;
let smtp: TestSmtpServer;
let passbell: TestService;
let keys: TestService['keys'];

/** Prices whose sums are inexact in binary floating point. */
const PRICES = { SMS: { US: 0.1, DE: '0.0755', '*': '0.2' }, WHATSAPP: { '*': '0.0147' }, EMAIL: { '*': '0.0001' } };

function priceFile(prices: object, currency: string): string {
  const file = join(folder, `${currency}.json`);
  writeFileSync(file, JSON.stringify({ currency, prices }));
  return file;
}

beforeAll(async () => {
  [twilio, smtp] = await Promise.all([startTwilioServer(), startSmtpServer()]);
  passbell = await startService({
    PRICES_FILE: priceFile(PRICES, 'EUR'),
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_WHATSAPP_FROM: '+14155550100',
    SMTP_URL: smtp.url,
    MAIL_FROM: 'codes@shop.example',
  });
});
afterAll(async () => {
  await passbell.stop();
  await Promise.all([twilio.close(), smtp.close()]);
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  twilio.respondWith('accept');
  smtp.respondWith({});
  keys = await passbell.application(NO_LIMITS);
});

const send = (to: string, parameters: object = {}): Promise<Body> =>
  passbell.post('/auth/sendotp', { to, ...parameters }, { keys });

/** Returns the stored usage of the test application. Costs are in ten-thousandths of the currency unit. */
const usage = (): Promise<Body[]> =>
  storedUsage(passbell, keys.appKey, { from: '2027-01-15', to: '2027-01-15' }, ['channel', 'country']);

const NO_USAGE = { sent: 0, delivered: 0, undelivered: 0, failed: 0, codes: 0, verified: 0, cost: 0n };

it.each([
  ['+14155550142', 'SMS', '0.1000', 'US', 1000n],
  ['+4917612345678', 'SMS', '0.0755', 'DE', 755n],
  ['+33612345678', 'SMS', '0.2000', 'FR', 2000n],
  ['+33612345678', 'WHATSAPP', '0.0147', 'FR', 147n],
  ['ana@example.com', 'EMAIL', '0.0001', '', 1n],
])('a message to %s over %s costs %s', async (to, authWay, charge, country, cost) => {
  const body = await send(to, { authWay });
  expect(body.data.results).toMatchObject([{ success: true, charge, currency: 'eur' }]);
  const { messageId } = body.data.results[0];
  expect((await passbell.get(`/messages/${messageId}`, {}, { keys })).data).toMatchObject({ charge, currency: 'eur' });
  expect(await usage()).toEqual([{ ...NO_USAGE, channel: authWay, country, currency: 'eur', sent: 1, cost }]);
});

it('does not charge or count a message in the dev inbox', async () => {
  // VOICE has no provider, so the call goes to the dev inbox.
  const { data } = await send('+14155550142', { authWay: 'VOICE' });
  expect(data.results).toMatchObject([{ success: true, charge: '0.0000', currency: 'eur' }]);
  expect(await usage()).toEqual([]);
});

it('charges only for messages that a provider accepted', async () => {
  twilio.respondWith(({ form }) => (form['To']!.startsWith('whatsapp:') ? 'accept' : TWILIO_ERRORS.invalidNumber));
  const { data } = await send('+14155550142');
  expect(data.results).toMatchObject([
    { success: true, authType: 'WHATSAPP', charge: '0.0147' },
    { success: false, authType: 'Sms', charge: '0.0000', currency: 'eur' },
  ]);
  expect(await usage()).toMatchObject([{ channel: 'WHATSAPP', sent: 1, failed: 0, cost: 147n }]);
});

it('does not charge for an email that bounces immediately, and counts it as failed', async () => {
  smtp.respondWith({ recipient: 550 });
  const { data } = await send(freshMail());
  expect(data.results).toMatchObject([{ success: false, charge: '0.0000', currency: 'eur' }]);
  expect(await usage()).toEqual([{ ...NO_USAGE, channel: 'EMAIL', country: '', currency: 'eur', failed: 1 }]);
});

it('neither charges nor counts a send to a test recipient', async () => {
  await passbell.core.applications.service.update(OPERATOR, keys.appKey, {
    settings: { testRecipients: { '+14155550142': '123456' } },
  });
  passbell.clock.advance(2000);
  expect((await send('+14155550142')).data.results).toMatchObject([{ charge: '0.0000', currency: 'eur' }]);
  expect(await usage()).toEqual([]);
});

it('returns the same price for the same Idempotency-Key, and charges once', async () => {
  const options = { keys, headers: { 'Idempotency-Key': 'once' } };
  const parameters = { to: freshPhone(), authWay: 'SMS' };
  const first = await passbell.post('/auth/sendotp', parameters, options);
  expect(await passbell.post('/auth/sendotp', parameters, options)).toEqual(first);
  expect(await usage()).toMatchObject([{ sent: 1, cost: 1000n }]);
});

it('stores an exact total for parallel sends on every process', async () => {
  const bodies = await Promise.all(Array.from({ length: 60 }, () => send(freshPhone(), { authWay: 'SMS' })));
  expect(bodies.every(({ success }) => success)).toBe(true);
  // The reply must contain the price, even before the worker in another process has reported the final state.
  for (const { data } of bodies) expect(data.results[0].charge).toBe('0.1000');
  expect(await usage()).toEqual([
    { ...NO_USAGE, channel: 'SMS', country: 'US', currency: 'eur', sent: 60, cost: 60_000n },
  ]);
});

it('counts a message once, even if its final state is stored repeatedly', async () => {
  const { messageId: id } = (await send('+14155550142', { authWay: 'SMS' })).data.results[0];
  const before = await usage();
  const price = { charge: '0.1000', currency: 'eur', country: 'US' };
  const end = { id, type: 'accepted', claim: null, providerId: 'SM1', startedAt: 0, price } as const;
  const db = passbell.openDatabase();
  try {
    const { apply } = applierOf(db, passbell.clock);
    await Promise.all([apply(end), apply(end)]);
    expect(await usage()).toEqual(before);
    await db('messages').where({ id }).update({ state: 'sending' });
    await Promise.all([apply(end), apply(end), applierOf(db, passbell.clock).apply(end)]);
  } finally {
    await db.destroy();
  }
  expect(await usage()).toMatchObject([{ sent: 2, cost: 2000n }]);
});

it('counts a failure, and then the success of its manual retry', async () => {
  twilio.respondWith(TWILIO_ERRORS.optedOut);
  const { data } = await send('+14155550142', { authWay: 'SMS' });
  expect(await usage()).toMatchObject([{ sent: 0, failed: 1, cost: 0n }]);
  twilio.respondWith('accept');
  const count = twilio.requests.length;
  expect(await retryMessage(passbell, data.results[0].messageId)).toBe('retried');
  passbell.clock.advance(1000);
  await twilio.waitForRequest(count + 1);
  await until('the usage record of the retry', async () => (await usage())[0]!.sent > 0);
  expect(await usage()).toMatchObject([{ sent: 1, failed: 1, cost: 1000n }]);
});

it('stores the price when the provider accepts a message: later price changes have no effect', async () => {
  const options = { keys, headers: { 'Idempotency-Key': 'dear' } };
  const parameters = { to: freshPhone(), authWay: 'SMS' };
  const first = await passbell.post('/auth/sendotp', parameters, options);
  passbell = await passbell.restart({ PRICES_FILE: priceFile({ SMS: { '*': '9' } }, 'GBP') });
  const { messageId } = first.data.results[0];
  const { data } = await passbell.get(`/messages/${messageId}`, {}, { keys });
  expect(data).toMatchObject({ charge: '0.1000', currency: 'eur' });
  expect(await passbell.post('/auth/sendotp', parameters, options)).toEqual(first);
  expect((await send(freshPhone(), { authWay: 'SMS' })).data.results).toMatchObject([
    { charge: '9.0000', currency: 'gbp' },
  ]);
  expect(await usage()).toMatchObject([
    { currency: 'eur', sent: 1, cost: 1000n },
    { currency: 'gbp', sent: 1, cost: 90_000n },
  ]);
});
