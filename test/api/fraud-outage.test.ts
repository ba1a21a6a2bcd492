/** The fraud guard while no provider takes codes: they are no evidence, but retries do not let a flood through afterwards. */
import { MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import type { Database } from '../../backend/src/platform/db/database.js';
import { transact } from '../../backend/src/platform/db/transaction.js';
import { numbers, SEEN_MS, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { scaled } from '../support/members.js';
import { TWILIO_ERRORS } from '../support/twilio-server.js';
import { advancing, advancingWhileStuck, until } from '../support/wait.js';

/** Numbers with one prefix of 10,000, at home. Ten unentered codes are too many for it. */
const HOME = numbers('+141555511', 20);
/** Numbers in a new country, each with another prefix. Twenty-five unentered codes are too many for the country. */
const ABROAD = Array.from({ length: 30 }, (_, n) => `+4474${10 + n}123456`);
const PREFIX_LIMIT = 10;

let service: GuardedService;
let db: Database;
beforeAll(async () => {
  // Requests do not wait for the outcome, for which the clock would have to advance.
  service = await startGuardedService({ SEND_WAIT_MS: '0' });
  db = service.passbell.openDatabase();
});
beforeEach(async () => {
  await service.useNewApplication();
  // The circuit of the provider closes.
  service.passbell.clock.advance(10 * MINUTE);
  await service.learnConversion();
});
afterAll(async () => {
  await db.destroy();
  await service.close();
});

const ofApplication = async () => ({ application_id: await service.applicationId() });

/** Returns the numbers of recipients who count, and of codes that were entered, without those of the week before. */
async function counts(): Promise<{ sent: number; verified: number }> {
  const days = db('fraud_days').where(await ofApplication());
  const [row] = await days.sum({ sent: 'sent', verified: 'verified' });
  return { sent: Number(row!.sent) - 2000, verified: Number(row!.verified) - 1400 };
}

/** Returns the recipients who count in a scope, such as `country GB`. */
async function countedIn(name: string): Promise<number> {
  const row = await db('fraud_excesses')
    .where({ ...(await ofApplication()), name })
    .first();
  return Number(row?.sent ?? 0);
}

const pauses = async () => db('fraud_scopes').where(await ofApplication());

interface Requested {
  readonly to: string;
  readonly maskId: string;
}

async function request(to: string): Promise<Requested> {
  const reply = await service.send(to, { expiry: 10 });
  expect(reply).toMatchObject({ success: true });
  return { to, maskId: reply.data.results[0].maskId };
}

const failing = () => service.twilio.respondWith(TWILIO_ERRORS.unavailable);

/** Requests codes one after the other, which no provider takes. */
async function requestInOutage(all: readonly string[]): Promise<Requested[]> {
  failing();
  const requested: Requested[] = [];
  for (const to of all) {
    requested.push(await request(to));
    await until('the failed attempt', async () => (await counts()).sent === 0);
    service.passbell.clock.advance(SEEN_MS);
  }
  service.twilio.forgetRequests();
  return requested;
}

const received = () => service.twilio.requests.map(({ form }) => ({ to: form.To!, otp: /\d{6}/.exec(form.Body!)![0] }));

/** Enters the codes that have arrived, once the provider's reply is stored. */
async function enter(requested: readonly Requested[], entered: Set<string>): Promise<void> {
  const { passbell, keys } = service;
  const sent = await db('messages')
    .where({ ...(await ofApplication()), state: 'sent' })
    .pluck('recipient');
  for (const { to, otp } of received().filter((one) => sent.includes(one.to) && !entered.has(one.to))) {
    const { maskId } = requested.find((one) => one.to === to)!;
    expect(await passbell.post('/auth/verifyotp', { maskId, otp }, { keys })).toMatchObject({ success: true });
    entered.add(to);
  }
}

/** Advances the clock until all messages have ended, but only while none of them can be sent. */
async function untilAllEnded(step: () => Promise<void> = async () => undefined): Promise<void> {
  const { clock } = service.passbell;
  const open = db('messages')
    .where(await ofApplication())
    .whereIn('state', ['queued', 'sending']);
  const advance = advancing(clock, SECOND);
  const wait = advancingWhileStuck(clock);
  await until('the end of all messages', async () => {
    const all: { state: string; due_at: number }[] = await open.clone();
    await step();
    const isBusy = all.some(({ state, due_at: dueAt }) => state === 'sending' || Number(dueAt) <= clock.now());
    await (isBusy ? wait() : advance());
    return all.length === 0;
  });
}

it.each([
  ['at home', HOME, 'prefix +1415555'],
  ['abroad', ABROAD, 'country GB'],
])(
  'codes that no provider takes are no evidence %s: nothing is paused, and customers get codes',
  async (_where, all, scope) => {
    const requested = await requestInOutage(all);
    expect([await counts(), await countedIn(scope), await pauses()]).toEqual([{ sent: 0, verified: 0 }, 0, []]);
    service.twilio.respondWith('accept');
    const entered = new Set<string>();
    await untilAllEnded(() => enter(requested, entered));
    expect(entered.size).toBe(all.length);
    expect(new Set(received().map(({ to }) => to)).size).toBe(service.twilio.requests.length);
    expect(await counts()).toEqual({ sent: all.length, verified: all.length });
    expect(await pauses()).toEqual([]);
  },
);

it('a flood during the outage is not delivered afterwards', async () => {
  await requestInOutage(HOME);
  service.twilio.respondWith('accept');
  await untilAllEnded();
  const sent = received().length;
  expect(sent).toBeGreaterThanOrEqual(PREFIX_LIMIT);
  // Each process sees the other one's counts after two seconds.
  expect(sent).toBeLessThanOrEqual(scaled ? 2 * PREFIX_LIMIT : PREFIX_LIMIT);
  expect(await counts()).toEqual({ sent, verified: 0 });
  expect(await service.send('+14155551190')).toMatchObject({ code: 'FRAUD_SUSPECTED' });
});

it('a flood of simultaneous requests is refused before the providers reply', async () => {
  let reply!: () => void;
  const judged = new Promise<void>((resolve) => (reply = resolve));
  // A reply would end the first attempts, whose codes then no longer count.
  service.twilio.respondWith(async () => {
    await judged;
    return TWILIO_ERRORS.unavailable;
  });
  const replies = await service.sendAtOnce(numbers('+141555511', 50)).finally(reply);
  expect(replies.filter(({ success }) => success).length).toBeLessThanOrEqual(scaled ? 2 * PREFIX_LIMIT : PREFIX_LIMIT);
  const refused = new Set(replies.filter(({ success }) => !success).map(({ code }) => code));
  // A database that is slower than the flood refuses some of it temporarily.
  refused.delete('SERVICE_UNAVAILABLE');
  expect([...refused]).toEqual(['FRAUD_SUSPECTED']);
});

it('a recipient who got one code still counts after another one was rejected', async () => {
  await request(ABROAD[0]!);
  await until('the code', () => received().length === 1);
  service.passbell.clock.advance(SEEN_MS);
  service.twilio.respondWith(TWILIO_ERRORS.invalidNumber);
  await request(ABROAD[0]!);
  const openCodes = async () =>
    (
      await db('fraud_recipients')
        .where(await ofApplication())
        .first()
    ).unverified;
  await until('the rejection', async () => (await openCodes()) === 1);
  expect([await counts(), await countedIn('country GB')]).toEqual([{ sent: 1, verified: 0 }, 1]);
});

it('a code counts that is requested while another one to the same recipient is retried', async () => {
  const to = ABROAD[0]!;
  const { core } = service.passbell;
  const application = (await core.applications.service.byId(await service.applicationId()))!;
  const plan = { address: to, limitKey: to, country: 'GB', channels: ['SMS'], testCode: undefined } as const;
  const release = await core.fraud.service.reserve({ application, plan, template: 'otp', cost: 0, kind: 'code' });
  await request(to);
  release();
  expect([await counts(), await countedIn('country GB')]).toEqual([{ sent: 1, verified: 0 }, 1]);
});

it('outcomes of one recipient that are stored at the same time count once each', async () => {
  const [to] = HOME;
  for (let n = 0; n < 3; n++) await request(to!);
  await until('the codes', () => received().length === 3);
  const { fraud } = service.passbell.core;
  const { clock } = service.passbell;
  const code = { applicationId: await service.applicationId(), recipient: to!, createdAt: clock.now() };
  const outcome = (one: 'notSent' | 'accepted') =>
    transact(db, (trx) => fraud.service.countCodes(trx, [{ ...code, outcome: one }], clock.now()));
  await Promise.all([outcome('notSent'), outcome('notSent')]);
  expect([await counts(), await countedIn('prefix +1415555')]).toEqual([{ sent: 1, verified: 0 }, 1]);
  await Promise.all([outcome('notSent'), outcome('notSent')]);
  expect([await counts(), await countedIn('prefix +1415555')]).toEqual([{ sent: 0, verified: 0 }, 0]);
  await Promise.all([outcome('accepted'), outcome('accepted')]);
  expect([await counts(), await countedIn('prefix +1415555')]).toEqual([{ sent: 1, verified: 0 }, 1]);
});
