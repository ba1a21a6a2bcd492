/** The fraud guard's counts in the database: they follow the pure functions, and each recipient counts once. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { Excess } from '../../backend/src/modules/fraud/fraud.js';
import { changeExcess, excessAt } from '../../backend/src/modules/fraud/gauges.js';
import { addCounted, createExcessesStore, scopeName } from '../../backend/src/modules/fraud/excesses-store.js';
import { NO_RECORD, type Charge, type RecipientRecord, type ScopeRef } from '../../backend/src/modules/fraud/fraud.js';
import { createRecipientsStore } from '../../backend/src/modules/fraud/recipients-store.js';
import { HOUR, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import type { Database } from '../../backend/src/platform/db/database.js';
import { createWriter } from '../../backend/src/platform/db/transaction.js';
import { createRandom } from '../fraud/random.js';
import { numbers, SEEN_MS, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { TWILIO_ERRORS } from '../support/twilio-server.js';

const PREFIX = '+141555511';
const PHONE = `${PREFIX}10`;

let service: GuardedService;
let db: Database;
beforeAll(async () => {
  service = await startGuardedService();
  db = service.passbell.openDatabase();
});
beforeEach(() => service.useNewApplication());
afterAll(async () => {
  await db.destroy();
  await service.close();
});

/** Returns the counts of the application's days. */
async function daysOf(applicationId: number): Promise<{ sent: number; verified: number }> {
  const [row] = await db('fraud_days')
    .where({ application_id: applicationId })
    .sum({ sent: 'sent', verified: 'verified' });
  return { sent: Number(row!.sent), verified: Number(row!.verified) };
}

/** Returns the excess of a scope of the application. */
async function excessOf(applicationId: number, ref: ScopeRef): Promise<Excess | undefined> {
  const found = await createExcessesStore(db).read([{ ...ref, applicationId }]);
  return found.get(`${applicationId} ${scopeName(ref)}`);
}

const SCOPES: readonly ScopeRef[] = [
  { scope: 'country', key: 'US' },
  { scope: 'prefix', key: '+1415555' },
  { scope: 'burst', key: '' },
];
const START = Date.UTC(2027, 0, 5, 12);

/** Returns a random change to a scope: a recipient, an entered code, a failed delivery or a pause. */
function randomCharge(random: ReturnType<typeof createRandom>, ref: ScopeRef, perHour: number, now: number): Charge {
  const kind = random.uniform();
  if (kind < 0.6) return { ...ref, change: { excess: 1, sent: 1, verified: 0 }, perHour, at: now };
  // Entered codes and reports do not know how much time takes away.
  if (kind < 0.85) return { ...ref, change: { excess: -1.9, sent: 0, verified: 1 }, perHour: 0, at: 0 };
  if (kind < 0.95) return { ...ref, change: { excess: -1, sent: -1, verified: 0 }, perHour: 0, at: 0 };
  return { ...ref, change: { excess: 3 * random.uniform(), sent: -2, verified: -1 }, perHour: 0, at: now + HOUR };
}

it.each([1, 2, 3, 4, 5])(
  'random changes give the same excesses in the database as in memory (seed %d)',
  async (seed) => {
    const random = createRandom(seed);
    const applicationId = 1_000_000 + seed;
    const expected = SCOPES.map((): Excess | undefined => undefined);
    let now = START;
    for (let n = 0; n < 150; n++) {
      now += Math.round(random.exponential(10 * MINUTE));
      const at = random.below(SCOPES.length);
      const ref = SCOPES[at]!;
      const perHour = 1 + at;
      const charge = randomCharge(random, ref, perHour, now);
      await addCounted(db, [{ applicationId, charges: [charge] }]);
      expected[at] = changeExcess(expected[at], charge.change, charge.perHour, charge.at);
      // After a pause, when time takes something away again.
      const later = now + HOUR;
      const actual = excessAt(await excessOf(applicationId, ref), perHour, later);
      const { excess, sent, verified, since } = excessAt(expected[at], perHour, later);
      expect(actual).toMatchObject({ excess: expect.closeTo(excess, 6), sent, verified, since });
    }
    expect(expected.map((value) => value !== undefined)).toEqual([true, true, true]);
  },
);

it('changes of the same scope in one batch add up', async () => {
  const applicationId = 1_000_100;
  const one = { ...SCOPES[0]!, change: { excess: 1, sent: 1, verified: 0 }, perHour: 1 };
  const verified = { ...SCOPES[0]!, change: { excess: -1.5, sent: 0, verified: 1 }, perHour: 0, at: 0 };
  const day = { country: 'US', day: START, sent: 1, verified: 0 };
  const counted = [0, 1, 2].map((n) => ({ applicationId, charges: [{ ...one, at: START + n * HOUR }], day }));
  await addCounted(db, counted);
  expect(await excessOf(applicationId, SCOPES[0]!)).toMatchObject({
    excess: 3,
    sent: 3,
    verified: 0,
    at: START + 2 * HOUR,
  });
  // An hour later, time has taken one away.
  const later = { applicationId, charges: [{ ...one, at: START + 3 * HOUR }, verified] };
  await addCounted(db, [later, later]);
  expect(await excessOf(applicationId, SCOPES[0]!)).toMatchObject({ excess: 1, sent: 5, verified: 2 });
  expect(await daysOf(applicationId)).toEqual({ sent: 3, verified: 0 });
});

