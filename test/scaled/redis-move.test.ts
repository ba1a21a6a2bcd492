/** All connections of a process follow Redis to its new place, also when it moves again at once. */
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { createLog } from '../../backend/src/platform/log.js';
import { createBullQueue } from '../../backend/src/platform/queue/bull-queue.js';
import { connectRedis, type RedisConnections } from '../../backend/src/platform/redis.js';
import { startRedis, type PrivateServer } from '../support/databases.js';
import { openMovableAddress, type MovableAddress } from '../support/movable-address.js';

const log = createLog('silent');
const portOf = (server: PrivateServer) => Number(new URL(server.url).port);
const everywhere = <T>(value: T) => ({ SMS: value, WHATSAPP: value, VOICE: value, EMAIL: value });

let servers: PrivateServer[];
let admins: Redis[];
let address: MovableAddress;

beforeAll(async () => {
  servers = await Promise.all([startRedis(), startRedis()]);
  admins = servers.map(({ url }) => new Redis(url));
  address = await openMovableAddress(portOf(servers[0]!));
}, 60_000);
afterAll(async () => {
  admins.forEach((admin) => admin.disconnect());
  address.close();
  await Promise.all(servers.map((server) => server.close()));
});

function connect() {
  const url = new URL(servers[0]!.url);
  url.host = address.host;
  return connectRedis(url.href, `move-${process.pid}`, log);
}

/** The server at this place takes over from the other one, which takes no more writes. */
async function failOverTo(index: 0 | 1): Promise<void> {
  await admins[index]!.replicaof('NO', 'ONE');
  address.moveTo(portOf(servers[index]!));
  await admins[1 - index]!.replicaof('127.0.0.1', portOf(servers[index]!));
}

const turn = () => new Promise(setImmediate);

/** Writes until Redis replies so. */
async function until({ commands }: RedisConnections, reply: RegExp): Promise<void> {
  while (!reply.test(String(await commands.set('key', 'value').catch(String)))) await turn();
}

const listeners = async (admin: Redis) => String(await admin.client('LIST', 'TYPE', 'PUBSUB')).trim();

it('brings those that only listen along when Redis moves twice within a second', async () => {
  const redis = connect();
  const subscriber = redis.connect();
  await Promise.all([once(redis.commands, 'ready'), subscriber.subscribe('news')]);
  for (const index of [1, 0] as const) {
    await failOverTo(index);
    await until(redis, /READONLY/);
    await until(redis, /OK/);
  }
  while ((await listeners(admins[1]!)) !== '' || (await listeners(admins[0]!)) === '') await turn();
  redis.close();
});

it('tells that a Redis which takes no more writes did not take a job', async () => {
  const redis = connect();
  await once(redis.commands, 'ready');
  const queue = createBullQueue({ redis, log, pace: { concurrency: everywhere(1), perSecond: everywhere(0) } });
  await queue.enqueue({ id: 'one', channel: 'SMS' });
  await admins[0]!.replicaof('127.0.0.1', portOf(servers[1]!));
  await expect(queue.enqueue({ id: 'two', channel: 'SMS' })).rejects.toThrow('Redis did not take the jobs');
  await queue.stop();
  redis.close();
});
