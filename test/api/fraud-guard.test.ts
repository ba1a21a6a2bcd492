/** The fraud guard from the request to the provider, with one process and with several processes. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DAY, HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import { createKeyring } from '../../backend/src/platform/crypto.js';
import { NO_RECORD } from '../../backend/src/modules/fraud/fraud-counters.js';
import { recipientKeysOf } from '../../backend/src/modules/fraud/fraud-recipient.js';
import { createFraudScopesStore } from '../../backend/src/modules/fraud/fraud-scopes-store.js';
import { createFraudStore } from '../../backend/src/modules/fraud/fraud-store.js';
import { createCountVerified } from '../../backend/src/modules/fraud/fraud-verifications.js';
import { createWriter } from '../../backend/src/platform/db/transaction.js';
import { numbers, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { scaled } from '../support/members.js';
import { addGateway, waitForRoutingUpdate } from '../support/providers.js';
import { TWILIO_ERRORS } from '../support/twilio-server.js';

const BRITISH = '+4474001234';
const PREFIX = '+141555511';
const OTHER_PREFIX = '+121255512';

let service: GuardedService;
beforeAll(async () => {
  service = await startGuardedService();
});
beforeEach(() => service.useNewApplication());
afterAll(() => service.close());

const codesOf = (replies: readonly { code?: string }[]) => replies.map(({ code }) => code);
const allowed = (count: number) => Array.from({ length: count }, () => undefined);

/** Returns the total counts of a dimension in buckets of this size. */
async function totalCounts(dimension: string, size: string): Promise<{ sent: number; verified: number }> {
  const db = service.passbell.openDatabase();
  const own = { dimension, size, application_id: await service.applicationId() };
  const [row] = await db('fraud_counters').where(own).sum({ sent: 'sent', verified: 'verified' });
  await db.destroy();
  return { sent: Number(row!.sent), verified: Number(row!.verified) };
}

describe('a country that is neither listed nor the home country', () => {
  it('is limited to ten codes an hour across all processes until three are verified', async () => {
    const replies = await service.sendToAll(numbers(BRITISH, 12));
    expect(codesOf(replies)).toEqual([...allowed(10), 'FRAUD_SUSPECTED', 'FRAUD_SUSPECTED']);
    const { retryAfterSeconds, hint } = replies[10];
    expect(retryAfterSeconds).toBeGreaterThan(3500);
    expect(retryAfterSeconds).toBeLessThanOrEqual(3660);
    expect(hint).toMatch(/^Few people in this country have entered a code so far\./);
    expect(service.twilio.requests).toHaveLength(10);
    expect(await totalCounts('country', 'day')).toEqual({ sent: 10, verified: 0 });

    service.passbell.clock.advance(retryAfterSeconds * 1000);
    for (const to of numbers(BRITISH, 3, 30)) await service.verify(to);
    expect(codesOf(await service.sendToAll(numbers(BRITISH, 15, 40)))).toEqual(allowed(15));
  });

  it('gets no extra codes when requests arrive at the same time', async () => {
    const replies = await Promise.all(numbers(BRITISH, 40).map((to) => service.send(to)));
    const sent = replies.filter(({ success }) => success).length;
    // Each of the two processes may count up to ten sends, because it loads the other's counts only every two seconds.
    expect(sent).toBeGreaterThanOrEqual(10);
    expect(sent).toBeLessThanOrEqual(scaled ? 20 : 10);
    expect(service.twilio.requests).toHaveLength(sent);
  });

  it('has no cap if a stored provider sends from there, in all processes', async () => {
    const other = await startGuardedService();
    await addGateway(other.passbell, 'British SMS', { url: 'http://127.0.0.1:9' }, { from: '447400123400' });
    await waitForRoutingUpdate(other.passbell);
    const replies = await other.sendToAll(numbers(BRITISH, 12));
    await other.close();
    expect(codesOf(replies)).toEqual(allowed(12));
  });

  it('has no cap in an application that lists it as allowed', async () => {
    const { passbell, keys } = service;
    await passbell.core.applications.service.update(OPERATOR, keys.appKey, { settings: { countries: ['GB'] } });
    expect(codesOf(await service.sendToAll(numbers(BRITISH, 12)))).toEqual(allowed(12));
  });
});

