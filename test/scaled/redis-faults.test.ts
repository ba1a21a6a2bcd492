/** Redis fails in various ways during sends: sends are rejected or succeed, and verifies keep working. */
import { Redis } from 'ioredis';
import { startRedis, type PrivateServer } from '../support/databases.js';
import { startFleet, type Fleet } from '../support/fleet.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { wrongCode } from '../support/service.js';
import { until } from '../support/wait.js';

let first: PrivateServer;
let second: PrivateServer;
let proxy: TcpProxy;
let fleet: Fleet;

const portOf = (server: PrivateServer) => Number(new URL(server.url).port);

beforeAll(async () => {
  [first, second] = await Promise.all([startRedis(), startRedis()]);
  proxy = await startTcpProxy(portOf(first));
  const url = new URL(first.url);
  url.host = proxy.host;
  fleet = await startFleet({ redis: url.href, settings: { SEND_WAIT_MS: '1000' } });
});
afterAll(async () => {
  await fleet.close();
  proxy.close();
  await Promise.all([first.close(), second.close()]);
});

const sendUntilRejected = () =>
  until('a rejected send', async () => {
    const body = await fleet.send();
    if (!body.success)
      expect(body).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: expect.any(Number) });
    return !body.success;
  });

async function runRedisCommand(server: PrivateServer, ...words: string[]): Promise<void> {
  const client = new Redis(server.url);
  await client.call(words[0]!, ...words.slice(1));
  client.disconnect();
}

const faults: [name: string, rejects: boolean, inject: () => Promise<void>, recover: () => Promise<void>][] = [
  ['is stopped', true, () => first.stop(), () => first.start()],
  ['is killed', true, () => first.stop('SIGKILL'), () => first.start()],
  ['hangs', true, () => first.pause(), () => first.resume()],
  ['is emptied', false, () => runRedisCommand(first, 'FLUSHALL'), async () => {}],
  [
    'fails over, and the old server becomes read-only',
    false,
    async () => {
      await runRedisCommand(second, 'REPLICAOF', '127.0.0.1', String(portOf(first)));
      await runRedisCommand(second, 'REPLICAOF', 'NO', 'ONE');
      proxy.forwardTo(portOf(second));
      await runRedisCommand(first, 'REPLICAOF', '127.0.0.1', String(portOf(second)));
    },
    async () => {},
  ],
  [
    'vanishes without closing connections, and is replaced',
    true,
    async () => {
      await runRedisCommand(first, 'REPLICAOF', 'NO', 'ONE');
      proxy.stall();
      proxy.forwardTo(portOf(first));
    },
    async () => {},
  ],
];

it.each(faults)(
  'verification keeps working, and sends recover, when Redis %s',
  async (_name, rejects, inject, recover) => {
    const before = await fleet.sendWithRetries();
    const other = await fleet.sendWithRetries();
    const load = fleet.startLoad(6);
    await inject();
    if (rejects) {
      await sendUntilRejected();
      const ready = await fetch(`${fleet.apis[0]!.url}/health/ready`);
      expect([ready.status, await ready.json()]).toEqual([503, expect.objectContaining({ redis: 'unavailable' })]);
    }
    // Verifying does not depend on Redis.
    const code = await fleet.codeOf(before);
    expect(await fleet.verify(before, wrongCode(code))).toMatchObject({ success: false, code: 'INVALID_OTP' });
    expect(await fleet.verify(before, code)).toMatchObject({ success: true });
    expect(await fleet.verify(before, code)).toMatchObject({ success: false, code: 'INVALID_OTP' });
    await recover();

    const after = await fleet.sendWithRetries();
    for (const sent of [other, after]) expect(await fleet.verify(sent)).toMatchObject({ success: true });
    expect(await fleet.waitForDelivery(await load.stop())).toBe(0);
  },
);

it('a send reports its outcome although the worker cannot notify the API process', async () => {
  await runRedisCommand(first, 'ACL', 'SETUSER', 'default', 'resetchannels', '&*:queue:*');
  // On a busy machine, a message may take longer than a request waits.
  await until('the outcome in a reply', async () => (await fleet.send()).message === 'OTP sent successfully');
});
