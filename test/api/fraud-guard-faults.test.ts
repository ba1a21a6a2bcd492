/** The fraud guard: its daily cost limit, upgrades, and stored data that cannot be read. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DAY, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { createTestClock } from '../support/clock.js';
import { createDataFolder } from '../support/data-folder.js';
import { createEarlierDatabase } from '../support/earlier-version.js';
import { numbers, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { scaled } from '../support/members.js';
import { startService } from '../support/service.js';

const PREFIX = '+141555511';
const METRICS_TOKEN = 'a-token-that-only-tests-use';
const order = (to: string) => ({ to, templateType: 'order_placed', variables: { orderId: 'A-1' } });

let service: GuardedService;
beforeAll(async () => {
  service = await startGuardedService({ METRICS_TOKEN }, { '*': '1.0' });
});
beforeEach(() => service.useNewApplication());
afterAll(() => service.close());

it('limits the daily cost of an application without verifications to 10 units, including notifications', async () => {
  const { passbell, keys } = service;
  // Each notification has two segments.
  expect(await passbell.post('/notifications/order', order(`${PREFIX}10`), { keys })).toMatchObject({ success: true });
  const cost = Number((await service.spend()) / 10_000);
  const replies = await service.sendToAll(numbers(PREFIX, 11 - cost, 20));
  expect(replies.map(({ code }) => code)).toEqual([...replies.slice(1).map(() => undefined), 'FRAUD_SUSPECTED']);
  const { retryAfterSeconds, hint } = replies.at(-1)!;
  expect(hint).toMatch(/^The application has reached its daily cost limit\./);
  const refused = await passbell.post('/notifications/order', order(`${PREFIX}11`), { keys });
  expect(refused).toMatchObject({ code: 'FRAUD_SUSPECTED' });
  passbell.clock.advance(retryAfterSeconds * SECOND);
  expect(await service.send(`${PREFIX}60`)).toMatchObject({ success: true });
});

it('keeps a pause in effect while the stored data cannot be read, and refuses all paid messages after 30 seconds', async () => {
  const { passbell, keys } = service;
  const application = await passbell.service.applications.load(keys.appKey);
  await passbell.service.fraudPauses.act(OPERATOR, application, { scope: 'country', key: 'CA' }, 'pause');
  // Makes both processes load the pause.
  expect((await service.sendToAll([`${PREFIX}10`, `${PREFIX}11`])).map(({ success }) => success)).toEqual([true, true]);
  const db = passbell.openDatabase();
  await db.schema.renameTable('fraud_scopes', 'unreadable');
  try {
    for (const area of ['613', '416']) {
      // The recipient may be exempt, so the refusal asks the caller to try again soon.
      expect(await service.send(`+1${area}5550110`)).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        retryAfterSeconds: 5,
      });
      expect(await service.send(`${PREFIX}2${passbell.clock.now() % 10}`)).toMatchObject({ success: true });
      passbell.clock.advance(SECOND);
    }
    for (const to of numbers(PREFIX, 3, 30)) await service.send(to);
    passbell.clock.advance(30 * SECOND);
    for (const to of numbers(PREFIX, 2, 40))
      expect(await service.send(to)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
    expect(await paidMessages()).toEqual({ status: 200, paidMessages: 'refused', metric: 1 });
    const logged = passbell.logged.join('\n');
    expect(logged).toContain('the fraud guard cannot read its counters');
    expect(logged).toContain('the fraud guard refuses all messages that cost money');
  } finally {
    await db.schema.renameTable('unreadable', 'fraud_scopes');
    await db.destroy();
  }
  // The health check reads the counters itself, so the guard recovers without a send.
  expect(await paidMessages()).toEqual({ status: 200, paidMessages: 'ok', metric: 0 });
  passbell.clock.advance(10 * SECOND);
  expect(await service.send(`${PREFIX}50`)).toMatchObject({ success: true });
});

/** Returns the metrics of every process. Requests are distributed to the processes round-robin. */
async function metrics(): Promise<string[]> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const pages = Array.from({ length: scaled ? 2 : 1 }, () => service.passbell.fetch('/metrics', {}, { headers }));
  return Promise.all(pages.map(async (page) => (await page).text()));
}

