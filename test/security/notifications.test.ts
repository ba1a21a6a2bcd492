/** Order notifications cannot be used to send any number of paid messages to any number. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import type { ApplicationChange } from '../../backend/src/modules/applications/application-change.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { signIn } from '../support/dashboard.js';
import { numbers, SEEN_MS, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { scaled } from '../support/members.js';
import { type Body } from '../support/service.js';
import { freshOrder, wooOrder, wooRequest } from '../support/shop-events.js';
import { createShops, type Shop } from '../support/shops.js';
import { TWILIO_ERRORS } from '../support/twilio-server.js';
import { advancing, until } from '../support/wait.js';

const VOICE = { TWILIO_VOICE_FROM: '+12125550100' };
/** The sender is in the United States, and no country is listed. */
const LITHUANIAN = '+370612345';
const AMERICAN = '+1415556';
/** The steps of an ordinary order. */
const STEPS = ['order_placed', 'order_confirmed', 'order_shipped', 'order_out_for_delivery', 'order_delivered'];

let service: GuardedService;
let free: GuardedService;
beforeAll(async () => {
  service = await startGuardedService(VOICE, { '*': '1' });
  free = await startGuardedService(VOICE);
});
afterAll(async () => {
  await service.close();
  await free.close();
});
beforeEach(async () => {
  await service.useNewApplication();
  await free.useNewApplication();
});

let orders = 0;
const notification = (to: string, more: object = {}) => ({
  to,
  templateType: 'order_placed',
  variables: { orderId: `A-${++orders}` },
  ...more,
});

interface Notify {
  readonly from?: GuardedService;
  readonly keys?: KeyPair;
}

function notify(to: string, more: object = {}, { from = service, keys = from.keys }: Notify = {}): Promise<Body> {
  return from.passbell.post('/notifications/order', notification(to, more), { keys });
}

/** Sends one by one, slowly enough for the burst limits and for all processes to see the earlier counts. */
async function notifyAll(all: readonly string[], more: object = {}, options: Notify = {}): Promise<Body[]> {
  const { passbell } = options.from ?? service;
  const replies: Body[] = [];
  for (const to of all) {
    replies.push(await notify(to, more, options));
    passbell.clock.advance(SEEN_MS);
  }
  return replies;
}

const repeated = (to: string, times: number): string[] => Array.from({ length: times }, () => to);
const sent = (replies: readonly Body[]): number => replies.filter(({ success }) => success).length;
const refused = (replies: readonly Body[], code: string): Body[] => replies.filter((reply) => reply.code === code);
const change = ({ passbell, keys }: GuardedService, settings: ApplicationChange) =>
  passbell.core.applications.service.update(OPERATOR, keys.appKey, settings);
