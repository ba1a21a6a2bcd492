/**
 * Kills processes of all three roles at random and empties Redis during sends, then checks the history of
 * acknowledged, delivered and verified codes. `CHAOS_SENDS=10000` runs the full test.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { openRedis } from '../../backend/src/platform/redis-client.js';
import { createInterruptions, expireLeases, type Interruptions } from '../support/messages.js';
import { startProcess, runCommandWith, type PassbellProcess } from '../support/process.js';
import { createTestDatabase, startPrivateRedis, type TestDatabase } from '../support/databases.js';
import type { PrivateServer, RedisGroup } from '../support/databases.js';
import type { Body } from '../support/service.js';
import { startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { until } from '../support/wait.js';

const SENDS = Number(process.env.CHAOS_SENDS ?? 600);
const KILLS = Math.max(4, Math.round(SENDS / 150));
const FLUSHES = 3;
const SEARCH_PAUSE_MS = 100;
const IN_FLIGHT = 16;

let twilio: TwilioServer;
let redis: PrivateServer | RedisGroup;
let database: TestDatabase;
let db: Database;
let interruptions: Interruptions;
let settings: Record<string, string>;
type Role = 'api' | 'worker' | 'all';

/** The roles of the processes that reply to requests. The second one also delivers the messages that it accepts. */
const API_ROLES = ['api', 'all'] as const;
const apis: PassbellProcess[] = [];
const workers: PassbellProcess[] = [];
let headers: Record<string, string>;

const start = (ROLE: Role) => startProcess({ ...settings, ROLE });

beforeAll(async () => {
  [twilio, redis, database] = await Promise.all([startTwilioServer(), startPrivateRedis(), createTestDatabase()]);
  db = openDatabase({ url: database.url, dataDir: '' });
  interruptions = createInterruptions(db);
  settings = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    SECRET_KEY: 'a key that only tests use and nobody else',
    SEND_WAIT_MS: '200',
    // A busy machine can delay a reply of the local server beyond a shorter timeout.
    PROVIDER_TIMEOUT_MS: '120000',
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_API_URL: twilio.url,
  };
  await runCommandWith(settings, 'init');
  const created = JSON.parse(await runCommandWith(settings, 'app', 'create', '--name', 'Chaos', '--json')) as Body;
  const off = ['--burst-per-second', '0', '--burst-per-minute', '0', '--channels', 'SMS'];
  await runCommandWith(settings, 'app', 'update', created.appKey, ...off);
  headers = { clientId: created.appKey, clientSecret: created.appSecret, 'Content-Type': 'application/json' };
  for (const role of API_ROLES) apis.push(await start(role));
  workers.push(await start('worker'), await start('worker'));
});

afterAll(async () => {
  await Promise.all([...apis, ...workers].map((process) => process.stop('SIGKILL')));
  await Promise.all([twilio.close(), redis.close(), db.destroy()]);
  await database.drop();
});

/** Calls a random API process, with a retry on a broken connection. Resolves to undefined if there is no reply. */
async function call(path: string, body: object, tries = 1): Promise<Body | undefined> {
  for (let i = 0; i < tries; i++) {
    const api = apis[randomInt(apis.length)]!;
    try {
      const reply = await fetch(`${api.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await reply.json()) as Body;
    } catch (error) {
      if (!['TypeError', 'SyntaxError'].includes((error as Error).name)) throw error;
    }
  }
  return undefined;
}

const texts = () => twilio.requests.filter(({ method }) => method === 'POST').map(({ form }) => form);
const codeOf = (text: string) => text.match(/\d{6}/)![0];

/** Kills and restarts a random process, or empties Redis. */
async function inject(kind: 'kill' | 'flush'): Promise<void> {
  if (kind === 'flush') {
    const client = openRedis(redis.url);
    await client.ping();
    await Promise.all((client instanceof Cluster ? client.nodes('master') : [client]).map((node) => node.flushall()));
    return void client.disconnect();
  }
  const group = randomInt(2) === 0 ? apis : workers;
  const index = randomInt(group.length);
  await interruptions.kill(group[index]!);
  group[index] = await start(group === apis ? API_ROLES[index]! : 'worker');
}

it(`loses none of ${SENDS} sends despite ${KILLS} kills and ${FLUSHES} Redis flushes`, async () => {
  const acknowledged = new Map<string, string>();
  const faults = [...Array(KILLS).fill('kill'), ...Array(FLUSHES).fill('flush')] as ('kill' | 'flush')[];
  const due = faults.map((kind) => ({ kind, at: randomInt(1, SENDS) })).sort((a, b) => a.at - b.at);
  let injecting = Promise.resolve();
  let next = 0;

  async function client(): Promise<void> {
    while (acknowledged.size < SENDS) {
      const to = `+1${200 + (next % 7) * 100 + 12}555${String(1000 + Math.floor(next / 7)).padStart(4, '0')}`;
      next++;
      if (due[0] !== undefined && acknowledged.size >= due[0].at) {
        const { kind } = due.shift()!;
        injecting = injecting.then(() => inject(kind));
      }
      const body = await call('/auth/sendotp', { to, expiry: 60 });
      if (body?.success) acknowledged.set(to, body.data.results[0].maskId);
      // Every rejection must include `retryAfterSeconds`. After a broken connection, the client waits until the process
      // has restarted.
      else if (body) expect(body.retryAfterSeconds).toBeGreaterThanOrEqual(1);
      else await injecting;
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, client));
  await injecting;
  // Lets the processes finish, and then ends the leases of the killed ones.
  await Promise.all([...apis, ...workers].map((process) => process.stop('SIGTERM')));
  await expireLeases(db);
  workers.push(await start('worker'), await start('worker'));
  for (const [index, role] of API_ROLES.entries()) apis[index] = await start(role);

  const missing = () => {
    const reached = new Set(texts().map((form) => form['To']));
    return [...acknowledged.keys()].filter((to) => !reached.has(to));
  };
  // Polls rarely, because searching all deliveries takes time.
  await until(
    'the delivery of every acknowledged send',
    () => missing().length === 0,
    () => pause(SEARCH_PAUSE_MS),
  );

  const history = texts();
  const recipients = new Set(history.map((form) => form['To']));
  expect(new Set(history.map((form) => `${form['To']} ${codeOf(form['Body']!)}`)).size).toBe(recipients.size);
  // A kill repeated at most the messages that were being sent at that moment.
  expect(interruptions.unexplained(history.map((form) => form['To']!))).toEqual([]);

  const codes = new Map(history.map((form) => [form['To']!, codeOf(form['Body']!)]));
  const sample = [...acknowledged].slice(0, 200);
  for (const [to, maskId] of sample) {
    const otp = codes.get(to)!;
    const replies = await Promise.all([otp, otp, otp].map((code) => call('/auth/verifyotp', { maskId, otp: code }, 5)));
    expect(replies.filter((reply) => reply?.success)).toHaveLength(1);
  }
});
