/** All connections of a process switch to the new Redis primary, even on two failovers in quick succession. */
import { Redis } from 'ioredis';
import { createLog } from '../../backend/src/platform/log.js';
import { createBullQueue } from '../../backend/src/platform/queue/bull-queue.js';
import { connectRedis, type RedisConnections } from '../../backend/src/platform/redis.js';
import { startRedis, type PrivateServer } from '../support/databases.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { allChannels } from '../support/pace.js';
import { until, waiting } from '../support/wait.js';

const log = createLog('silent');
const portOf = (server: PrivateServer) => Number(new URL(server.url).port);

let servers: PrivateServer[];
let admins: Redis[];
let proxy: TcpProxy;

beforeAll(async () => {
  servers = await Promise.all([startRedis(), startRedis()]);
  admins = servers.map(({ url }) => new Redis(url));
  proxy = await startTcpProxy(portOf(servers[0]!));
});
afterAll(async () => {
  admins.forEach((admin) => admin.disconnect());
  proxy.close();
  await Promise.all(servers.map((server) => server.close()));
});

let redis: RedisConnections;
beforeEach(() => {
  const url = new URL(servers[0]!.url);
  url.host = proxy.host;
  redis = connectRedis(url.href, `move-${process.pid}`, log);
});
afterEach(() => redis.close());

const ready = () => until('a connection to Redis', () => redis.commands.status === 'ready');

/** Promotes the server with this index; the other server becomes its read-only replica. */
async function failOverTo(index: 0 | 1): Promise<void> {
  await admins[index]!.replicaof('NO', 'ONE');
  proxy.forwardTo(portOf(servers[index]!));
  await admins[1 - index]!.replicaof('127.0.0.1', portOf(servers[index]!));
}

/** Writes until the reply matches. */
const writeUntil = (reply: RegExp) =>
  until(`the reply ${reply} to a write`, async () =>
    reply.test(String(await redis.commands.set('key', 'value').catch(String))),
  );

/** Returns the connection ids of the subscribers on a server. */
async function subscriberIds(index: 0 | 1): Promise<string[]> {
  const list = String(await admins[index]!.client('LIST', 'TYPE', 'PUBSUB'));
  return [...list.matchAll(/^id=(\d+)/gm)].map(([, id]) => id!);
}

it('reconnects subscribers when Redis fails over twice within a second', async () => {
  const subscriber = redis.connect();
  await Promise.all([ready(), waiting('the subscription', subscriber.subscribe('news'))]);
  const before = await subscriberIds(0);
  for (const index of [1, 0] as const) {
    await failOverTo(index);
    await writeUntil(/READONLY/);
    await writeUntil(/OK/);
  }
  const hasMoved = async () => {
    const ids = await subscriberIds(0);
    return ids.length > 0 && !ids.some((id) => before.includes(id)) && (await subscriberIds(1)).length === 0;
  };
  await until('a new connection of the subscriber to the first server', hasMoved);
});

it('rejects a job when Redis has become read-only', async () => {
  await ready();
  const queue = createBullQueue(redis, { concurrency: allChannels(1), perSecond: allChannels(0) });
  await queue.enqueue({ id: 'one', channel: 'SMS' });
  await admins[0]!.replicaof('127.0.0.1', portOf(servers[1]!));
  await expect(queue.enqueue({ id: 'two', channel: 'SMS' })).rejects.toThrow('Redis rejected the jobs');
  await queue.stop();
});
