/** The what-if calculation: the messages that other settings of the fraud guard would have refused. */
import { DAY, MINUTE } from '../../backend/src/platform/clock.js';
import { whatIfSettings } from '../../backend/src/modules/fraud/fraud-what-if.js';
import { signIn } from '../support/dashboard.js';
import { numbers, startGuardedService, type GuardedService } from '../support/guarded-service.js';

const PREFIX = '+141555511';
const OTHER_PREFIX = '+121255512';
const OFF = { prefixUnverified: 0, countryUnverified: 0 };

let service: GuardedService;
beforeAll(async () => {
  service = await startGuardedService({}, { '*': '0.05' }, 'USD');
});
beforeEach(() => service.useNewApplication());
afterAll(() => service.close());

async function whatIf(change: Readonly<Record<string, number>> = {}) {
  const { applications, fraudWhatIf } = service.passbell.service;
  const application = await applications.load(service.keys.appKey);
  return fraudWhatIf(application, whatIfSettings(application, change));
}

/** Sends codes to 36 people who do not enter them and one who does. The guard only observes, so all codes are sent. */
async function attackDuringObservation(): Promise<void> {
  await service.verify(`${OTHER_PREFIX}10`);
  await service.sendAtOnce(numbers(PREFIX, 35));
  service.passbell.clock.advance(3 * MINUTE);
  await service.sendToAll([`${PREFIX}60`]);
  await service.verify(`${PREFIX}61`);
  // The first person requests another code.
  await service.sendToAll([`${OTHER_PREFIX}10`]);
  expect(service.twilio.requests).toHaveLength(39);
}

it('counts the messages that would have been refused, their cost, and the codes that were verified later', async () => {
  await attackDuringObservation();
  const current = await whatIf();
  // 30 unverified recipients pause the prefix: the messages to the 31st to 35th and the two later messages are refused.
  expect(current).toMatchObject({ of: 39, messages: 7, cost: 3500, verified: 1, isPart: false });
  expect(current.byRule).toEqual([{ rule: 'R3', messages: 7, cost: 3500, verified: 1 }]);
  expect(await whatIf({ prefixOutstanding: 20 })).toMatchObject({ messages: 17, verified: 1 });
  expect(await whatIf(OFF)).toMatchObject({ messages: 0, verified: 0, cost: 0 });
  const db = service.passbell.openDatabase();
  expect(await db('fraud_scopes').where({ application_id: await service.applicationId() })).toEqual([]);
  await db.destroy();
});

it("counts recipients' first verified codes after their sessions are deleted, and exempts regular users", async () => {
  await attackDuringObservation();
  await service.sendToAll([`${PREFIX}61`]);
  const db = service.passbell.openDatabase();
  await db('otp_sessions').delete();
  await db.destroy();
  expect(await whatIf()).toMatchObject({ of: 40, messages: 7, verified: 1 });
});

it('uses the conversion and cost of the preceding days as a baseline', async () => {
  await service.send(`${PREFIX}10`);
  const db = service.passbell.openDatabase();
  const id = await service.applicationId();
  const day = new Date(service.passbell.clock.now() - DAY).toISOString().slice(0, 10);
  const counts = { sent: 1000, delivered: 0, undelivered: 0, failed: 0, codes: 1000, verified: 900, cost: 200_000 };
  await db('usage_counts').insert({
    application_id: id,
    day,
    channel: 'SMS',
    country: 'US',
    currency: 'USD',
    ...counts,
  });
  await db.destroy();
  await service.sendAtOnce(numbers(PREFIX, 20, 20));
  service.passbell.clock.advance(3 * MINUTE);
  await service.sendToAll([`${PREFIX}60`]);
  // At a usual conversion of 90 %, 21 unverified recipients are too many; without a history, 26 would be.
  expect(await whatIf()).toMatchObject({ of: 22, messages: 1, byRule: [{ rule: 'R3' }] });
});

it('counts the cost of notifications, and excludes emails and failed messages', async () => {
  const { passbell, keys } = service;
  const order = { to: `${PREFIX}10`, templateType: 'order_placed', variables: { orderId: 'A-1' } };
  await passbell.post('/notifications/order', order, { keys });
  await service.send('person@example.com');
  expect(await whatIf()).toMatchObject({ of: 1, messages: 0 });
  expect(await whatIf({ spendBudget: 1 })).toMatchObject({ messages: 0 });
});

it('has nothing to replay if no messages were sent', async () => {
  expect(await whatIf()).toMatchObject({ of: 0, from: undefined, messages: 0 });
});

describe('the what-if form', () => {
  const path = () => `/applications/${service.keys.appKey}/protection`;

  it('uses the entered settings without storing them', async () => {
    await attackDuringObservation();
    const viewer = await signIn(service.passbell, 'viewer');
    const { html, status } = await viewer.submit(path(), `${path()}/what-if#what-if`, { prefixOutstanding: '20' });
    expect(status).toBe(200);
    expect(html).toContain(
      'These settings would have refused 17 of 39 messages (43.6%) in the last 30 days, saving 0.8500 USD. Of these messages, 1 was verified later (wrongly refused).',
    );
    expect(html).toMatch(/name="prefixOutstanding"[^>]*value="20"/);
    expect((await viewer.get(path())).html).toMatch(/name="prefixOutstanding"[^>]*value="30"/);
  });

  it('rejects an invalid value, and keeps it in its field', async () => {
    const viewer = await signIn(service.passbell, 'viewer');
    const { html, status } = await viewer.submit(path(), `${path()}/what-if#what-if`, { prefixTolerance: '999' });
    expect(status).toBe(422);
    expect(html).toContain(
      'Suspicious below this percentage of the usual conversion: It must be a whole number from 10 to 95.',
    );
    expect(html).toMatch(/name="prefixTolerance"[^>]*value="999"/);
  });
});