describe('an attacker who places orders', () => {
  it.each([
    ['with prices', () => service],
    ['without prices', () => free],
  ])('gets 20 messages, and two more an hour, to new numbers in a country that is not listed, %s', async (_, of) => {
    const from = of();
    const keys = await from.passbell.application();
    const first = await notifyAll(numbers(LITHUANIAN, 40), {}, { from, keys });
    expect(sent(first)).toBe(20);
    const [refusal] = refused(first, 'FRAUD_SUSPECTED');
    expect(refusal.retryAfterSeconds).toBeGreaterThan(1600);
    expect(refusal.retryAfterSeconds).toBeLessThanOrEqual(1800);
    expect(refusal.hint).toContain('add it to the countries that you serve');
    expect(from.twilio.requests).toHaveLength(20);

    for (let hour = 0; hour < 5; hour++) {
      from.passbell.clock.advance(HOUR);
      await notifyAll(numbers(LITHUANIAN, 12, 50), { variables: { orderId: `H-${hour}` } }, { from, keys });
    }
    expect(from.twilio.requests).toHaveLength(30);
  });

  it('gets no more messages by sending them at the same time', async () => {
    const replies = await Promise.all(numbers(LITHUANIAN, 60).map((to) => notify(to)));
    // Each of two processes loads the counts of the other one only every two seconds.
    expect(sent(replies)).toBeGreaterThanOrEqual(20);
    expect(sent(replies)).toBeLessThanOrEqual(scaled ? 40 : 20);
    expect(refused(replies, 'FRAUD_SUSPECTED')).toHaveLength(60 - sent(replies));
  });

  it('gets at most 40 messages to all countries that are not listed together', async () => {
    const countries = [LITHUANIAN, '+485123456', '+4474001234', '+3934712345', '+336123456'];
    const replies = await notifyAll(countries.flatMap((prefix) => numbers(prefix, 10)));
    expect(sent(replies)).toBe(40);
    expect(refused(replies, 'FRAUD_SUSPECTED')).toHaveLength(10);
  });

  it('gets no calls to a country that is not listed', async () => {
    const calls = await notifyAll(numbers(LITHUANIAN, 8), { authWay: 'VOICE' });
    expect(refused(calls, 'FRAUD_SUSPECTED')).toHaveLength(8);
    expect(calls[0].hint).toContain('get voice calls only in');

    // A call is not the second choice for a failed SMS either.
    await change(service, { settings: { channels: ['SMS', 'VOICE'] } });
    service.twilio.respondWith(TWILIO_ERRORS.invalidNumber);
    await notify(numbers(LITHUANIAN, 1)[0]!);
    expect(service.twilio.requests.filter(({ path }) => path.includes('/Calls'))).toEqual([]);
  });

  it('gets 20 messages a day to one number, and three in ten minutes with one template', async () => {
    const keys = await service.passbell.application();
    const to = `${AMERICAN}1234`;
    const replies = await notifyAll(repeated(to, 90), {}, { keys });
    expect(sent(replies)).toBe(3);
    const [refusal] = refused(replies, 'NOTIFICATION_LIMIT');
    expect(refusal.hint).toContain('one recipient in 10 minutes');
    expect(refusal.retryAfterSeconds).toBeLessThanOrEqual(600);
    service.passbell.clock.advance(refusal.retryAfterSeconds * SECOND);
    for (let round = 0; round < 8; round++) {
      for (const templateType of STEPS)
        replies.push(...(await notifyAll([to], { templateType, variables: variablesOf(templateType) }, { keys })));
      service.passbell.clock.advance(10 * MINUTE);
    }
    expect(sent(replies)).toBe(20);
    expect(replies.at(-1).hint).toContain('one recipient in 24 hours');
    expect(service.twilio.requests).toHaveLength(20);

    service.passbell.clock.advance(DAY);
    expect(await notify(to, {}, { keys })).toMatchObject({ success: true });
  });

  it('gets three messages when all orders arrive at the same time', async () => {
    const keys = await free.passbell.application({ limits: { burstPerSecond: 0, burstPerMinute: 0 } });
    const replies = await Promise.all(
      repeated(`${AMERICAN}1234`, 40).map((to) => notify(to, {}, { from: free, keys })),
    );
    expect(sent(replies)).toBe(3);
    expect(refused(replies, 'NOTIFICATION_LIMIT')).toHaveLength(37);
    expect(free.twilio.requests).toHaveLength(3);
  });

  it('gets no more messages by writing the address of one mailbox in different ways', async () => {
    const keys = await free.passbell.application();
    const replies = await notifyAll(
      ['vic@gmail.com', 'v.ic@gmail.com', 'VIC@gmail.com', 'vic+1@googlemail.com', 'vic+2@gmail.com'],
      {},
      { from: free, keys },
    );
    expect(sent(replies)).toBe(3);
  });

  it('cannot send more than the daily number of phone notifications, to however many numbers', async () => {
    await change(free, { limits: { phoneNotificationsPerDay: 15 } });
    const replies = await Promise.all(numbers(`${AMERICAN}22`, 40).map((to) => notify(to, {}, { from: free })));
    expect(sent(replies)).toBe(15);
    const [refusal] = refused(replies, 'NOTIFICATION_LIMIT');
    expect(refusal.hint).toContain('per day, whole application');
    expect(refusal.retryAfterSeconds).toBe(Math.ceil((DAY - (free.passbell.clock.now() % DAY)) / SECOND));
    // Codes and emails are still sent.
    expect(await free.send(`${AMERICAN}9999`)).toMatchObject({ success: true });
    expect(await notify('ana@example.com', {}, { from: free })).toMatchObject({ success: true });
  });

  it('gets three messages for 30 orders in a shop, whose log shows why the others were not sent', async () => {
    const { passbell } = free;
    const keys = await passbell.application({ limits: { burstPerSecond: 0, burstPerMinute: 0 } });
    const owner = await signIn(passbell);
    const shops = createShops(passbell, owner);
    const shop = await shops.connect(keys, 'woocommerce');
    await shops.automate(shop, 'created');
    for (let n = 0; n < 30; n++) {
      const billing = { first_name: 'Vic', country: 'US', phone: `${AMERICAN}7777` };
      const order = wooOrder(freshOrder(), passbell.clock.now(), { billing });
      expect(await shops.post(shop, wooRequest(shop.secret, order, 'order.created'))).toMatchObject({ status: 200 });
    }
    const logged = async () => (await owner.get(shop.path)).html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
    const log = await until(
      'all events to be handled',
      async () => {
        const text = await logged();
        return !text.includes('Waiting to be processed.') && text;
      },
      advancing(passbell.clock, 500),
    );
    expect(log).toMatch(
      /Waiting Order created: Too many notifications with this template to this recipient\. Wait, or raise/,
    );
    expect(log).toContain('one recipient in 10 minutes');
    expect(free.twilio.requests).toHaveLength(3);
  });

  it('sends at most the hourly number of messages for a shop, and the others later', async () => {
    const { passbell, twilio } = free;
    const keys = await passbell.application({ limits: { shopMessagesPerHour: 4 } });
    const owner = await signIn(passbell);
    const shops = createShops(passbell, owner);
    const shop = await shops.connect(keys, 'woocommerce');
    const other = await shops.connect(keys, 'woocommerce');
    for (const one of [shop, other]) await shops.automate(one, 'paid');
    const all = numbers(`${AMERICAN}33`, 7);
    const post = (to: Shop, phone: string) => {
      const now = passbell.clock.now();
      const change = { date_paid_gmt: new Date(now).toISOString().slice(0, 19), billing: { country: 'US', phone } };
      return shops.post(to, wooRequest(to.secret, wooOrder(freshOrder(), now, change)));
    };
    for (const phone of all.slice(0, 6)) expect(await post(shop, phone)).toMatchObject({ status: 200 });
    expect(await post(other, all[6]!)).toMatchObject({ status: 200 });
    const received = (count: number, ms: number) => {
      const sentTo = () => all.filter((phone) => twilio.requests.some(({ form }) => form.To === phone));
      return until('messages', () => sentTo().length >= count, advancing(passbell.clock, ms));
    };
    await received(5, 200);
    const { html } = await owner.get(shop.path);
    expect(html).toContain('Too many notifications from this shop');
    expect(html).toContain('Messages for one connected shop per hour');
    passbell.clock.advance(61 * MINUTE);
    // Slowly, so that a busy machine sends the messages before they expire.
    await received(7, 1000);
  });

  it.each(['woocommerce', 'shopify'] as const)('proposes the event “Order paid” to a shop of %s', async (kind) => {
    const { passbell, keys } = free;
    const owner = await signIn(passbell);
    const shop = await createShops(passbell, owner).connect(keys, kind);
    const { html } = await owner.get(shop.path);
    const [, options] = /<select[^>]*name="event"[^>]*>(.*?)<\/select>/s.exec(html)!;
    expect(options).toMatch(/^\s*<option value="paid"/);
  });
});

