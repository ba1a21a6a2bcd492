/**
 * Many messages are due in the same minute, while a worker and the database are killed, and Redis is emptied: all are sent,
 * none early, none twice, within the channel's rate. `SCHEDULED_MESSAGES=10000` runs the full test.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { startMysql, startRedis, type PrivateServer } from '../support/databases.js';
import { startFleet, type Fleet } from '../support/fleet.js';
import { expireLeases } from '../support/messages.js';
import { root, runCommandWith } from '../support/process.js';
import type { Body } from '../support/service.js';
import { until } from '../support/wait.js';

const MESSAGES = Number(process.env.SCHEDULED_MESSAGES ?? 500);
const PER_SECOND = 100;
const IN_FLIGHT = 16;
/** Counting rows takes time, which the service needs. */
const COUNT_PAUSE_MS = 250;

let mysql: PrivateServer;
let redis: PrivateServer;
let fleet: Fleet;
let db: Database;
beforeAll(async () => {
  [mysql, redis] = await Promise.all([startMysql(), startRedis()]);
  // On a busy machine, a reply of the local server can take longer than the shorter time limit of other tests.
  const settings = { CHANNEL_PER_SECOND: `0,SMS=${PER_SECOND}`, PROVIDER_TIMEOUT_MS: '120000' };
  fleet = await startFleet({ apis: 1, workers: 0, databaseServer: mysql.url, redis: redis.url, settings });
  const limits = ['--phone-notifications-per-day', '0', '--message-budget-per-day', '1000000'];
  await runCommandWith(fleet.settings, 'app', 'update', fleet.headers.clientId!, ...limits);
  for (const minutes of [15, -15]) fleet.workers.push(await startWorker(minutes));
  db = openDatabase({ url: fleet.settings.DATABASE_URL!, dataDir: '' });
});
afterAll(async () => {
  await db.destroy();
  await fleet.close();
  await Promise.all([mysql.close(), redis.close()]);
});

/** Starts a worker on a machine whose clock is wrong. */
const startWorker = (minutes: number) =>
  fleet.start('worker', {
    NODE_OPTIONS: `--import ${join(root, 'test/support/shift-clock.mjs')}`,
    CLOCK_SHIFT_MS: String(minutes * MINUTE),
  });

const sends = () => fleet.twilio.requests.filter(({ method }) => method === 'POST');
const sentTo = (share: number) =>
  until(
    `${share * 100}% of the messages`,
    () => sends().length >= share * MESSAGES,
    () => pause(COUNT_PAUSE_MS),
  );

/** Counts messages. The database may be down. */
async function count(condition: Record<string, string>): Promise<number> {
  const [{ rows }] = (await db('messages').where(condition).count({ rows: '*' })) as [Body];
  return Number(rows);
}

async function schedule(): Promise<void> {
  let next = 0;
  const sendAt = new Date(Date.now() + DAY).toISOString();
  const client = async () => {
    while (next < MESSAGES) {
      const orderId = `A-${next++}`;
      const request = { to: fleet.recipient(), templateType: 'order_shipped', variables: { orderId }, sendAt };
      expect(await fleet.post(fleet.apis[0]!, '/notifications/order', request)).toMatchObject({ success: true });
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, client));
}

it(`sends ${MESSAGES} messages that are due together once, despite kills of a worker, the database and Redis`, async () => {
  await schedule();
  expect(await count({ ending: 'scheduled' })).toBe(MESSAGES);
  // Brings the time forward, so that the test need not wait for a day.
  const sendAt = Date.now() + 3 * SECOND;
  await db('messages').update({ send_at: sendAt, due_at: sendAt, expires_at: sendAt + HOUR });

  const arrivals: number[] = [];
  fleet.twilio.respondWith(() => {
    arrivals.push(Date.now());
    return 'accept';
  });
  await sentTo(0.2);
  await fleet.workers[0]!.stop('SIGKILL');
  fleet.workers[0] = await startWorker(15);
  await sentTo(0.4);
  await mysql.stop('SIGKILL');
  await mysql.start();
  await sentTo(0.6);
  const client = new Redis(redis.url);
  await client.flushall();
  client.disconnect();
  await until(
    'the claim of every message',
    async () => (await count({ ending: 'scheduled' })) === 0,
    () => pause(COUNT_PAUSE_MS),
  );

  // Lets the processes finish, and then ends the leases of those that the killed worker and the lost replies left behind.
  await Promise.all([...fleet.apis, ...fleet.workers].map((process) => process.stop('SIGTERM')));
  await expireLeases(db);
  fleet.workers.push(await startWorker(15));
  await until(
    'the end of all messages',
    async () => (await count({ state: 'sent' })) === MESSAGES,
    () => pause(COUNT_PAUSE_MS),
  );

  expect(new Set(sends().map(({ form }) => form.To)).size).toBe(MESSAGES);
  expect(sends()).toHaveLength(MESSAGES);
  const rows: Body[] = await db('messages').select('tried');
  const started = rows.map(({ tried }) => JSON.parse(tried)[0].startedAt as number);
  expect(Math.min(...started)).toBeGreaterThanOrEqual(sendAt);
  const seconds = (arrivals.at(-1)! - arrivals[0]!) / SECOND;
  expect(MESSAGES / (seconds + 1)).toBeLessThanOrEqual(PER_SECOND);
  const [{ billed }] = (await db('usage_counts').sum({ billed: 'sent' })) as [Body];
  expect(Number(billed)).toBe(MESSAGES);
});