it('counts a repeated request once, and ignores a message that was definitely not sent', async () => {
  const { passbell, keys, twilio } = service;
  const headers = { 'Idempotency-Key': 'fraud-1' };
  for (let n = 0; n < 2; n++) await passbell.post('/auth/sendotp', { to: `${BRITISH}10` }, { keys, headers });
  expect(await totalCounts('country', 'day')).toEqual({ sent: 1, verified: 0 });
  twilio.respondWith(TWILIO_ERRORS.invalidNumber);
  expect(await service.send(`${BRITISH}11`)).toMatchObject({ code: 'SEND_FAILED' });
  expect(await totalCounts('country', 'day')).toEqual({ sent: 1, verified: 0 });
});

it('counts a verification once, and keeps no address, if another code is requested or entered at the same time', async () => {
  const db = service.passbell.openDatabase();
  const store = createFraudStore(db);
  const write = createWriter(db);
  const applicationId = await service.applicationId();
  const own = db('fraud_recipients').where({ application_id: applicationId });
  await service.verify(`${PREFIX}10`);
  const [row] = await own.clone();
  expect(row).toMatchObject({ unverified: 0, messages: 1 });
  const countedAt = Number(row.counted_at);
  const record = { ...NO_RECORD, countedAt, messages: 2, unverified: 1, source: 'hash of an address' };
  await write([store.recipientRow({ applicationId, key: row.recipient_key, record, expiresAt: 0 })]);
  expect(await own.clone()).toMatchObject([{ unverified: 0, messages: 2, verified_at: row.verified_at, source: null }]);

  const keyring = createKeyring(['a key that only this test uses']);
  const reader = { isEverVerified: () => true, forget: () => undefined };
  const countVerified = createCountVerified({ store, reader, keyring });
  const code = { applicationId, recipient: `${PREFIX}11`, messageId: 'any' };
  const [key] = recipientKeysOf(keyring, applicationId, code.recipient);
  await write([store.recipientRow({ applicationId, key: key!, record, expiresAt: 0 })]);
  await db.transaction((trx) => countVerified(trx, [code, code], countedAt));
  await db.destroy();
  expect(await totalCounts('country', 'day')).toEqual({ sent: 1, verified: 2 });
});

describe('a prefix whose recipients do not enter their codes', () => {
  /** Sends so many codes to numbers with the prefix that the next code to this prefix triggers a pause. */
  async function attack(first: number, count: number): Promise<void> {
    expect(codesOf(await service.sendAtOnce(numbers(PREFIX, count, first)))).toEqual(allowed(count));
    service.passbell.clock.advance(3 * MINUTE);
  }

  it('is paused for an hour, then for four hours, but other prefixes are not', async () => {
    await service.endObservation();
    await service.verify(`${PREFIX}99`);
    await attack(10, 25);
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
    await attack(53, 13);
    const again = await service.send(`${PREFIX}80`);
    expect(again).toMatchObject({ code: 'FRAUD_SUSPECTED', retryAfterSeconds: 4 * 3600 });
  });

  it('is not paused in the first week', async () => {
    await service.verify(`${PREFIX}99`);
    await attack(10, 25);
    expect(await service.send(`${PREFIX}50`)).toMatchObject({ success: true });
  });

  it('is not paused for messages that a person has allowed, even after a clean-up', async () => {
    await service.endObservation();
    const { core, openDatabase, clock } = service.passbell;
    const application = await core.applications.service.load(service.keys.appKey);
    await core.fraud.pauses.act(OPERATOR, application, { scope: 'application', key: '' }, 'allow');
    clock.advance(23 * HOUR);
    await attack(10, 25);
    clock.advance(HOUR);
    const db = openDatabase();
    await createFraudScopesStore(db).deleteOld(clock.now());
    await db.destroy();
    expect(await service.send(`${PREFIX}50`)).toMatchObject({ success: true });
  });

  it('is not paused if its recipients enter their codes', async () => {
    await service.endObservation();
    await Promise.all(numbers(OTHER_PREFIX, 20).map((to) => service.verify(to)));
    service.passbell.clock.advance(3 * MINUTE);
    expect(await service.send(`${OTHER_PREFIX}50`)).toMatchObject({ success: true });
  });
});

