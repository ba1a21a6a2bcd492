/** A process with both roles delivers new messages itself, without a job in Redis, while it has a free slot. */
import { HOUR } from '../../backend/src/platform/clock.js';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { parseRedisUrl } from '../../backend/src/platform/redis-address.js';
import { openRedis, type RedisClient } from '../../backend/src/platform/redis-client.js';
import { startFleet, type Fleet } from '../support/fleet.js';
import { expireLeases } from '../support/messages.js';
import type { PassbellProcess } from '../support/process.js';
import { until } from '../support/wait.js';

const SLOTS = 2;

let fleet: Fleet;
let db: Database;
let redis: RedisClient;
beforeAll(async () => {
  const settings = { SEND_WAIT_MS: '0', CHANNEL_CONCURRENCY: String(SLOTS), PROVIDER_TIMEOUT_MS: '120000' };
  fleet = await startFleet({ apis: 0, workers: 0, settings });
  db = openDatabase({ url: fleet.settings.DATABASE_URL!, dataDir: '' });
  redis = openRedis(fleet.settings.REDIS_URL!);
});
afterAll(async () => {
  await db.destroy();
  redis.disconnect();
  await fleet.close();
});

function keyOf(name: string): string {
  const start = `${new URL(fleet.settings.DATABASE_URL!).pathname.slice(1)}:queue`;
  const isCluster = parseRedisUrl(fleet.settings.REDIS_URL!).kind === 'cluster';
  return `${isCluster ? `{${start}}` : start}:SMS:${name}`;
}

/** Returns the number of jobs that were ever added to the queue for SMS. Bull counts them in this key. */
const addedJobs = async (): Promise<number> => Number((await redis.get(keyOf('id'))) ?? 0);

async function send(server: PassbellProcess, to = fleet.recipient()): Promise<void> {
  expect(await fleet.post(server, '/auth/sendotp', { to, expiry: 60 })).toMatchObject({ success: true });
}

const stateOf = async (to: string): Promise<string> => (await db('messages').where({ recipient: to }).first()).state;

it('delivers without a job while a slot is free; another process delivers the other messages', async () => {
  const held = new Set<string>();
  fleet.twilio.respondWith(({ form }) => (held.has(form['To']!) ? 'silent' : 'accept'));
  const server = await fleet.start('all');
  fleet.apis.push(server);
  for (let n = 0; n < SLOTS; n++) {
    const to = fleet.recipient();
    held.add(to);
    await send(server, to);
    expect(await stateOf(to)).toBe('sending');
  }
  expect(await addedJobs()).toBe(0);

  // The process fetches the job of the next message, but has no free slot. The later `due_at` keeps the sweeper away.
  const other = fleet.recipient();
  await send(server, other);
  expect(
    await db('messages')
      .where({ recipient: other })
      .update({ due_at: Date.now() + HOUR }),
  ).toBe(1);
  await until('a job that waits for a slot', async () => (await redis.llen(keyOf('active'))) === 1);
  fleet.workers.push(await fleet.start('worker'));
  await until('a message sent by the worker', async () => (await stateOf(other)) === 'sent');
  expect(await Promise.all([...held].map(stateOf))).toEqual(Array(SLOTS).fill('sending'));

  // If the process is killed, the worker delivers its messages.
  await server.stop('SIGKILL');
  await expireLeases(db);
  fleet.twilio.respondWith('accept');
  for (const to of held) await until('a message of the killed process', async () => (await stateOf(to)) === 'sent');
});

it('an API process (ROLE=api) leaves its messages to the workers', async () => {
  const before = await addedJobs();
  const api = await fleet.start('api');
  fleet.apis.push(api);
  await send(api);
  expect(await addedJobs()).toBe(before + 1);
});