/** Returns variables with which every step of an order can be sent. */
function variablesOf(templateType: string): Record<string, string> {
  const orderId = `A-${++orders}`;
  if (templateType === 'order_out_for_delivery') return { orderId, deliveryAgentName: 'Sam' };
  return { orderId, trackingNo: '1Z999', trackingLink: 'https://track.example/1Z999', orderTotal: '$9' };
}

describe('a pause by a person', () => {
  it.each(['code', 'notification'])('also stops a %s to a recipient who was verified', async (kind) => {
    const { passbell, keys } = service;
    const to = `${AMERICAN}1234`;
    await service.verify(to);
    const application = await passbell.core.applications.service.load(keys.appKey);
    const ref = { scope: 'application', key: '' } as const;
    await passbell.core.fraud.pauses.act(OPERATOR, application, ref, 'pause');
    passbell.clock.advance(SEEN_MS);
    const reply = kind === 'code' ? await service.send(to) : await notify(to);
    expect(reply).toMatchObject({ code: 'FRAUD_SUSPECTED', hint: expect.stringContaining('A person paused') });
  });
});

describe('an ordinary shop', () => {
  it('sends all steps of four orders a day to one customer', async () => {
    const keys = await free.passbell.application();
    const replies: Body[] = [];
    for (const templateType of STEPS) {
      for (let order = 0; order < 4; order++) {
        const more = { templateType, variables: variablesOf(templateType) };
        replies.push(await notify(`${AMERICAN}1234`, more, { from: free, keys }));
        free.passbell.clock.advance(5 * MINUTE);
      }
      free.passbell.clock.advance(30 * MINUTE);
    }
    expect(replies.filter(({ success }) => !success)).toEqual([]);
  });

  it('sends to many customers at home and in the countries that it lists', async () => {
    await change(free, { settings: { countries: ['US', 'LT'] } });
    const all = [...numbers(`${AMERICAN}22`, 60), ...numbers(LITHUANIAN, 60)];
    expect(sent(await Promise.all(all.map((to) => notify(to, {}, { from: free }))))).toBe(120);
  });

  it('sends to verified customers in a country that it does not list', async () => {
    const to = numbers(LITHUANIAN, 1)[0]!;
    await free.verify(to);
    expect(sent(await notifyAll(repeated(to, 15), {}, { from: free }))).toBe(15);
  });

  it('sends to a country that a person has allowed', async () => {
    const { passbell, keys } = free;
    const application = await passbell.core.applications.service.load(keys.appKey);
    await passbell.core.fraud.pauses.act(OPERATOR, application, { scope: 'country', key: 'LT' }, 'allow');
    passbell.clock.advance(SEEN_MS);
    expect(sent(await notifyAll(numbers(LITHUANIAN, 15), {}, { from: free }))).toBe(15);
  });

  it('gets the slot back if a notification was certainly not sent', async () => {
    await change(free, {
      limits: { notificationsPer10Minutes: 2, notificationsPerDay: 2, phoneNotificationsPerDay: 25 },
    });
    const to = numbers(LITHUANIAN, 1)[0]!;
    free.twilio.respondWith(TWILIO_ERRORS.invalidNumber);
    const failed = await notifyAll([...repeated(to, 4), ...numbers(LITHUANIAN, 20, 20)], {}, { from: free });
    expect(refused(failed, 'SEND_FAILED')).toHaveLength(24);
    free.twilio.respondWith('accept');
    expect(sent(await notifyAll(repeated(to, 4), {}, { from: free }))).toBe(2);
    // Nothing of the failed sends counts toward the caps of the country and of the application either.
    expect(sent(await notifyAll(numbers(LITHUANIAN, 20, 20), {}, { from: free }))).toBe(18);
  });

  it('has its counts after a restart', async () => {
    const restarted = await startGuardedService(VOICE);
    await change(restarted, { limits: { notificationsPerDay: 2, phoneNotificationsPerDay: 3 } });
    expect(sent(await notifyAll(repeated(`${AMERICAN}1234`, 2), {}, { from: restarted }))).toBe(2);
    await restarted.restart();
    const again = await notifyAll([`${AMERICAN}1234`, `${AMERICAN}1235`, `${AMERICAN}1236`], {}, { from: restarted });
    expect(again.map(({ code }) => code)).toEqual(['NOTIFICATION_LIMIT', undefined, 'NOTIFICATION_LIMIT']);
    await restarted.close();
  });
});

