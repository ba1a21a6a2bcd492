/** All connections of a process follow Redis on a failover, also on two in quick succession. */
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { createLog } from '../../backend/src/platform/log.js';
import { createBullQueue } from '../../backend/src/platform/queue/bull-queue.js';
import { connectRedis, type RedisConnections } from '../../backend/src/platform/redis.js';
import { startRedis, type PrivateServer } from '../support/databases.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

const log = createLog('silent');
const portOf = (server: PrivateServer) => Number(new URL(server.url).port);
const allChannels = <T>(value: T) => ({ SMS: value, WHATSAPP: value, VOICE: value, EMAIL: value });

let servers: PrivateServer[];
let admins: Redis[];
let proxy: TcpProxy;

beforeAll(async () => {
  servers = await Promise.all([startRedis(), startRedis()]);
  admins = servers.map(({ url }) => new Redis(url));
  proxy = await startTcpProxy(portOf(servers[0]!));
}, 60_000);
afterAll(async () => {
  admins.forEach((admin) => admin.disconnect());
  proxy.close();
  await Promise.all(servers.map((server) => server.close()));
});

function connect() {
  const url = new URL(servers[0]!.url);
  url.host = proxy.host;
  return connectRedis(url.href, `move-${process.pid}`, log);
}

/** Promotes the server with this index; the other one becomes its read-only replica. */
async function failOverTo(index: 0 | 1): Promise<void> {
  await admins[index]!.replicaof('NO', 'ONE');
  proxy.forwardTo(portOf(servers[index]!));
  await admins[1 - index]!.replicaof('127.0.0.1', portOf(servers[index]!));
}

const nextTick = () => new Promise(setImmediate);

/** Writes until the reply matches. */
async function until({ commands }: RedisConnections, reply: RegExp): Promise<void> {
  while (!reply.test(String(await commands.set('key', 'value').catch(String)))) await nextTick();
}

const subscribers = async (admin: Redis) => String(await admin.client('LIST', 'TYPE', 'PUBSUB')).trim();

it('reconnects subscribers when Redis fails over twice within a second', async () => {
  const redis = connect();
  const subscriber = redis.connect();
  await Promise.all([once(redis.commands, 'ready'), subscriber.subscribe('news')]);
  for (const index of [1, 0] as const) {
    await failOverTo(index);
    await until(redis, /READONLY/);
    await until(redis, /OK/);
  }
  while ((await subscribers(admins[1]!)) !== '' || (await subscribers(admins[0]!)) === '') await nextTick();
  redis.close();
});

it('rejects a job when Redis has become read-only', async () => {
  const redis = connect();
  await once(redis.commands, 'ready');
  const queue = createBullQueue(redis, log, { concurrency: allChannels(1), perSecond: allChannels(0) });
  await queue.enqueue({ id: 'one', channel: 'SMS' });
  await admins[0]!.replicaof('127.0.0.1', portOf(servers[1]!));
  await expect(queue.enqueue({ id: 'two', channel: 'SMS' })).rejects.toThrow('Redis rejected the jobs');
  await queue.stop();
  redis.close();
});
