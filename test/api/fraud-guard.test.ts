/** The fraud guard from the request to the provider, with one process and with several processes. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { createFraudScopesStore } from '../../backend/src/modules/fraud/fraud-scopes-store.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { LEARNED_MS, numbers, SEEN_MS, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { scaled } from '../support/members.js';
import { addGateway, waitForRoutingUpdate } from '../support/providers.js';

const BRITISH = '+4474001234';
const PREFIX = '+141555511';
const OTHER_PREFIX = '+121255512';
/** American prefixes of 10,000 numbers, of which four have the same area code. */
const AMERICAN_PREFIXES = ['201', '312', '408', '415', '503', '602', '713', '808', '904', '206'].flatMap((area) =>
  ['255', '355', '455', '655'].map((exchange) => `+1${area}${exchange}`),
);

let service: GuardedService;
beforeAll(async () => {
  service = await startGuardedService();
});
beforeEach(() => service.useNewApplication());
afterAll(() => service.close());

const codesOf = (replies: readonly { code?: string }[]) => replies.map(({ code }) => code);
const allowed = (count: number) => Array.from({ length: count }, () => undefined);
const application = () => service.passbell.core.applications.service.load(service.keys.appKey);
const act = async (action: 'allow' | 'resume', scope: 'application' | 'prefix', key: string) =>
  service.passbell.core.fraud.pauses.act(OPERATOR, await application(), { scope, key }, action);

describe('a country that is neither listed nor the home country, before anybody has entered a code', () => {
  it('gets 20 codes across all processes, and is judged by its conversion as soon as a code was entered', async () => {
    const replies = await service.sendToAll(numbers(BRITISH, 22));
    expect(codesOf(replies)).toEqual([...allowed(20), 'FRAUD_SUSPECTED', 'FRAUD_SUSPECTED']);
    const { retryAfterSeconds, hint } = replies[20];
    expect(retryAfterSeconds).toBeGreaterThan(1600);
    expect(retryAfterSeconds).toBeLessThanOrEqual(1800);
    expect(hint).toContain('add it to the countries that you serve');
    expect(service.twilio.requests).toHaveLength(20);

    service.passbell.clock.advance(retryAfterSeconds * SECOND);
    await service.verify(`${BRITISH}77`);
    service.passbell.clock.advance(LEARNED_MS);
    const later = await service.sendToAll(numbers(BRITISH, 12, 40));
    expect(codesOf(later)).toEqual([...allowed(10), 'FRAUD_SUSPECTED', 'FRAUD_SUSPECTED']);
    expect(later[10].hint).toMatch(/^Unusually few recipients with similar numbers enter their codes\./);
  });

  it('gets no extra codes when requests arrive at the same time', async () => {
    const replies = await Promise.all(numbers(BRITISH, 60).map((to) => service.send(to)));
    const sent = replies.filter(({ success }) => success).length;
    // Each of the two processes may count up to 20 sends, because it loads the other's counts only every two seconds.
    expect(sent).toBeGreaterThanOrEqual(20);
    expect(sent).toBeLessThanOrEqual(scaled ? 40 : 20);
    expect(service.twilio.requests).toHaveLength(sent);
  });

  it('is not limited if a stored provider sends from there, in all processes', async () => {
    const other = await startGuardedService();
    await addGateway(other.passbell, 'British SMS', { url: 'http://127.0.0.1:9' }, { from: '447400123400' });
    await waitForRoutingUpdate(other.passbell);
    const replies = await other.sendToAll(numbers(BRITISH, 22));
    await other.close();
    expect(codesOf(replies)).toEqual(allowed(22));
  });

  it('is not limited in an application that lists it as allowed', async () => {
    const { passbell, keys } = service;
    await passbell.core.applications.service.update(OPERATOR, keys.appKey, { settings: { countries: ['GB'] } });
    expect(codesOf(await service.sendToAll(numbers(BRITISH, 22)))).toEqual(allowed(22));
  });
});