describe('"Send again"', () => {
  /** Creates a message that was certainly not sent, so that it does not count until it is sent again. */
  async function failedMessage(to: string): Promise<string> {
    free.twilio.respondWith(TWILIO_ERRORS.credentials);
    const reply = await notify(to, {}, { from: free });
    free.twilio.respondWith('accept');
    return `/messages/${reply.data.results[0].messageId}`;
  }

  it('counts toward the limits for notifications', async () => {
    await change(free, { limits: { notificationsPerDay: 1 } });
    const owner = await signIn(free.passbell);
    const sendAgain = async (path: string) => (await owner.follow(await owner.submit(path, `${path}/retry`))).html;
    const to = `${AMERICAN}1234`;
    const first = await failedMessage(to);
    const second = await failedMessage(to);
    expect(await sendAgain(first)).toContain('The message was queued again.');
    expect(await sendAgain(second)).toContain('one recipient in 24 hours');
    expect(await notify(to, {}, { from: free })).toMatchObject({ code: 'NOTIFICATION_LIMIT' });
  });

  it('counts toward the caps of a country that is not listed', async () => {
    const owner = await signIn(free.passbell);
    const path = await failedMessage(numbers(LITHUANIAN, 1)[0]!);
    expect(sent(await notifyAll(numbers(LITHUANIAN, 20, 20), {}, { from: free }))).toBe(20);
    const { html } = await owner.follow(await owner.submit(path, `${path}/retry`));
    expect(html).toContain('add it to the countries that you serve');
  });
});

it('applies the limits to every account, and the owners of an account cannot turn them off', async () => {
  const { applications } = free.passbell.core;
  const email = 'shop-owner@example.com';
  await applications.service.createAccount(OPERATOR, email);
  const keys = await applications.service.create(OPERATOR, { name: 'Shop', email });
  const limitsOf = async () => (await applications.service.load(keys.appKey)).settings.limits;
  const names = ['notificationsPer10Minutes', 'notificationsPerDay', 'phoneNotificationsPerDay'] as const;
  const pick = (limits: Awaited<ReturnType<typeof limitsOf>>) => names.map((name) => limits[name]);
  expect(pick(await limitsOf())).toEqual([3, 20, 5000]);
  const { ceilings } = await applications.service.load(keys.appKey);
  expect(names.map((name) => ceilings.limits[name])).toEqual([20, 50, 10_000]);
  const owned = await applications.service.load(free.passbell.keys.appKey);
  expect(pick(owned.settings.limits)).toEqual([3, 20, 5000]);
});
