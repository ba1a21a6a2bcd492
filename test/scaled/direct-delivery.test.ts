/** A process with both roles delivers new messages itself, without a job in Redis, while it has a free slot. */
import { Redis } from 'ioredis';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { startFleet, type Fleet } from '../support/fleet.js';
import { expireLeases } from '../support/messages.js';
import type { PassbellProcess } from '../support/process.js';
import { until } from '../support/wait.js';

const SLOTS = 2;

let fleet: Fleet;
let db: Database;
let redis: Redis;
beforeAll(async () => {
  const settings = { SEND_WAIT_MS: '0', CHANNEL_CONCURRENCY: String(SLOTS), PROVIDER_TIMEOUT_MS: '120000' };
  fleet = await startFleet({ apis: 0, workers: 0, settings });
  db = openDatabase({ url: fleet.settings.DATABASE_URL!, dataDir: '' });
  redis = new Redis(fleet.settings.REDIS_URL!);
});
afterAll(async () => {
  await db.destroy();
  redis.disconnect();
  await fleet.close();
});

/** Returns the number of jobs that were ever added to the queue for SMS. Bull counts them in this key. */
async function addedJobs(): Promise<number> {
  const prefix = new URL(fleet.settings.DATABASE_URL!).pathname.slice(1);
  return Number((await redis.get(`${prefix}:queue:SMS:id`)) ?? 0);
}

async function send(server: PassbellProcess): Promise<string> {
  const to = fleet.recipient();
  expect(await fleet.post(server, '/auth/sendotp', { to, expiry: 60 })).toMatchObject({ success: true });
  return to;
}

const statesOf = async (): Promise<string[]> => db('messages').orderBy(['created_at', 'id']).pluck('state');

it('stores a message as claimed while a slot is free; otherwise another process may deliver it', async () => {
  fleet.twilio.respondWith('silent');
  const server = await fleet.start('all');
  fleet.apis.push(server);
  const recipients: string[] = [];
  for (let n = 0; n < SLOTS; n++) recipients.push(await send(server));
  expect(await statesOf()).toEqual(Array(SLOTS).fill('sending'));
  expect(await addedJobs()).toBe(0);
  recipients.push(await send(server));
  expect((await statesOf()).sort()).toEqual(['queued', ...Array(SLOTS).fill('sending')]);
  expect(await addedJobs()).toBe(1);

  // A killed process loses none of its messages.
  await fleet.twilio.waitForRequest(SLOTS);
  await server.stop('SIGKILL');
  await expireLeases(db);
  fleet.twilio.respondWith('accept');
  fleet.workers.push(await fleet.start('worker'));
  await until('three sent messages', async () => (await statesOf()).every((state) => state === 'sent'));
  const reached = fleet.twilio.requests.filter(({ method }) => method === 'POST').map(({ form }) => form['To']);
  expect([...new Set(reached)].sort()).toEqual([...recipients].sort());
});

it('leaves messages to the workers if the process has only the role of the API', async () => {
  const before = await addedJobs();
  const api = await fleet.start('api');
  fleet.apis.push(api);
  await send(api);
  expect(await addedJobs()).toBe(before + 1);
});