describe('a user from before the upgrade', () => {
  /** Creates a user whose verification the guard has not recorded. */
  async function createUser(identity: string, createdDaysAgo: number, verifiedDaysAgo: number): Promise<void> {
    const { passbell } = service;
    const db = passbell.openDatabase();
    const id = await service.applicationId();
    const user = { user_id: `USR-${id}`, application_id: id, user_application_id: Number(identity.slice(-6)) };
    const times = {
      created_at: passbell.clock.now() - createdDaysAgo * DAY,
      last_verified_at: passbell.clock.now() - verifiedDaysAgo * DAY,
    };
    await db('users').insert({ ...user, identity_type: 'phone', identity, ...times });
    await db.destroy();
  }

  it.each([
    ['is not refused if they were verified in the last 90 days', 200, 60, undefined],
    ['is refused if they were verified longer ago', 200, 91, 'FRAUD_SUSPECTED'],
    ['is refused if the user was created after the upgrade without a code', 20, 10, 'FRAUD_SUSPECTED'],
  ])('%s', async (_case, createdDaysAgo, verifiedDaysAgo, code) => {
    // The guard started 30 days ago.
    await service.endObservation();
    await createUser(`${BRITISH}77`, createdDaysAgo, verifiedDaysAgo);
    await service.sendToAll(numbers(BRITISH, 10));
    expect((await service.send(`${BRITISH}77`)).code).toBe(code);
    expect((await service.send(`${BRITISH}78`)).code).toBe('FRAUD_SUSPECTED');
    expect(service.twilio.requests).toHaveLength(code === undefined ? 11 : 10);
  });
});

describe('clientIp', () => {
  it.each(['nonsense', '1.2.3', '203.0.113.7:443', ['203.0.113.7']])('must not be %j', async (clientIp) => {
    expect(await service.send(`${PREFIX}10`, { clientIp })).toMatchObject({
      code: 'INVALID_PARAMETER',
      message: 'clientIp must be an IPv4 or IPv6 address',
    });
  });

  it('is refused, with its whole /64 network, when few of its recipients enter their codes', async () => {
    await service.endObservation();
    const clientIp = '2001:db8:0:1::1';
    const legitimate = { clientIp: '198.51.100.7' };
    await Promise.all(numbers('+131255513', 25).map((to) => service.verify(to, legitimate)));
    for (const area of ['312', '408', '503'])
      expect(codesOf(await service.sendAtOnce(numbers(`+1${area}55514`, 5), { clientIp }))).toEqual(allowed(5));
    service.passbell.clock.advance(3 * MINUTE);
    const neighbor = { clientIp: '2001:db8:0:1:ffff::2' };
    expect(await service.send('+16175551234', neighbor)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
    expect(await service.send('+16175551234', { clientIp: '2001:db8:0:2::1' })).toMatchObject({ success: true });
    // After the refusal, a marked address may send to only one unverified recipient a day.
    service.passbell.clock.advance(DAY + HOUR);
    expect(codesOf(await service.sendToAll(['+16175551234', '+16175551235'], neighbor))).toEqual([
      undefined,
      'FRAUD_SUSPECTED',
    ]);

    const db = service.passbell.openDatabase();
    const stored = JSON.stringify([await db('fraud_counters'), await db('fraud_recipients')]);
    await db.destroy();
    for (const secret of ['2001:db8', '198.51', '+13125551310']) expect(stored).not.toContain(secret);
  });
});