it('a recipient who asks several times within 15 minutes, and a repeated request, count once', async () => {
  await service.learnConversion();
  const id = await service.applicationId();
  const { passbell, keys } = service;
  const before = await daysOf(id);
  const headers = { 'Idempotency-Key': 'fraud-1' };
  for (let n = 0; n < 2; n++) await passbell.post('/auth/sendotp', { to: PHONE }, { keys, headers });
  await service.send(PHONE);
  expect(await daysOf(id)).toEqual({ ...before, sent: before.sent + 1 });
  expect(await excessOf(id, SCOPES[1]!)).toMatchObject({ excess: 1, sent: 1 });
});

it('a message that was certainly not sent is taken back, also in the cache', async () => {
  await service.learnConversion();
  const id = await service.applicationId();
  const before = await daysOf(id);
  service.twilio.respondWith(TWILIO_ERRORS.invalidNumber);
  for (const to of numbers(PREFIX, 15)) expect(await service.send(to)).toMatchObject({ code: 'SEND_FAILED' });
  expect(await daysOf(id)).toEqual(before);
  for (const ref of SCOPES) expect((await excessOf(id, ref))?.excess ?? 0).toBe(0);
  const [row] = await db('fraud_recipients').where({ application_id: id });
  expect(row).toMatchObject({ streak: 0, unverified: 0 });
});

it('a code that is entered while the next one is being sent keeps the recipient verified, and stores no address', async () => {
  const applicationId = await service.applicationId();
  const store = createRecipientsStore(db);
  const own = db('fraud_recipients').where({ application_id: applicationId });
  await service.verify(PHONE, { clientIp: '203.0.113.7' });
  const [row] = await own.clone();
  expect(row).toMatchObject({ unverified: 0, streak: 0, source: null });
  const sentAt = Number(row.verified_at) - SECOND;
  const record = { ...NO_RECORD, countedAt: sentAt, sentAt, openCodes: 1, streak: 1, address: 'hash of an address' };
  await createWriter(db)([store.row({ applicationId, key: row.recipient_key, record })]);
  const kept = { unverified: 0, streak: 0, source: null, verified_at: row.verified_at };
  expect(await own.clone()).toMatchObject([kept]);
});

describe('codes to one recipient', () => {
  const SCOPE = SCOPES[1]!;
  const code = async () => ({
    applicationId: await service.applicationId(),
    recipient: PHONE,
    createdAt: 0,
    messageId: 'any',
  });
  const recordOf = async (id: number): Promise<RecipientRecord> => {
    const keys = await db('fraud_recipients')
      .where({ application_id: id })
      .orderBy('counted_at')
      .pluck('recipient_key');
    return (await createRecipientsStore(db).find(db, keys, [id])).get(keys[0])!;
  };
  let id: number;
  let before: { sent: number; verified: number };
  beforeEach(async () => {
    await service.learnConversion();
    id = await service.applicationId();
    before = await daysOf(id);
    await service.sendToAll([PHONE, PHONE, `${PREFIX}11`]);
    expect(await excessOf(id, SCOPE)).toMatchObject({ excess: expect.closeTo(2, 2), sent: 2, verified: 0 });
  });
  const guard = () => service.passbell.core.fraud.service;

  it('count once when several of them are entered', async () => {
    const entered = await code();
    const now = service.passbell.clock.now();
    await db.transaction((trx) => guard().countVerified(trx, [entered, entered], now));
    await db.transaction((trx) => guard().countVerified(trx, [entered], now));
    expect(await daysOf(id)).toEqual({ sent: before.sent + 2, verified: before.verified + 1 });
    // The conversion is 70%, so 52.5% are normal: an entered code makes up for almost two recipients.
    expect(await excessOf(id, SCOPE)).toMatchObject({ excess: expect.closeTo(2 - 1 / 0.525, 2), sent: 2, verified: 1 });
    expect(await recordOf(id)).toMatchObject({ openCodes: 0, streak: 0, verifiedAt: now });
  });

  it('do not count when they were not delivered', async () => {
    const { sentAt: createdAt } = await recordOf(id);
    const undelivered = { ...(await code()), createdAt, outcome: 'undelivered' } as const;
    const report = () => db.transaction((trx) => guard().countCodes(trx, [undelivered], createdAt));
    await report();
    expect(await daysOf(id)).toEqual({ ...before, sent: before.sent + 2 });
    for (let n = 0; n < 2; n++) await report();
    expect(await daysOf(id)).toEqual({ sent: before.sent + 1, verified: before.verified });
    expect(await excessOf(id, SCOPE)).toMatchObject({ excess: expect.closeTo(1, 2), sent: 1, verified: 0 });
  });

  it('still count when only an earlier one was not delivered', async () => {
    const { countedAt } = await recordOf(id);
    const earlier = { ...(await code()), createdAt: countedAt - 1, outcome: 'undelivered' } as const;
    for (let n = 0; n < 2; n++) await db.transaction((trx) => guard().countCodes(trx, [earlier], countedAt));
    expect(await daysOf(id)).toEqual({ ...before, sent: before.sent + 2 });
  });
});

it('the excess of a scope that a person resumes or allows is forgotten', async () => {
  await service.learnConversion();
  const id = await service.applicationId();
  const { fraud, applications } = service.passbell.core;
  const application = await applications.service.load(service.keys.appKey);
  for (const action of ['resume', 'allow'] as const) {
    await service.sendToAll(numbers(PREFIX, 3, action === 'allow' ? 30 : 10));
    await fraud.pauses.act(OPERATOR, application, SCOPES[1]!, 'pause');
    expect((await excessOf(id, SCOPES[1]!))?.excess).toBeGreaterThan(2.9);
    await fraud.pauses.act(OPERATOR, application, SCOPES[1]!, action);
    expect(await excessOf(id, SCOPES[1]!)).toBeUndefined();
    service.passbell.clock.advance(SEEN_MS);
  }
});
