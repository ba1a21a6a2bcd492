/** The fraud guard when its stored data cannot be read, and its metrics. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { SECOND } from '../../backend/src/platform/clock.js';
import { numbers, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { scaled } from '../support/members.js';

const PREFIX = '+141555511';
const METRICS_TOKEN = 'a-token-that-only-tests-use';

let service: GuardedService;
beforeAll(async () => {
  service = await startGuardedService({ METRICS_TOKEN });
});
beforeEach(() => service.useNewApplication());
afterAll(() => service.close());

it('keeps a pause in effect while the stored data cannot be read, and refuses all paid messages after 30 seconds', async () => {
  const { passbell, keys } = service;
  const application = await passbell.core.applications.service.load(keys.appKey);
  await passbell.core.fraud.pauses.act(OPERATOR, application, { scope: 'country', key: 'CA' }, 'pause');
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
    expect(logged).toContain('the fraud guard cannot read its data');
    expect(logged).toContain('the fraud guard refuses all messages that cost money');
  } finally {
    await db.schema.renameTable('unreadable', 'fraud_scopes');
    await db.destroy();
  }
  // The health check reads the data itself, so the guard recovers without a send.
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
  await service.learnConversion();
  await service.sendToAll(numbers(PREFIX, 10));
  const replies = await service.sendToAll(numbers(PREFIX, 2, 40));
  expect(replies.map(({ code }) => code)).toEqual(['FRAUD_SUSPECTED', 'FRAUD_SUSPECTED']);
  const pages = await metrics();
  const total = (name: string) =>
    pages.map((page) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(page)?.[1] ?? 0)).reduce((a, b) => a + b);
  expect(total('passbell_fraud_refusals_total{rule="prefix"}')).toBe(2);
  expect(total('passbell_fraud_pauses_total{rule="prefix",scope="prefix"}')).toBe(1);
  // The values of other metrics could contain the same digits by chance.
  const lines = pages.flatMap((page) => page.match(/^passbell_fraud.*$/gm) ?? []);
  expect(lines.join('\n')).not.toContain(PREFIX.slice(1, 7));
});