describe('100 parallel sends', () => {
  const across = (prefixes: readonly string[], suffix: number): string[] =>
    Array.from({ length: 100 }, (_, n) => `${prefixes[n % prefixes.length]!}${suffix + n}`);
  it.each([
    ['a prefix of 10,000 numbers', 10, across(['+1415555'], 1100), {}],
    ['a prefix of 1,000,000 numbers', 25, across(numbers('+14155', 20), 1100), {}],
    ['an IP address', 8, across(AMERICAN_PREFIXES, 1100), { clientIp: '203.0.113.7' }],
    [
      'another country',
      25,
      across(
        ['+447400', '+447500', '+447700', '+447800', '+447900'].map((n) => `${n}12`),
        3100,
      ),
      {},
    ],
    // A day has 700 verified recipients, of whom one in 20 may arrive at the same time.
    ['minutes', 35, across(AMERICAN_PREFIXES, 1100), {}],
  ])('never exceed the limit of %s in one process', async (name, limit, recipients, parameters) => {
    await service.learnConversion();
    if (name === 'minutes') {
      await service.passbell.core.fraud.settings.change(OPERATOR, await application(), { burstUnverified: 1 });
      service.passbell.clock.advance(SEEN_MS);
    }
    const replies = await Promise.all(recipients.map((to) => service.send(to, parameters)));
    const sent = replies.filter(({ success }) => success).length;
    expect(sent).toBeGreaterThanOrEqual(limit);
    expect(sent).toBeLessThanOrEqual(scaled ? 2 * limit : limit);
    const refused = replies.filter(({ success }) => !success);
    expect(new Set(codesOf(refused))).toEqual(new Set(['FRAUD_SUSPECTED']));
    expect(service.twilio.requests).toHaveLength(sent);
  });
});

