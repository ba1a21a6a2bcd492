/**
 * Starts several processes of the service on MySQL and Redis, with a recording provider and clients that track their
 * sends.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createTestDatabase, redisUrl, type TestDatabase } from './databases.js';
import { runCommandWith, startProcess, type PassbellProcess } from './process.js';
import type { Body } from './service.js';
import { startTwilioServer, type TwilioServer } from './twilio-server.js';
import { until } from './wait.js';

export interface Sent {
  readonly to: string;
  readonly maskId: string;
}

export interface Fleet {
  readonly twilio: TwilioServer;
  readonly apis: PassbellProcess[];
  readonly workers: PassbellProcess[];
  /** Settings of every process, except ROLE. */
  readonly settings: Record<string, string>;
  /** Credentials of an application without limits. */
  readonly headers: Readonly<Record<string, string>>;
  start(role: 'api' | 'worker' | 'all', settings?: Record<string, string>): Promise<PassbellProcess>;
  /** `keys` replaces the credentials of the application without limits. */
  post(api: PassbellProcess, path: string, body: object, keys?: Record<string, string>): Promise<Body>;
  /** An unused phone number. */
  recipient(): string;
  /** Sends to a new recipient, rotating over the API processes. */
  send(): Promise<Body>;
  /** Sends until a message is accepted. Every rejection before must have a `retryAfterSeconds`. */
  sendWithRetries(): Promise<Sent>;
  verify(sent: Sent, otp?: string): Promise<Body>;
  /** Waits for the code to reach its recipient, and returns it. */
  codeOf(sent: Sent): Promise<string>;
  /** Sends over this many parallel connections until `stop()`, which returns the acknowledged sends. */
  startLoad(connections: number): { stop(): Promise<Sent[]> };
  /**
   * Waits until all messages are delivered, and returns the number of duplicates. A duplicate must have the same code.
   */
  waitForDelivery(all: readonly Sent[]): Promise<number>;
  close(): Promise<void>;
}

export interface FleetOptions {
  readonly apis?: number;
  readonly workers?: number;
  readonly databaseServer?: string;
  readonly redis?: string;
  readonly settings?: Record<string, string>;
}

const CODE = /\d{6}/;

async function createKeys(settings: Record<string, string>): Promise<Record<string, string>> {
  await runCommandWith(settings, 'init');
  const { appKey, appSecret } = JSON.parse(
    await runCommandWith(settings, 'app', 'create', '--name', 'Fleet', '--json'),
  );
  const off = ['--burst-per-second', '0', '--burst-per-minute', '0', '--channels', 'SMS'];
  await runCommandWith(settings, 'app', 'update', appKey, ...off);
  // The fraud guard would refuse many codes that nobody enters.
  await runCommandWith(settings, 'fraud', 'allow', appKey);
  return { clientId: appKey, clientSecret: appSecret, 'Content-Type': 'application/json' };
}

function assertRetryable(body: Body): void {
  if (!(body.retryAfterSeconds >= 1))
    throw new Error(`neither a success nor a retryAfterSeconds: ${JSON.stringify(body)}`);
}

export async function startFleet({ apis = 2, workers = 2, ...options }: FleetOptions = {}): Promise<Fleet> {
  const [twilio, database] = await Promise.all([startTwilioServer(), createTestDatabase(options.databaseServer)]);
  const settings = settingsOf(twilio, database, options);
  const headers = await createKeys(settings);
  const texts = () => twilio.requests.filter(({ method }) => method === 'POST').map(({ form }) => form);
  let recipients = 0;
  let calls = 0;

  const fleet: Fleet = {
    twilio,
    apis: [],
    workers: [],
    settings,
    headers,
    start: (ROLE, more = {}) => startProcess({ ...settings, ROLE, ...more }),
    async post(api, path, body, keys = {}) {
      const init = { method: 'POST', headers: { ...headers, ...keys }, body: JSON.stringify(body) };
      return (await (await fetch(`${api.url}/api/v1${path}`, init)).json()) as Body;
    },
    recipient: () => `+1${212 + (recipients % 7) * 100}555${String(1000 + Math.floor(recipients++ / 7))}`,
    async send() {
      const to = fleet.recipient();
      const body = await fleet.post(fleet.apis[calls++ % fleet.apis.length]!, '/auth/sendotp', { to, expiry: 60 });
      return { ...body, sent: { to, maskId: body.data?.results[0].maskId } };
    },
    sendWithRetries: () =>
      until<Sent | undefined>('a reply that says "sent"', async () => {
        const body = await fleet.send();
        if (!body.success) return void assertRetryable(body);
        return body.data.results[0].message === 'sent' ? body.sent : undefined;
      }),
    async codeOf({ to }) {
      const text = await until(`a text to ${to}`, () => texts().find((form) => form['To'] === to));
      return CODE.exec(text['Body']!)![0];
    },
    async verify(sent, otp) {
      const api = fleet.apis[calls++ % fleet.apis.length]!;
      return fleet.post(api, '/auth/verifyotp', { maskId: sent.maskId, otp: otp ?? (await fleet.codeOf(sent)) });
    },
    startLoad(connections) {
      const acknowledged: Sent[] = [];
      let stopped = false;
      const clients = Array.from({ length: connections }, async () => {
        while (!stopped) {
          const body = await fleet.send();
          if (body.success) acknowledged.push(body.sent);
          else assertRetryable(body);
          // The pauses leave CPU time for the service. They are longer after a rejection.
          await pause(body.success ? 20 : 50);
        }
      });
      const done = Promise.all(clients);
      // `stop()` reports a failed client. Without this handler, Node.js would end the worker of the tests before.
      done.catch(() => {});
      return {
        async stop() {
          stopped = true;
          await done;
          return acknowledged;
        },
      };
    },
    async waitForDelivery(all) {
      for (const sent of all) await fleet.codeOf(sent);
      const recipientsReached = new Set(texts().map((form) => form['To']));
      const codes = new Set(texts().map((form) => `${form['To']} ${CODE.exec(form['Body']!)![0]}`));
      if (codes.size !== recipientsReached.size)
        throw new Error('a recipient received two different codes for one send');
      return texts().length - recipientsReached.size;
    },
    async close() {
      await Promise.all([...fleet.apis, ...fleet.workers].map((process) => process.stop('SIGKILL')));
      await twilio.close();
      await database.drop();
    },
  };
  fleet.apis.push(...(await Promise.all(Array.from({ length: apis }, () => fleet.start('api')))));
  fleet.workers.push(...(await Promise.all(Array.from({ length: workers }, () => fleet.start('worker')))));
  return fleet;
}

function settingsOf(twilio: TwilioServer, database: TestDatabase, { redis, settings }: FleetOptions) {
  return {
    DATABASE_URL: database.url,
    REDIS_URL: redis ?? redisUrl(),
    SECRET_KEY: 'a key that only tests use and nobody else',
    PROVIDER_TIMEOUT_MS: '4000',
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_API_URL: twilio.url,
    ...settings,
  };
}
