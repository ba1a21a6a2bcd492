/** Code usage: each code is counted once, after it has expired. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { migrate } from '../../backend/src/platform/db/migrate.js';
import { createMessagesStore } from '../../backend/src/modules/messages/messages-store.js';
import { createCodeUsage } from '../../backend/src/modules/otp/code-usage.js';
import { createCodeUsageStore } from '../../backend/src/modules/otp/code-usage-store.js';
import { createUsageRecorder, createUsage } from '../../backend/src/modules/usage/index.js';
import { createTestClock, type TestClock } from '../support/clock.js';
import { createDataFolder } from '../support/data-folder.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { findCode, startGatewayServer } from '../support/gateway-server.js';
import { scaled } from '../support/members.js';
import { addGateway, waitForRoutingUpdate } from '../support/providers.js';
import { freshMail, freshPhone, NO_LIMITS, startService } from '../support/service.js';
import { advancing, until } from '../support/wait.js';

const MINUTE = 60_000;
const DAY = '2027-01-15';
const RANGE = { applicationIds: [1], from: DAY, to: DAY };

describe('a stored code', () => {
  const dataDir = createDataFolder('codes');
  let place: TestDatabase | undefined;
  let db: Database;
  let clock: TestClock;
  beforeEach(async () => {
    place = scaled ? await createTestDatabase() : undefined;
    rmSync(dataDir, { recursive: true, force: true });
    await migrate({ url: place?.url, dataDir });
    db = openDatabase({ url: place?.url, dataDir });
    clock = createTestClock();
  });
  afterEach(async () => {
    await db.destroy();
    await place?.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Inserts sessions, which expire after five minutes by default, and their messages. */
  async function insertSessions(number: number, { state = 'live', sent = true, test = false, minutes = 5 } = {}) {
    const ids = Array.from({ length: number }, () => randomBytes(16).toString('hex'));
    const now = clock.now();
    const price = { charge: '0.0100', currency: 'usd', country: 'US' };
    const common = { application_id: 1, recipient: '+14155550100', channel: 'SMS', created_at: now };
    const times = { expires_at: now + minutes * MINUTE };
    const session = { recipient_key: 'k', code_hash: 'h', code_length: 6, ...common, ...times };
    const tried = JSON.stringify([{ channel: 'SMS', success: sent, message: 'sent', price }]);
    const message = { template: 'otp', request_id: '', plan: '["SMS"]', tried, ...common, ...times, finished_at: now };
    await db('otp_sessions').insert(
      ids.map((id) => ({ mask_id: id, state, message_id: test ? null : id, ...session })),
    );
    if (!test) await db('messages').insert(ids.map((id) => ({ id, state: sent ? 'sent' : 'failed', ...message })));
  }

  /** Creates the counter of one process. It counts up to `batch` sessions in a transaction. */
  function createCounter(batch = 500) {
    const store = createCodeUsageStore(db);
    const countNext: typeof store.countNext = (until, _limit, count) => store.countNext(until, batch, count);
    const messages = createMessagesStore(db, async () => undefined);
    return createCodeUsage({ ...store, countNext }, messages, createUsageRecorder(db, clock), () => undefined, clock);
  }
  const storedCounts = async () => {
    const [sums] = await createUsage(createUsageRecorder(db, clock), async () => []).service.sums(RANGE, []);
    return sums && { codes: sums.codes, verified: sums.verified };
  };

  it('is counted two minutes after it has expired, but shown as soon as it exists', async () => {
    await insertSessions(3);
    await insertSessions(2, { state: 'verified' });
    await insertSessions(1, { state: 'ended' });
    clock.advance(6 * MINUTE);
    await createCounter().countExpired();
    expect(await storedCounts()).toBeUndefined();
    const usage = createUsage(createUsageRecorder(db, clock), createCounter().pending).service;
    expect(await usage.sums(RANGE, ['channel', 'country'])).toMatchObject([
      { channel: 'SMS', country: 'US', currency: 'usd', codes: 6, verified: 2 },
    ]);
    expect(await createCounter().pending([2])).toEqual([]);

    clock.advance(2 * MINUTE);
    await createCounter().countExpired();
    expect(await storedCounts()).toEqual({ codes: 6, verified: 2 });
    expect(await createCounter().pending([1])).toEqual([]);
  });

  it('is counted once, even by concurrent processes that count repeatedly and in batches', async () => {
    await insertSessions(30, { state: 'verified' });
    await insertSessions(23);
    clock.advance(8 * MINUTE);
    for (let round = 0; round < 2; round++)
      await Promise.all(
        [createCounter(4), createCounter(7), createCounter(5)].map((process) => process.countExpired()),
      );
    expect(await storedCounts()).toEqual({ codes: 53, verified: 30 });
  });

  it('is counted later if it expires later', async () => {
    await insertSessions(2, { minutes: 60 });
    await insertSessions(3);
    clock.advance(8 * MINUTE);
    await createCounter(2).countExpired();
    expect(await storedCounts()).toEqual({ codes: 3, verified: 0 });
    await insertSessions(1);
    clock.advance(60 * MINUTE);
    await createCounter(2).countExpired();
    expect(await storedCounts()).toEqual({ codes: 6, verified: 0 });
  });

  it('is not counted if the recipient is a test recipient or the send failed', async () => {
    await insertSessions(2, { test: true, state: 'verified' });
    await insertSessions(2, { sent: false });
    clock.advance(8 * MINUTE);
    await createCounter().countExpired();
    expect(await storedCounts()).toBeUndefined();
  });
});

it('the running service counts a code for the channel and country of its message, unless it is in the dev inbox', async () => {
  const passbell = await startService();
  const gateway = await startGatewayServer();
  const db = passbell.openDatabase();
  const stored = createUsage(createUsageRecorder(db, passbell.clock), async () => []).service;
  try {
    const keys = await passbell.application(NO_LIMITS);
    const applicationId = (await passbell.core.applications.service.find(keys.appKey))!.id;
    await addGateway(passbell, 'Local SMS', gateway);
    await waitForRoutingUpdate(passbell);
    const sendSms = async () => {
      const { data } = await passbell.post('/auth/sendotp', { to: freshPhone() }, { keys });
      return { maskId: data.results[0].maskId, code: findCode(gateway) };
    };
    const verified = [await sendSms(), await passbell.send(freshMail(), {}, { keys })];
    await sendSms();
    const order = { to: freshPhone(), authWay: 'sms', templateType: 'order_placed', variables: { orderId: '1' } };
    await passbell.post('/notifications/order', order, { keys });
    for (const { maskId, code } of verified) await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys });
    const counts = async () =>
      (await stored.sums({ applicationIds: [applicationId], from: DAY, to: DAY }, ['channel', 'country'])).map(
        ({ channel, country, sent, codes, verified: right }) => ({ channel, country, sent, codes, verified: right }),
      );
    const isCounted = async () => (await counts()).reduce((sum, { codes }) => sum + codes, 0) >= 2;
    passbell.clock.advance(8 * MINUTE);
    await until('the count of every code', isCounted, advancing(passbell.clock, 1000));
    expect(await counts()).toEqual([{ channel: 'SMS', country: 'US', sent: 3, codes: 2, verified: 1 }]);
  } finally {
    await db.destroy();
    await passbell.stop();
    await gateway.close();
  }
});
