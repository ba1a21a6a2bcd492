/** `/auth/reportverified`: sites that check codes themselves report verified codes to the fraud guard. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DAY, SECOND } from '../../backend/src/platform/clock.js';
import { LEARNED_MS, numbers, SEEN_MS, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { wrongCode, type Body } from '../support/service.js';

const PREFIX = '+141555511';
const PHONE = `${PREFIX}10`;
const SUCCESS = { success: true, message: 'verification counted' };
const NOT_FOUND = { success: false, message: 'message not found', code: 'MESSAGE_NOT_FOUND' };

let service: GuardedService;
beforeAll(async () => void (service = await startGuardedService()));
beforeEach(() => service.useNewApplication());
afterAll(() => service.close());

const report = (body: object, keys = service.keys): Promise<Body> =>
  service.passbell.post('/auth/reportverified', body, { keys });
const sendTo = async (to: string): Promise<string> => (await service.send(to)).data.results[0].maskId;
const codeSentTo = (to: string): string =>
  /\d{6}/.exec(service.twilio.requests.filter(({ form }) => form.To === to).at(-1)!.form.Body!)![0];
const verify = (maskId: string, otp: string) =>
  service.passbell.post('/auth/verifyotp', { maskId, otp }, { keys: service.keys });
const update = (settings: object) =>
  service.passbell.core.applications.service.update(OPERATOR, service.keys.appKey, { settings });
/** Pauses a country as the guard does, except for verified recipients. */
async function pauseCountry(key: string): Promise<void> {
  const { applications, fraud } = service.passbell.core;
  const application = await applications.service.load(service.keys.appKey);
  await fraud.pauses.act(OPERATOR, application, { scope: 'country', key }, 'pause');
  const db = service.passbell.openDatabase();
  await db('fraud_scopes')
    .where({ application_id: application.id, scope_key: key })
    .update({ rule: 'country', paused_until: service.passbell.clock.now() + DAY });
  await db.destroy();
  service.passbell.clock.advance(SEEN_MS);
}

/** Returns the application's counts of today. */
async function dailyCounts(): Promise<{ sent: number; verified: number }> {
  const db = service.passbell.openDatabase();
  const row = await db('fraud_days')
    .where({ application_id: await service.applicationId() })
    .where('day', '>', service.passbell.clock.now() - DAY)
    .sum({ sent: 'sent', verified: 'verified' });
  await db.destroy();
  return { sent: Number(row[0]!.sent), verified: Number(row[0]!.verified) };
}

