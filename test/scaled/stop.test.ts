/** SIGTERM while codes are sent: nobody hears a broken connection, and nothing is lost or sent twice. */
import { setTimeout as pause } from 'node:timers/promises';
import { startFleet, type Fleet, type Sent } from '../support/fleet.js';
import type { PassbellProcess } from '../support/process.js';
import type { Body } from '../support/service.js';

let fleet: Fleet;
beforeAll(async () => void (fleet = await startFleet({ settings: { SEND_WAIT_MS: '20000' } })), 120_000);
afterAll(() => fleet.close());

interface Answer {
  readonly status: number;
  readonly body: Body;
}

/** `fetch` keeps its connections, like every client of a service. */
async function ask(url: string, method: string, body?: object): Promise<Answer> {
  const response = await fetch(url, { method, headers: fleet.headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, body: (await response.json()) as Body };
}

const codeOf = (error: unknown) => ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code;

/** Only a connection that was refused is tried elsewhere: anything else may have been taken. */
async function askAny(apis: readonly PassbellProcess[], path: string, body: object): Promise<Body> {
  for (const api of apis) {
    try {
      return (await ask(`${api.url}/api/v1${path}`, 'POST', body)).body;
    } catch (error) {
      if (codeOf(error) !== 'ECONNREFUSED') throw error;
    }
  }
  throw new Error('every process refused the connection');
}

/** Clients that send and verify without a pause until they are told to end; each reply must be a success. */
function startClients(count: number): { end(): Promise<Sent[]>; acknowledged: Sent[] } {
  const acknowledged: Sent[] = [];
  let ended = false;
  const clients = Array.from({ length: count }, async (_, n) => {
    for (let turn = n; !ended; turn++) {
      const to = fleet.recipient();
      // The other one first, every other time.
      const apis = turn % 2 === 0 ? fleet.apis : [...fleet.apis].reverse();
      const sent = await askAny(apis, '/auth/sendotp', { to, expiry: 60 });
      expect(sent).toMatchObject({ success: true });
      const { maskId } = sent.data.results[0];
      acknowledged.push({ to, maskId });
      const otp = await fleet.codeOf({ to, maskId });
      expect(await askAny(apis, '/auth/verifyotp', { maskId, otp })).toMatchObject({ success: true });
    }
  });
  const all = Promise.all(clients);
  all.catch(() => undefined);
  return { acknowledged, end: async () => ((ended = true), await all, acknowledged) };
}

async function untilMore(acknowledged: readonly Sent[], count: number): Promise<void> {
  for (const end = acknowledged.length + count; acknowledged.length < end;) await pause(10);
}

it('a rolling restart fails no reply, and every process ends with 0', async () => {
  const clients = startClients(6);
  for (const group of [fleet.apis, fleet.workers])
    for (const index of [0, 1]) {
      await untilMore(clients.acknowledged, 15);
      expect(await group[index]!.end('SIGTERM')).toBe(0);
      group[index] = await fleet.start(group === fleet.apis ? 'api' : 'worker');
    }
  await untilMore(clients.acknowledged, 15);
  expect(await fleet.delivered(await clients.end())).toBe(0);
}, 120_000);

it('a process that stops says so on the connections that stand', async () => {
  const api = await fleet.start('api');
  const ready = () => ask(`${api.url}/health/ready`, 'GET');
  // Holds a connection, so that the process stays for the question after the signal.
  expect(await ready()).toMatchObject({ status: 200 });
  const end = api.end('SIGTERM');
  let answer: Answer | undefined;
  // It may also try a new connection first.
  do answer = await ready().catch((error: unknown) => void expect(codeOf(error)).toBe('ECONNREFUSED'));
  while (answer?.status !== 503);
  expect(answer.body).toMatchObject({ stopping: true });
  expect(await end).toBe(0);
});

it('a worker that stops ends what it has in hand, also with a slow provider', async () => {
  await fleet.workers[1]!.end('SIGTERM');
  const before = fleet.twilio.requests.length;
  fleet.twilio.answer(async () => {
    // Longer than anything waits for Redis.
    await pause(2500);
    return 'accept' as const;
  });
  const sends = Array.from({ length: 6 }, () => fleet.send());
  await fleet.twilio.request(before + 6);
  expect(await fleet.workers[0]!.end('SIGTERM')).toBe(0);
  const replies = await Promise.all(sends);
  expect(replies.map(({ data }) => data?.results[0].message)).toEqual(Array(6).fill('sent'));
  expect(fleet.twilio.requests).toHaveLength(before + 6);
});
