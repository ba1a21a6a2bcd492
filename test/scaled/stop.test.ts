/** SIGTERM and SIGINT during sends: no connection breaks, and no message is lost or sent twice. */
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../backend/src/platform/db/database.js';
import { startFleet, type Fleet, type Sent } from '../support/fleet.js';
import type { PassbellProcess } from '../support/process.js';
import type { Body } from '../support/service.js';
import { until } from '../support/wait.js';

let fleet: Fleet;
beforeAll(
  async () => void (fleet = await startFleet({ settings: { SEND_WAIT_MS: '20000', PROVIDER_TIMEOUT_MS: '15000' } })),
);
afterAll(() => fleet.close());

interface Reply {
  readonly status: number;
  readonly body: Body;
}

/** Calls the service with `fetch`, which reuses connections, as most clients do. */
async function call(url: string, method: string, body?: object): Promise<Reply> {
  const response = await fetch(url, { method, headers: fleet.headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, body: (await response.json()) as Body };
}

const codeOf = (error: unknown) => ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code;

/** Tries the next process only after ECONNREFUSED: any other request may have been processed. */
async function callAny(apis: readonly PassbellProcess[], path: string, body: object): Promise<Body> {
  for (const api of apis) {
    try {
      return (await call(`${api.url}/api/v1${path}`, 'POST', body)).body;
    } catch (error) {
      if (codeOf(error) !== 'ECONNREFUSED')
        throw new Error(`${path} failed: ${codeOf(error) ?? error}`, { cause: error });
    }
  }
  throw new Error('every process refused the connection');
}

/** Sends and verifies on `count` connections until `stop()`; every reply must be a success. */
function startClients(count: number): { stop(): Promise<Sent[]>; acknowledged: Sent[] } {
  const acknowledged: Sent[] = [];
  let stopped = false;
  const clients = Array.from({ length: count }, async (_, n) => {
    for (let turn = n; !stopped; turn++) {
      const to = fleet.recipient();
      // Alternates the process that is tried first.
      const apis = turn % 2 === 0 ? fleet.apis : [...fleet.apis].reverse();
      const sent = await callAny(apis, '/auth/sendotp', { to, expiry: 60 });
      expect(sent).toMatchObject({ success: true });
      const { maskId } = sent.data.results[0];
      acknowledged.push({ to, maskId });
      const otp = await fleet.codeOf({ to, maskId });
      expect(await callAny(apis, '/auth/verifyotp', { maskId, otp })).toMatchObject({ success: true });
      // Leaves CPU time to the starting processes.
      await pause(20);
    }
  });
  const all = Promise.all(clients);
  all.catch(() => undefined);
  return { acknowledged, stop: async () => ((stopped = true), await all, acknowledged) };
}

function waitForMore(acknowledged: readonly Sent[], count: number): Promise<boolean> {
  const end = acknowledged.length + count;
  return until(`${count} more sends`, () => acknowledged.length >= end);
}

it('no request fails during a rolling restart, and every process exits with 0', async () => {
  const clients = startClients(6);
  for (const group of [fleet.apis, fleet.workers])
    for (const index of [0, 1]) {
      await waitForMore(clients.acknowledged, 15);
      expect(await group[index]!.stop('SIGTERM')).toBe(0);
      group[index] = await fleet.start(group === fleet.apis ? 'api' : 'worker');
    }
  await waitForMore(clients.acknowledged, 15);
  expect(await fleet.waitForDelivery(await clients.stop())).toBe(0);
});

it('a stopping process reports on open connections that it is stopping', async () => {
  const api = await fleet.start('api');
  const ready = () => call(`${api.url}/health/ready`, 'GET');
  // Keeps a connection open, on which the process still replies after the signal.
  expect(await ready()).toMatchObject({ status: 200 });
  const exit = api.stop('SIGTERM');
  const reply = await until('a reply with 503', async () => {
    // fetch may also try a new connection first, which the process refuses or resets.
    const next = await ready().catch((error: unknown) => void expect(codeOf(error)).toMatch(/^ECONN(REFUSED|RESET)$/));
    return next?.status === 503 && next;
  });
  expect(reply.body).toMatchObject({ stopping: true });
  expect(await exit).toBe(0);
});

/** Replies to sends after a time that is longer than any Redis timeout. */
const replyLate = (): void =>
  fleet.twilio.respondWith(async () => {
    await pause(2500);
    return 'accept' as const;
  });

it('a process that stops right after it accepted messages delivers them, even with a slow provider', async () => {
  const server = await fleet.start('all', { SEND_WAIT_MS: '0' });
  const before = fleet.twilio.requests.length;
  replyLate();
  const sends = Array.from({ length: 6 }, () =>
    fleet.post(server, '/auth/sendotp', { to: fleet.recipient(), expiry: 60 }),
  );
  expect((await Promise.all(sends)).map(({ success }) => success)).toEqual(Array(6).fill(true));
  // Unlike SIGTERM, SIGINT does not wait for idle connections.
  expect(await server.stop('SIGINT')).toBe(0);
  const db = openDatabase({ url: fleet.settings.DATABASE_URL!, dataDir: '' });
  expect(await db('messages').whereNot({ state: 'sent' })).toEqual([]);
  await db.destroy();
  expect(fleet.twilio.requests).toHaveLength(before + 6);
});

it('a stopping worker completes its messages, even with a slow provider', async () => {
  await fleet.workers[1]!.stop('SIGTERM');
  const before = fleet.twilio.requests.length;
  replyLate();
  const sends = Array.from({ length: 6 }, () => fleet.send());
  await fleet.twilio.waitForRequest(before + 6);
  expect(await fleet.workers[0]!.stop('SIGTERM')).toBe(0);
  const replies = await Promise.all(sends);
  expect(replies.map(({ data }) => data?.results[0].message)).toEqual(Array(6).fill('sent'));
  expect(fleet.twilio.requests).toHaveLength(before + 6);
});
