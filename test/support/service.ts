/** Starts the service in this process, with a separate database and a clock that the test advances. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { SECOND } from '../../backend/src/platform/clock.js';
import { DEFAULT_LIMITS } from '../../backend/src/modules/applications/application-limits.js';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { rmSync } from 'node:fs';
import type { Core } from '../../backend/src/core.js';
import type { AddressRules } from '../../backend/src/platform/http/checked-address.js';
import { createLog } from '../../backend/src/platform/log.js';
import type { ApplicationChange } from '../../backend/src/modules/applications/application-change.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { createTestClock, type TestClock } from './clock.js';
import { checkReply } from './contract.js';
import { createDataFolder } from './data-folder.js';
import { startMembers } from './members.js';
import { STUCK_MS } from './wait.js';

export interface InboxMessage {
  id: string;
  channel: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  createdTime: number;
}

/** The body of a reply. Its type is `any` because each test asserts the expected shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Body = any;

export interface CallOptions {
  /** Headers that replace the defaults; undefined omits a header. */
  headers?: Record<string, string | undefined>;
  keys?: KeyPair;
}

export interface TestService {
  readonly url: string;
  readonly dataDir: string;
  readonly clock: TestClock;
  readonly core: Core;
  /** All processes of the service. */
  readonly cores: readonly Core[];
  /** Credentials of the application that is created at the first start. */
  readonly keys: KeyPair;
  /** All log lines so far. */
  readonly logged: string[];
  /** Calls an operation with a JSON body; checks the reply against the contract. */
  post(path: string, body: unknown, options?: CallOptions): Promise<Body>;
  /** Calls an operation with a query string; checks the reply against the contract. */
  get(path: string, query?: Record<string, string>, options?: CallOptions): Promise<Body>;
  /** Sends any request, and returns the response without checking it. */
  fetch(path: string, init?: RequestInit, options?: CallOptions): Promise<Response>;
  application(change?: ApplicationChange): Promise<KeyPair>;
  inbox(to?: string): Promise<InboxMessage[]>;
  /** The newest code for a recipient. */
  codeFor(to: string): Promise<string>;
  /** Sends a code, which must succeed; returns the first result and the delivered code. */
  send(to: string, parameters?: object, options?: CallOptions): Promise<Body & { code: string }>;
  /** Opens a connection to the database, which the test must destroy. */
  openDatabase(): Database;
  /** Restarts the service with the same data, clock and credentials. */
  restart(settings?: Record<string, string>): Promise<TestService>;
  stop(): Promise<void>;
}

/** Disables the limits on sends, but not the lockout. */
export const NO_SEND_LIMITS: ApplicationChange = {
  limits: { cooldownSeconds: 0, sendsPer10Minutes: 0, sendsPerDay: 0, burstPerSecond: 0, burstPerMinute: 0 },
};

/** Disables all limits of an application. */
export const NO_LIMITS: ApplicationChange = {
  limits: Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((name) => [name, 0])),
};

/** Returns a wrong code of the same length. Different values of `step` return different codes. */
export const wrongCode = (code: string, step = 1): string =>
  String((Number(code) + step) % 10 ** code.length).padStart(code.length, '0');

/**
 * Makes each call use a new connection. Client and server share a process: when the process is blocked for a long time
 * on a busy machine, the server may close an idle connection just when the client reuses it.
 */
const CLOSE_CONNECTION = { Connection: 'close' };

/** Advances the clock once a reply takes too long, like {@link advancingWhileStuck}. */
function advanceWhileStuck(path: string, clock: TestClock, reply: Promise<Response>): Promise<Response> {
  const start = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - start < STUCK_MS) return;
    console.error(`no reply to ${path} yet, so the clock advances`);
    clock.advance(SECOND);
  }, SECOND);
  return reply.finally(() => clearInterval(timer));
}

/** No DNS server listens there, so that tests never ask a real one. */
export const NO_DNS = { DNS_SERVERS: '127.0.0.1:1' };