async function paidMessages() {
  const response = await service.passbell.fetch('/health/ready');
  const { paidMessages: state } = (await response.json()) as { paidMessages: string };
  const [first] = await metrics();
  const metric = Number(/^passbell_paid_messages_refused (.+)$/m.exec(first!)![1]);
  return { status: response.status, paidMessages: state, metric };
}

it('counts refusals and pauses in metrics, without recipients', async () => {
  await service.endObservation();
  await service.sendAtOnce(numbers(PREFIX, 18));
  service.passbell.clock.advance(5 * MINUTE);
  const replies = await service.sendToAll(numbers(PREFIX, 2, 40));
  expect(replies.map(({ code }) => code)).toEqual(['FRAUD_SUSPECTED', 'FRAUD_SUSPECTED']);
  const pages = await metrics();
  const total = (name: string) =>
    pages.map((page) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(page)?.[1] ?? 0)).reduce((a, b) => a + b);
  expect(total('passbell_fraud_refusals_total{rule="R3"}')).toBe(2);
  expect(total('passbell_fraud_pauses_total{rule="R3",scope="prefix"}')).toBe(1);
  // The values of other metrics could contain the same digits by chance.
  const lines = pages.flatMap((page) => page.match(/^passbell_fraud.*$/gm) ?? []);
  expect(lines.join('\n')).not.toContain(PREFIX.slice(1, 7));
});

it('starts with the conversion rates and costs of the last 14 days after an upgrade', async () => {
  const dataDir = createDataFolder('fraud');
  const db = await createEarlierDatabase(dataDir, '0013-retention');
  await db('accounts').insert({ id: 1, email: 'operator@localhost', status: 'active', created_at: 0 });
  const application = { account_id: 1, name: 'Shop', status: 'active', settings: '{}', created_at: 0 };
  await db('applications').insert([1, 2].map((id) => ({ ...application, id, app_key: `pk_${id}` })));
  const day = (ago: number) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10);
  const usage = (ago: number, channel: string, country: string, currency: string) => ({
    ...{ application_id: 1, day: day(ago), channel, country, currency, codes: 10, verified: 7, cost: 5000 },
    ...{ sent: 10, delivered: 0, undelivered: 0, failed: 0 },
  });
  await db('usage_counts').insert([
    ...[usage(1, 'SMS', 'DE', 'EUR'), usage(1, 'VOICE', 'DE', 'EUR'), usage(1, 'SMS', 'FR', 'EUR')],
    ...[usage(1, 'EMAIL', '', 'EUR'), usage(20, 'SMS', 'DE', 'EUR')],
  ]);
  await db.destroy();

  const upgraded = await startService(
    { SECRET_KEY: 'a key that only tests use and nobody else' },
    { dataDir, clock: createTestClock(Date.now()) },
  );
  try {
    const now = upgraded.openDatabase();
    const rows = await now('fraud_counters').orderBy(['dimension', 'counter_key']);
    const known = await now('fraud_applications').whereIn('application_id', [1, 2]).orderBy('application_id');
    await now.destroy();
    const numbersOf = ({ dimension, counter_key, start, sent, verified, spend }: Record<string, unknown>) =>
      `${dimension} ${counter_key} ${new Date(Number(start)).toISOString().slice(0, 10)} ${sent} ${verified} ${spend}`;
    expect(rows.map(numbersOf)).toEqual([
      `application  ${day(1)} 30 21 15000`,
      `country DE ${day(1)} 20 14 10000`,
      `country FR ${day(1)} 10 7 5000`,
    ]);
    expect(known.map(({ ever_verified }) => Boolean(ever_verified))).toEqual([true, false]);
  } finally {
    await upgraded.stop();
  }
});
