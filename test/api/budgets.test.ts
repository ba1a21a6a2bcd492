/** Daily budgets of an application: what counts toward them, what is refunded, and what the owners see. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { NO_LIMITS } from '../../backend/src/modules/applications/application-limits.js';
import { DAY, MINUTE, utcDay } from '../../backend/src/platform/clock.js';
import { signIn } from '../support/dashboard.js';
import { numbers, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { freshMail, type Body } from '../support/service.js';
import { TWILIO_ERRORS } from '../support/twilio-server.js';
import { advancing, until } from '../support/wait.js';

let service: GuardedService;
afterEach(() => service.close());

async function setLimits(limits: object): Promise<void> {
  const { passbell, keys } = service;
  await passbell.core.applications.service.update(OPERATOR, keys.appKey, { limits });
  passbell.clock.advance(2000);
}

async function start(prices: Record<string, string> | undefined, limits: object): Promise<void> {
  service = await startGuardedService({}, prices);
  await setLimits({ ...NO_LIMITS, ...limits });
}

const notify = (to: string, orderId = 'A-1'): Promise<Body> =>
  service.passbell.post(
    '/notifications/order',
    { to, templateType: 'order_placed', variables: { orderId } },
    { keys: service.keys },
  );

const overview = async () =>
  service.passbell.core.budgets.overview(await service.passbell.core.applications.service.load(service.keys.appKey));

const [FIRST, SECOND, THIRD, FOURTH] = numbers('+1415555', 4, 1010) as [string, string, string, string];
const REFUSED = { success: false, code: 'APPLICATION_DAILY_LIMIT' };

it.each([
  ['cost', { '*': '0.5' }, { budgetPerDay: 1 }, 'Daily budget'],
  ['messages', undefined, { messageBudgetPerDay: 2 }, 'Daily message budget'],
])('a budget of %s applies to verified recipients and to notifications', async (_unit, prices, limits, label) => {
  await start(prices, limits);
  await service.verify(FIRST);
  expect(await notify(FIRST)).toMatchObject({ success: true });
  for (const reply of [await service.send(FIRST), await notify(SECOND), await service.send(SECOND)])
    expect(reply).toMatchObject(REFUSED);
  const { hint, message, retryAfterSeconds } = await service.send(FIRST);
  expect(hint).toContain(`raise “${label}” in the application's settings`);
  expect(message).toContain('This application has reached its budget for today');
  const toMidnight = (DAY - (service.passbell.clock.now() % DAY)) / 1000;
  expect(retryAfterSeconds).toBe(Math.ceil(toMidnight));
  service.passbell.clock.advance(DAY);
  expect(await service.send(FIRST)).toMatchObject({ success: true });
});

it('email, test recipients and messages that were certainly not sent do not use a budget', async () => {
  await start({ '*': '0.5' }, { budgetPerDay: 1, messageBudgetPerDay: 2 });
  const { passbell, keys, twilio } = service;
  await passbell.core.applications.service.update(OPERATOR, keys.appKey, {
    settings: { testRecipients: { '+15550100': '123456' } },
  });
  passbell.clock.advance(2000);
  for (let n = 0; n < 3; n++) expect(await service.send('+15550100')).toMatchObject({ success: true });
  for (let n = 0; n < 3; n++) expect(await service.send(freshMail())).toMatchObject({ success: true });
  twilio.respondWith(TWILIO_ERRORS.optedOut);
  for (let n = 0; n < 3; n++) expect(await service.send(FIRST)).toMatchObject({ code: 'SEND_FAILED' });
  twilio.respondWith('accept');
  expect(await overview()).toMatchObject({ cost: { used: 0 }, messages: { used: 0 }, heldBack: 0 });
  const replies = [await service.send(FIRST), await service.send(SECOND), await service.send(THIRD)];
  expect(replies.map(({ code }) => code)).toEqual([undefined, undefined, 'APPLICATION_DAILY_LIMIT']);
  expect(await service.send(freshMail())).toMatchObject({ success: true });
});

it('a budget includes messages that a person sends again, and survives a restart', async () => {
  await start({ '*': '0.5' }, { budgetPerDay: 1 });
  service.twilio.respondWith(TWILIO_ERRORS.optedOut);
  const failed = await service.send(FIRST);
  service.twilio.respondWith('accept');
  for (const to of [SECOND, THIRD]) expect(await service.send(to)).toMatchObject({ success: true });
  await service.restart();
  expect(await service.send(FOURTH)).toMatchObject(REFUSED);
  const owner = await signIn(service.passbell);
  const path = `/messages/${failed.data.results[0].messageId}`;
  const reply = await owner.submit(path, `${path}/retry`);
  expect((await owner.follow(reply)).html).toContain('This application has reached its budget for today');
});

const NOTHING = { delivered: 0, undelivered: 0, failed: 0, codes: 0, verified: 0 };

it('an automatic budget is 500 units, or five times the seventh most expensive of the last 14 days', async () => {
  await start({ '*': '0.05' }, {});
  expect(await overview()).toMatchObject({
    cost: { limit: 5_000_000, isAutomatic: true },
    messages: { limit: 6000, isAutomatic: true },
  });
  const db = service.passbell.openDatabase();
  const now = service.passbell.clock.now();
  const row = { application_id: await service.applicationId(), country: 'US', currency: 'eur' };
  const day = (ago: number, channel: string, sent: number, cost: number) => {
    return { ...row, day: utcDay(now - ago * DAY), channel, ...NOTHING, sent, cost };
  };
  await db('usage_counts').insert([
    ...[9000, 8000, 7000, 7000, 6000, 5000, 4000, 3000].map((sent, n) => day(n + 2, 'SMS', sent, sent * 500)),
    day(8, 'WHATSAPP', 10, 100),
    day(1, 'EMAIL', 50_000, 0),
    day(15, 'SMS', 90_000, 90_000_000),
    day(0, 'SMS', 90_000, 90_000_000),
  ]);
  await db.destroy();
  service.passbell.clock.advance(11 * MINUTE);
  expect(await overview()).toMatchObject({
    cost: { limit: 5 * (4000 * 500 + 100) },
    messages: { limit: 5 * 4010 },
  });
});

it('an automatic budget does not depend on the currency, and stays below the ceiling of the account', async () => {
  await start({ '*': '9', US: '2', DE: '0' }, {});
  expect((await overview()).cost.limit).toBe(6000 * 20_000);
  const { passbell, keys } = service;
  const { accountId } = await passbell.core.applications.service.load(keys.appKey);
  await passbell.core.applications.service.setCeilings(OPERATOR, accountId, { limits: { budgetPerDay: 100 } });
  passbell.clock.advance(2000);
  expect((await overview()).cost).toMatchObject({ limit: 1_000_000, isAutomatic: true, used: 0 });
});

it('an automatic message budget bounds only messages without a price', async () => {
  await start({ '*': '0', US: '0.01' }, {});
  const { limiter } = service.passbell.core;
  const key = `budget:${await service.applicationId()}:messages`;
  await limiter.take([{ key, code: 'APPLICATION_DAILY_LIMIT', perDay: 1e9, amount: 6000 }]);
  expect(await service.send(FIRST)).toMatchObject({ success: true });
  expect(await service.send('+447400123410')).toMatchObject(REFUSED);
});

it('owners get an email at 50, 80 and 100% of a budget, once for each limit', async () => {
  await start({ '*': '0.2' }, { budgetPerDay: 1 });
  await signIn(service.passbell, 'owner', { email: 'ana@shop.example' });
  const { passbell } = service;
  const subjects = async () => {
    const db = passbell.openDatabase();
    const isDone = async () =>
      (await db('fraud_notices').whereNull('mailed_at').first('id')) === undefined &&
      (await db('messages').whereIn('state', ['queued', 'sending']).first('id')) === undefined;
    await until('delivered emails', isDone, advancing(passbell.clock, 5000));
    await db.destroy();
    return (await passbell.inbox('ana@shop.example')).map(({ subject }) => subject).reverse();
  };
  const noticeCount = async (count: number) => {
    const db = passbell.openDatabase();
    await until(
      'notices',
      async () => (await db('fraud_notices').where('notice_key', 'like', 'budget%')).length === count,
    );
    await db.destroy();
  };
  const all = numbers('+1415555', 9, 1010);
  for (const to of all.slice(0, 2)) await service.send(to);
  const before = await subjects();
  await service.send(all[2]!);
  await noticeCount(1);
  await service.send(all[3]!);
  await noticeCount(2);
  await service.send(all[4]!);
  await noticeCount(3);
  for (const to of all.slice(5)) expect(await service.send(to)).toMatchObject(REFUSED);
  const mails = (await subjects()).slice(before.length);
  const text = (share: string) => `Another Shop has used ${share} of its budget for today`;
  // Several workers mail the notices, in any order.
  expect([...mails].sort()).toEqual([text('50%'), text('80%'), text('up').replace('up of', 'up')].sort());
  const inbox = await passbell.inbox('ana@shop.example');
  const last = inbox.find(({ subject }) => subject.includes('has used up its budget'));
  expect(last!.text).toContain('Messages from Another Shop have cost 1.00 EUR today. Your daily budget is 1.00 EUR.');
  expect(last!.text).toContain('raise “Daily budget” under Limits');

  await until('held back', async () => (await overview()).heldBack === 4);
  const page = await (await signIn(passbell)).get(`/applications/${service.keys.appKey}/protection`);
  const shown = page.html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  expect(shown).toMatch(/1\.00 of 1\.00 EUR used since 00:00 \(100%\)(?! · automatic)/);
  expect(shown).toMatch(/ [Bb]udget used up: .* refused until /);
  expect(shown).toContain(' 4 messages were refused.');

  await setLimits({ budgetPerDay: 2 });
  expect(await service.send(all[5]!)).toMatchObject({ success: true });
  await noticeCount(4);
});

it('a message that no provider takes does not use a budget, also if the request does not wait for its end', async () => {
  service = await startGuardedService({ SEND_WAIT_MS: '0' }, { '*': '0.5' });
  await setLimits({ ...NO_LIMITS, budgetPerDay: 2, messageBudgetPerDay: 4 });
  const { clock } = service.passbell;
  service.twilio.respondWith(TWILIO_ERRORS.unavailable);
  expect(await service.send(FIRST, { expiry: 1 })).toMatchObject({ success: true });
  expect(await service.send(SECOND, { expiry: 1 })).toMatchObject({ success: true });
  expect(await overview()).toMatchObject({ cost: { used: 10_000 }, messages: { used: 2 } });
  await until('the refund', async () => (await overview()).messages.used === 0, advancing(clock, 1000));
  expect(await overview()).toMatchObject({ cost: { used: 0 }, messages: { used: 0 } });
});
