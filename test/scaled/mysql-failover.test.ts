/** MySQL fails over to another server during sends: nothing is lost, repeated, or refused for long. */
import { startMysqlPair, type MysqlPair, APP_USER } from '../support/servers/replication.js';
import { createTestDatabase, startRedis, type PrivateServer } from '../support/databases.js';
import { startFleet, type Fleet } from '../support/fleet.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/wait.js';

const NAME = 'failover';
const CONNECTIONS = 4;

let pair: MysqlPair;
let redis: PrivateServer;
let proxy: TcpProxy;
let fleet: Fleet;
const portOf = (index: 0 | 1) => Number(new URL(pair.servers[index].url).port);
const urlOf = (hosts: string) => `mysql://${APP_USER}:${APP_USER}@${hosts}/${NAME}`;
const bothHosts = () => urlOf(`127.0.0.1:${portOf(0)},127.0.0.1:${portOf(1)}`);

beforeAll(async () => {
  [pair, redis] = await Promise.all([startMysqlPair(), startRedis()]);
  proxy = await startTcpProxy(portOf(0));
  await createTestDatabase(pair.servers[0].url, NAME);
  fleet = await startFleet({
    workers: 1,
    redis: redis.url,
    databaseServer: pair.servers[0].url,
    settings: { DATABASE_URL: urlOf(proxy.host), SEND_WAIT_MS: '1000' },
  });
  // Uses the list of hosts instead of the proxy.
  fleet.apis.push(await fleet.start('all', { DATABASE_URL: bothHosts() }));
});
afterAll(async () => {
  await fleet.close().catch(() => {});
  proxy.close();
  await Promise.all([pair.close(), redis.close()]);
});

const readiness = async (n: number) => {
  const reply = await fetch(`${fleet.apis[n]!.url}/health/ready`);
  return [reply.status, ((await reply.json()) as { database: string }).database];
};

/** Sends to each process until it accepts a message. Returns the number of refused sends. */
async function refusedSends(): Promise<number> {
  let refused = 0;
  for (const api of fleet.apis)
    await until('an accepted send', async () => {
      const body = await fleet.post(api, '/auth/sendotp', { to: fleet.recipient(), expiry: 60 });
      if (!body.success) refused++;
      return body.success;
    });
  return refused;
}

it.each([
  ['keeps the connections to the old primary', 1, () => {}],
  ['cuts the connections to the old primary, which comes back', 0, () => proxy.cut()],
] as const)('loses, repeats and refuses no message when the address moves and %s', async (_how, next, cut) => {
  const before = await fleet.sendWithRetries();
  const load = fleet.startLoad(CONNECTIONS);
  await pair.promote(next);
  // The address still points to the old primary, which replies to queries.
  await until('a process that is not ready', async () => (await readiness(0))[0] === 503);
  expect(await readiness(0)).toEqual([503, 'unavailable']);
  proxy.forwardTo(portOf(next));
  cut();
  // A connection that was being opened when the address moved may still reach the old primary.
  expect(await refusedSends()).toBeLessThanOrEqual(CONNECTIONS);
  expect(await readiness(0)).toEqual([200, 'ok']);
  expect(await readiness(2)).toEqual([200, 'ok']);

  const code = await fleet.codeOf(before);
  const replies = [
    await fleet.verify(before, code),
    await fleet.verify(before, code),
    await fleet.verify(before, code),
  ];
  expect(replies.filter(({ success }) => success)).toHaveLength(1);
  const all = [before, ...(await load.stop())];
  expect(await fleet.waitForDelivery(all)).toBe(0);
});