describe('a prefix whose recipients do not enter their codes', () => {
  it('is paused for an hour, then for four hours, but other prefixes are not', async () => {
    await service.learnConversion();
    await service.verify(`${PREFIX}99`);
    expect(codesOf(await service.sendToAll(numbers(PREFIX, 10)))).toEqual(allowed(10));
    const refused = await service.send(`${PREFIX}50`);
    expect(refused).toMatchObject({ code: 'FRAUD_SUSPECTED', retryAfterSeconds: 3600 });
    expect(refused.hint).toMatch(/^Unusually few recipients with similar numbers enter their codes\./);

    const sent = service.twilio.requests.length;
    await service.restart();
    expect(codesOf(await service.sendToAll([`${PREFIX}51`, `${PREFIX}52`]))).toEqual([
      'FRAUD_SUSPECTED',
      'FRAUD_SUSPECTED',
    ]);
    expect(service.twilio.requests).toHaveLength(sent);
    // This recipient was verified before.
    expect(await service.send(`${PREFIX}99`)).toMatchObject({ success: true });
    expect(await service.send(`${OTHER_PREFIX}10`)).toMatchObject({ success: true });

    service.passbell.clock.advance(HOUR);
    const again = await service.sendToAll(numbers(PREFIX, 4, 53));
    expect(again[0]).toMatchObject({ success: true });
    expect(again.find(({ success }) => !success)).toMatchObject({ code: 'FRAUD_SUSPECTED', retryAfterSeconds: 14400 });
  });

  it('is counted from zero after a person has resumed it', async () => {
    await service.learnConversion();
    await service.sendToAll(numbers(PREFIX, 10));
    expect(await service.send(`${PREFIX}50`)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
    await act('resume', 'prefix', '+1415555');
    service.passbell.clock.advance(SEEN_MS);
    // After a pause, the limits of all prefixes in the country are a quarter lower.
    expect(codesOf(await service.sendToAll(numbers(PREFIX, 8, 60)))).toEqual([...allowed(7), 'FRAUD_SUSPECTED']);
  });

  it('is not paused for messages that a person has allowed, even after a clean-up', async () => {
    await service.learnConversion();
    const { openDatabase, clock } = service.passbell;
    await act('allow', 'application', '');
    clock.advance(23 * HOUR);
    expect(codesOf(await service.sendToAll(numbers(PREFIX, 20)))).toEqual(allowed(20));
    clock.advance(HOUR);
    const db = openDatabase();
    await createFraudScopesStore(db).deleteOld(clock.now());
    await db.destroy();
    expect(await service.send(`${PREFIX}50`)).toMatchObject({ success: true });
  });

  it('is not paused if most of its recipients enter their codes', async () => {
    await service.learnConversion();
    for (const to of numbers(OTHER_PREFIX, 24)) {
      if (Number(to) % 4 === 0) await service.send(to);
      else await service.verify(to);
    }
    expect(await service.send(`${OTHER_PREFIX}50`)).toMatchObject({ success: true });
  });
});

it('does not refuse codes to the home country for its conversion, because customers would be lost', async () => {
  await service.learnConversion();
  const recipients = Array.from({ length: 80 }, (_, n) => `${AMERICAN_PREFIXES[n % 40]!}${1100 + n}`);
  expect(codesOf(await service.sendToAll(recipients))).toEqual(allowed(80));
});

it('sends one code a day to a recipient who left six codes in a row unentered, even one who was verified', async () => {
  await service.learnConversion();
  await service.verify(`${PREFIX}10`);
  for (const to of [`${PREFIX}10`, `${PREFIX}11`]) {
    const replies = await service.sendToAll(Array.from({ length: 8 }, () => to));
    expect(codesOf(replies)).toEqual([...allowed(6), 'FRAUD_SUSPECTED', 'FRAUD_SUSPECTED']);
    expect(replies[7].hint).toMatch(/^This recipient has not entered several codes in a row\./);
    service.passbell.clock.advance(replies[7].retryAfterSeconds * SECOND);
    expect(codesOf(await service.sendToAll([to, to]))).toEqual([undefined, 'FRAUD_SUSPECTED']);
  }
  // A code that is entered ends the streak.
  service.passbell.clock.advance(DAY);
  await service.verify(`${PREFIX}10`);
  expect(codesOf(await service.sendToAll([`${PREFIX}10`, `${PREFIX}10`]))).toEqual(allowed(2));
});

it('sends no more codes to one recipient when they are requested at the same time', async () => {
  await service.learnConversion();
  const to = `${PREFIX}10`;
  await service.verify(to);
  const replies = await Promise.all(Array.from({ length: 60 }, () => service.send(to)));
  const sent = replies.filter(({ success }) => success).length;
  expect(sent).toBeGreaterThanOrEqual(6);
  expect(sent).toBeLessThanOrEqual(scaled ? 12 : 6);
});

describe('clientIp', () => {
  it.each(['nonsense', '1.2.3', '203.0.113.7:443', ['203.0.113.7']])('must not be %j', async (clientIp) => {
    expect(await service.send(`${PREFIX}10`, { clientIp })).toMatchObject({
      code: 'INVALID_PARAMETER',
      message: 'clientIp must be an IPv4 or IPv6 address',
    });
  });

  it('is refused, with its whole /64 network, when few of its recipients enter their codes, and is stored hashed', async () => {
    await service.learnConversion();
    const clientIp = '2001:db8:0:1::1';
    await service.verify('+13125551310', { clientIp: '198.51.100.7' });
    for (const area of ['312', '408', '503', '602'])
      expect(codesOf(await service.sendToAll(numbers(`+1${area}55514`, 2), { clientIp }))).toEqual(allowed(2));
    const neighbor = { clientIp: '2001:db8:0:1:ffff::2' };
    const refused = await service.send('+16175551234', neighbor);
    expect(refused).toMatchObject({ code: 'FRAUD_SUSPECTED', retryAfterSeconds: 3600 });
    expect(refused.hint).toMatch(/^Unusually few codes requested from this clientIp are entered\./);
    expect(await service.send('+16175551234', { clientIp: '2001:db8:0:2::1' })).toMatchObject({ success: true });

    const db = service.passbell.openDatabase();
    const tables = ['fraud_excesses', 'fraud_days', 'fraud_recipients', 'fraud_scopes', 'fraud_notices'];
    const stored = JSON.stringify(await Promise.all(tables.map((table) => db(table))));
    await db.destroy();
    expect(stored).toContain('address ');
    for (const secret of ['2001:db8', '198.51', '+13125551310']) expect(stored).not.toContain(secret);
  });

  it('is no longer refused when a person allows the whole application', async () => {
    await service.learnConversion();
    const parameters = { clientIp: '203.0.113.9' };
    expect(codesOf(await service.sendToAll(numbers(`${OTHER_PREFIX.slice(0, -2)}77`, 9), parameters))).toEqual([
      ...allowed(8),
      'FRAUD_SUSPECTED',
    ]);
    await act('allow', 'application', '');
    service.passbell.clock.advance(MINUTE);
    expect(await service.send('+16175551235', parameters)).toMatchObject({ success: true });
  });
});