let recipients = 0;
/** Returns a phone number that no other test in the file has used. */
export const freshPhone = (): string => `+1415555${String(1000 + ++recipients).slice(-4)}`;
export const freshMail = (): string => `person${++recipients}@example.com`;

export async function startService(
  settings: Record<string, string> = {},
  {
    clock = createTestClock(),
    dataDir = createDataFolder('test'),
    keys: earlierKeys,
    gatewayAddresses,
  }: {
    clock?: TestClock;
    dataDir?: string;
    keys?: KeyPair;
    /** IP addresses that the gateways of other accounts may call. */
    gatewayAddresses?: AddressRules | undefined;
  } = {},
): Promise<TestService> {
  const logged: string[] = [];
  const log = createLog('debug', { write: (line) => void logged.push(line) });
  const members = await startMembers({ DATA_DIR: dataDir, ...NO_DNS, ...settings }, { clock, log, gatewayAddresses });
  const core = members.first;
  const url = members.urls[0]!;
  let calls = 0;
  const keys = earlierKeys ?? (await core.applications.service.create(OPERATOR, { name: 'Test Shop' }));

  const call: TestService['fetch'] = (path, init = {}, options = {}) => {
    const { appKey, appSecret } = options.keys ?? keys;
    const headers = Object.entries({
      ...CLOSE_CONNECTION,
      clientId: appKey,
      clientSecret: appSecret,
      ...options.headers,
    });
    const defined = headers.filter((entry): entry is [string, string] => entry[1] !== undefined);
    // Rotates over the processes to detect state that is not shared.
    const url = `${members.urls[calls++ % members.urls.length]}${path}`;
    return advanceWhileStuck(path, clock, fetch(url, { ...init, headers: defined }));
  };

  const inbox = async (to = ''): Promise<InboxMessage[]> =>
    (
      await fetch(`${url}/dev/inbox.json?${new URLSearchParams({ to, key: core.devInbox!.key })}`, {
        headers: CLOSE_CONNECTION,
      })
    ).json() as Promise<InboxMessage[]>;

  const passbell: TestService = {
    url,
    dataDir,
    clock,
    core,
    cores: members.cores,
    keys,
    logged,
    fetch: call,
    inbox,
    async post(path, body, options = {}) {
      const headers = { 'Content-Type': 'application/json', ...options.headers };
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return checkReply(
        'post',
        path,
        await call(`/api/v1${path}`, { method: 'POST', body: text }, { ...options, headers }),
      );
    },
    async get(path, query = {}, options = {}) {
      return checkReply('get', path, await call(`/api/v1${path}?${new URLSearchParams(query)}`, {}, options));
    },
    async application(change) {
      const pair = await core.applications.service.create(OPERATOR, { name: 'Another Shop' });
      if (change) await core.applications.service.update(OPERATOR, pair.appKey, change);
      return pair;
    },
    async codeFor(to) {
      const [newest] = await inbox(to);
      // The text of a voice call separates the digits with commas.
      const code = newest?.text.replace(/(\d), (?=\d)/g, '$1').match(/\b\d{4,10}\b/)?.[0];
      if (!code) throw new Error(`no code for ${to} in the inbox`);
      return code;
    },
    async send(to, parameters = {}, options = {}) {
      const body = await passbell.post('/auth/sendotp', { to, ...parameters }, options);
      if (!body.success) throw new Error(`the send failed: ${JSON.stringify(body)}`);
      return { ...body.data.results[0], code: await passbell.codeFor(to) };
    },
    // The queries of a test must not fail because the machine is busy.
    openDatabase: () => openDatabase({ url: members.databaseUrl, dataDir, noTimeouts: true }),
    async restart(changed = {}) {
      await members.halt();
      return startService({ ...settings, ...changed }, { clock, dataDir, keys, gatewayAddresses });
    },
    async stop() {
      await members.halt();
      await members.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return passbell;
}