it.each([
  ['maskId', (maskId: string) => ({ maskId })],
  ['maskId in capital letters', (maskId: string) => ({ maskId: maskId.toUpperCase() })],
  ['recipient in a different format', () => ({ to: '1 (415) 555-1110' })],
])('counts a code by its %s, and no longer refuses its recipient', async (_name, bodyOf) => {
  await service.learnConversion();
  const maskId = await sendTo(PHONE);
  await pauseCountry('US');
  expect(await service.send(PHONE)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
  expect(await report(bodyOf(maskId))).toEqual(SUCCESS);
  expect(await dailyCounts()).toEqual({ sent: 1, verified: 1 });
  expect(await service.send(PHONE)).toMatchObject({ success: true });
  expect(await service.send(`${PREFIX}11`)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
});

it('counts a recipient once across repeated and parallel reports of several codes', async () => {
  const maskIds = [await sendTo(PHONE), await sendTo(PHONE)];
  const bodies = [...maskIds.map((maskId) => ({ maskId })), { to: PHONE }];
  const reports = Array.from({ length: 21 }, (_, n) => report(bodies[n % bodies.length]!));
  expect(await Promise.all(reports)).toEqual(Array(21).fill(SUCCESS));
  expect(await report({ maskId: maskIds[0]! })).toEqual(SUCCESS);
  expect(await dailyCounts()).toEqual({ sent: 1, verified: 1 });
});

it('neither verifies the code nor issues a token: the user can still enter the code', async () => {
  const maskId = await sendTo(PHONE);
  const reply = await report({ maskId });
  expect(JSON.stringify(reply)).not.toMatch(/token/);
  const db = service.passbell.openDatabase();
  expect(await db('otp_sessions').where({ mask_id: maskId }).first()).toMatchObject({
    state: 'live',
    verified_at: null,
  });
  expect(await db('users').where({ application_id: await service.applicationId() })).toEqual([]);
  expect(await db('webhook_deliveries')).toEqual([]);
  await db.destroy();
  expect(await verify(maskId, wrongCode(codeSentTo(PHONE)))).toMatchObject({ code: 'INVALID_OTP' });
  expect(await verify(maskId, codeSentTo(PHONE))).toMatchObject({ success: true, status: 'verified' });
  expect(await dailyCounts()).toEqual({ sent: 1, verified: 1 });
});

const useCooldown = async (limits: object = {}) => {
  const { applications } = service.passbell.core;
  await applications.service.update(OPERATOR, service.keys.appKey, { limits: { cooldownSeconds: 30, ...limits } });
  service.passbell.clock.advance(SEEN_MS);
};

it('does not lift the lock after wrong codes', async () => {
  await useCooldown({ wrongCodesPerLock: 2 });
  const maskId = await sendTo(PHONE);
  for (const step of [1, 2]) await verify(maskId, wrongCode(codeSentTo(PHONE), step));
  expect(await report({ maskId })).toEqual(SUCCESS);
  expect(await verify(maskId, codeSentTo(PHONE))).toMatchObject({ code: 'OTP_LOCKED' });
});

it('ends the cooldown of its recipient once for each code, also in parallel', async () => {
  await useCooldown();
  const maskId = await sendTo(PHONE);
  expect(await service.send(PHONE)).toMatchObject({ code: 'COOLDOWN' });
  expect(await report({ maskId })).toEqual(SUCCESS);
  expect(await service.send(PHONE)).toMatchObject({ success: true });
  const again = await Promise.all([report({ maskId }), report({ maskId }), report({ maskId: maskId.toUpperCase() })]);
  expect(again).toEqual(Array(3).fill(SUCCESS));
  expect(await service.send(PHONE)).toMatchObject({ code: 'COOLDOWN' });
  expect(await report({ to: PHONE })).toEqual(SUCCESS);
  expect(await service.send(PHONE)).toMatchObject({ success: true });
});

it('and a verification of the same code end the cooldown once in total', async () => {
  await useCooldown();
  const first = await sendTo(PHONE);
  const code = codeSentTo(PHONE);
  await report({ maskId: first });
  const second = await sendTo(PHONE);
  expect(await verify(first, code)).toMatchObject({ success: true });
  expect(await service.send(PHONE)).toMatchObject({ code: 'COOLDOWN' });
  // The verification has ended the second code, but its user may have entered it elsewhere.
  await report({ maskId: second });
  const third = await sendTo(PHONE);
  expect(await verify(third, codeSentTo(PHONE))).toMatchObject({ success: true });
  await sendTo(PHONE);
  expect(await report({ maskId: third })).toEqual(SUCCESS);
  expect(await service.send(PHONE)).toMatchObject({ code: 'COOLDOWN' });
});

it('leaves the limits for ten minutes as they are', async () => {
  await useCooldown({ sendsPer10Minutes: 3 });
  for (let n = 0; n < 3; n++) expect(await report({ maskId: await sendTo(PHONE) })).toEqual(SUCCESS);
  expect(await service.send(PHONE)).toMatchObject({ code: 'COOLDOWN', retryAfterSeconds: 600 });
});

describe('a code that the application did not send in the last 24 hours', () => {
  it.each([
    ['an unknown maskId', { maskId: '0'.repeat(32) }],
    ['an invalid maskId', { maskId: "' or 1=1 --" }],
    ['an unknown recipient', { to: `${PREFIX}77` }],
    ['an unknown email address', { to: 'nobody@example.com' }],
  ])('is reported as not found: %s', async (_name, body) => {
    await sendTo(PHONE);
    expect(await report(body)).toMatchObject(NOT_FOUND);
  });

  it('is reported as not found if another application sent it', async () => {
    const maskId = await sendTo(PHONE);
    const other = await service.passbell.application();
    for (const body of [{ maskId }, { to: PHONE }]) expect(await report(body, other)).toMatchObject(NOT_FOUND);
    expect(await dailyCounts()).toMatchObject({ sent: 1, verified: 0 });
  });

  it('is reported as not found exactly 24 hours after the send', async () => {
    const maskId = await sendTo(PHONE);
    service.passbell.clock.advance(DAY - 2 * SECOND);
    expect(await report({ maskId })).toEqual(SUCCESS);
    service.passbell.clock.advance(2 * SECOND);
    for (const body of [{ maskId }, { to: PHONE }]) expect(await report(body)).toMatchObject(NOT_FOUND);
  });

  it('is reported as not found if its recipient was erased', async () => {
    const maskId = await sendTo(PHONE);
    const { applications, erasure } = service.passbell.core;
    await erasure.service.erase(OPERATOR, [await applications.service.load(service.keys.appKey)], PHONE);
    for (const body of [{ maskId }, { to: PHONE }]) expect(await report(body)).toMatchObject(NOT_FOUND);
  });
});

it('requires the App Secret', async () => {
  const maskId = await sendTo(PHONE);
  const keys = { ...service.keys, appSecret: 'sk_wrong' };
  expect(await report({ maskId }, keys)).toMatchObject({ code: 'INVALID_CREDENTIALS' });
  expect(await dailyCounts()).toEqual({ sent: 1, verified: 0 });
});

it.each([
  ['missing parameters', 'MISSING_PARAMETERS', {}],
  ['missing parameters', 'MISSING_PARAMETERS', { maskId: '', to: ' ' }],
  ['maskId must be a string', 'INVALID_PARAMETER', { maskId: {} }],
  ['invalid recipient', 'INVALID_RECIPIENT', { to: 'nonsense' }],
])('replies "%s" (%s) to %j', async (message, code, body) => {
  expect(await report(body)).toMatchObject({ success: false, message, code });
});

it('accepts reports for test recipients without counting them', async () => {
  await update({ testRecipients: { '+15550100': '123456' } });
  service.passbell.clock.advance(SEEN_MS);
  const maskId = await sendTo('+15550100');
  for (const body of [{ maskId }, { to: '15550100' }]) expect(await report(body)).toEqual(SUCCESS);
  expect(await dailyCounts()).toEqual({ sent: 0, verified: 0 });
});

describe('an application whose codes are verified elsewhere', () => {
  /** Sends enough codes to pause the prefix, and returns the error code of the next message to it. */
  const attack = async () => {
    await service.sendToAll(numbers(PREFIX, 10));
    return (await service.send(`${PREFIX}70`)).code;
  };

  it('is not paused if it reports few or no codes as entered', async () => {
    await service.learnConversion();
    const db = service.passbell.openDatabase();
    await db('fraud_days')
      .where({ application_id: await service.applicationId() })
      .update({ verified: 90 });
    await db.destroy();
    service.passbell.clock.advance(LEARNED_MS);
    await update({ verifiedElsewhere: true });
    expect(await attack()).toBeUndefined();
    await update({ verifiedElsewhere: false });
    service.passbell.clock.advance(SEEN_MS);
    const recipients = numbers(`${PREFIX.slice(0, -2)}22`, 11);
    expect((await service.sendToAll(recipients)).at(-1)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
  });

  it('can be paused once it has reported most of its codes', async () => {
    await service.learnConversion();
    await update({ verifiedElsewhere: true });
    expect(await attack()).toBe('FRAUD_SUSPECTED');
  });

  it('is not paused if it reports most of its codes', async () => {
    await service.learnConversion();
    await update({ verifiedElsewhere: true });
    for (const to of numbers(PREFIX, 30)) {
      expect(await service.send(to)).toMatchObject({ success: true });
      if (Number(to) % 3 > 0) expect(await report({ to })).toEqual(SUCCESS);
      service.passbell.clock.advance(SEEN_MS);
    }
  });
});
