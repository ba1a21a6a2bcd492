/**
 * Repeatedly kills all workers while they send through a route with two failing gateways: no message is lost, and a
 * kill causes at most one duplicate. Runs embedded and with two workers.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCore } from '../../backend/src/core.js';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { OPERATOR_ACCOUNT } from '../../backend/src/modules/applications/application.js';
import { readConfig } from '../../backend/src/platform/config/config.js';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { createLog } from '../../backend/src/platform/log.js';
import { createTestDatabase, redisUrl, type TestDatabase } from '../support/databases.js';
import { startGatewayServer, type GatewayBehavior, type GatewayServer } from '../support/gateway-server.js';
import { scaled } from '../support/members.js';
import { expireLeases } from '../support/messages.js';
import { startProcess, type PassbellProcess } from '../support/process.js';
import { gatewaySettings, VERIFIED } from '../support/providers.js';
import { NO_LIMITS } from '../support/service.js';
import { until } from '../support/wait.js';

const SENDS = 40;
const REPLIES_PER_ROUND = 5;
const ROUNDS = 4;
const WORKERS = scaled ? 2 : 1;
const BODY = '{"to": "{{ to }}", "text": "{{ text }}", "reference": "{{ messageId }}"}';

interface Accepted {
  readonly gateway: string;
  readonly to: string;
  readonly text: string;
  readonly reference: string;
}
/** All messages that the gateways have accepted, and therefore charged for. */
const accepted: Accepted[] = [];
/** Requests without a reply, whose worker will be killed. Calling a function accepts the message. */
const held: (() => Accepted)[] = [];
/**
 * Number of requests that get a reply. The gateways hold all further requests, so that each worker is killed during a
 * request.
 */
let replies = 0;

const dataDir = mkdtempSync(join(tmpdir(), 'passbell-gateways-'));
let first: GatewayServer;
let second: GatewayServer;
let database: TestDatabase | undefined;
let db: Database;
let settings: Record<string, string>;
let headers: Record<string, string>;
let services: PassbellProcess[] = [];

/** Accepts all messages except every `failingTurn`-th one. Each worker sends one message at a time. */
function behave(server: GatewayServer, gateway: string, failingTurn: number): void {
  let turn = 0;
  server.respondWith((request): GatewayBehavior | Promise<GatewayBehavior> => {
    if (request.method === 'GET') {
      const reference = request.path.split('/').at(-1);
      const isKnown = accepted.some((message) => message.gateway === gateway && message.reference === reference);
      return isKnown ? { status: 200, body: { id: reference } } : { status: 404 };
    }
    const message = { gateway, ...JSON.parse(request.body) } as Accepted;
    const accept = () => {
      accepted.push(message);
      return message;
    };
    if (replies-- <= 0) {
      held.push(accept);
      return 'silent';
    }
    if (++turn % failingTurn === 0) return { status: turn % 2 === 0 ? 503 : 429 };
    return { status: 200, body: { id: accept().reference } };
  });
}

const start = async (): Promise<PassbellProcess[]> =>
  Promise.all(
    scaled
      ? [startProcess({ ...settings, ROLE: 'worker' }), startProcess({ ...settings, ROLE: 'worker' })]
      : [startProcess(settings)],
  );

beforeAll(async () => {
  [first, second] = [await startGatewayServer(), await startGatewayServer()];
  behave(first, 'first', 3);
  behave(second, 'second', 4);
  database = scaled ? await createTestDatabase() : undefined;
  const storage = database && {
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl(),
    SECRET_KEY: 'a key that only tests use and nobody else',
  };
  settings = {
    DATA_DIR: dataDir,
    DEV_INBOX: 'off',
    SEND_WAIT_MS: '0',
    CHANNEL_CONCURRENCY: '1',
    PORT: '0',
    PROVIDER_TIMEOUT_MS: '120000',
    ...storage,
  };
  const core = await createCore(readConfig(settings), { log: createLog('silent'), jobs: false });
  const { appKey: clientId, appSecret: clientSecret } = await core.applications.service.create(OPERATOR, {
    name: 'Shop',
  });
  await core.applications.service.update(OPERATOR, clientId, { ...NO_LIMITS, settings: { countries: ['US'] } });
  headers = { clientId, clientSecret, 'Content-Type': 'application/json' };
  const accountId = await core.applications.service.createAccount(OPERATOR, OPERATOR_ACCOUNT);
  const lookUp = { lookUpUrl: `${first.url}/messages/{{ messageId }}`, lookUpFound: 'id exists', lookUpId: 'id' };
  const entries: { provider: string }[] = [];
  // Only the first gateway supports look-ups after a crash.
  for (const [name, server, more] of [['First', first, lookUp] as const, ['Second', second, {}] as const]) {
    const request = { type: 'http-gateway', name, settings: gatewaySettings(server, { body: BODY, ...more }) };
    entries.push({ provider: (await core.providers.service.add(OPERATOR, accountId, request, VERIFIED)).id });
  }
  await core.providers.routes.set(OPERATOR, { accountId, channel: 'SMS', country: '*', mode: 'ordered', entries });
  await core.stop();
  db = openDatabase({ url: database?.url, dataDir });
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop('SIGKILL')));
  await Promise.all([first.close(), second.close(), db.destroy()]);
  await database?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Sends all codes through an API process. Returns the recipients. */
async function sendAllCodes(): Promise<string[]> {
  const api = await startProcess(scaled ? { ...settings, ROLE: 'api' } : settings);
  const recipients = Array.from({ length: SENDS }, (_, n) => `+1415555${2000 + n}`);
  for (const to of recipients) {
    const body = JSON.stringify({ to, authWay: 'SMS', expiry: 60 });
    const reply = await fetch(`${api.url}/api/v1/auth/sendotp`, { method: 'POST', headers, body });
    expect(await reply.json()).toMatchObject({ success: true });
  }
  services.push(api);
  return recipients;
}

/** Kills all workers while they wait for a gateway. Returns the messages that the gateways had accepted by then. */
async function killAll(acceptsHeld: (n: number) => boolean): Promise<Accepted[]> {
  await until('a request of each worker', () => held.length === WORKERS);
  const unanswered = held.splice(0).flatMap((accept, n) => (acceptsHeld(n) ? [accept()] : []));
  await Promise.all(services.map((service) => service.stop('SIGKILL')));
  await expireLeases(db);
  return unanswered;
}

it('no message is lost, and a killed worker causes at most one duplicate', async () => {
  const recipients = await sendAllCodes();
  if (scaled) services.push(...(await start()));
  const unanswered: Accepted[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    unanswered.push(...(await killAll((n) => (round + n) % 2 === 0)));
    replies = round < ROUNDS - 1 ? REPLIES_PER_ROUND : Infinity;
    services = await start();
  }
  const states = async (): Promise<string[]> => db('messages').pluck('state');
  const isOpen = (state: string): boolean => state === 'queued' || state === 'sending';
  await until('the final state of all messages', async () => !(await states()).some(isOpen));
  expect(await states()).toEqual(Array(SENDS).fill('sent'));
  expect(new Set(accepted.map(({ to }) => to))).toEqual(new Set(recipients));
  expect(new Set(accepted.map(({ to, text }) => `${to} ${text}`)).size).toBe(SENDS);
  // Messages are looked up at the first gateway before they are sent again, so only the second gateway may get
  // duplicates.
  const duplicates = unanswered.filter(({ gateway }) => gateway === 'second').length;
  expect(accepted.length - SENDS).toBeLessThanOrEqual(duplicates);
  expect(new Set(accepted.map(({ gateway }) => gateway)).size).toBe(2);
});
