/** Messages between the processes of an installation. */
import { randomUUID } from 'node:crypto';
import { createRedisBus } from '../../backend/src/platform/bus.js';
import { createLog } from '../../backend/src/platform/log.js';
import { connectRedis } from '../../backend/src/platform/redis.js';
import { redisUrl } from '../support/databases.js';
import { until } from '../support/wait.js';

it('subscribes to topics while its connection is being set up, and after a reconnect', async () => {
  const redis = connectRedis(redisUrl(), randomUUID(), createLog('silent'));
  const connections: ReturnType<typeof redis.connect>[] = [];
  const connect: typeof redis.connect = (options) => connections[connections.push(redis.connect(options)) - 1]!;
  const bus = createRedisBus({ ...redis, connect });
  const [subscriber] = connections;
  const received: string[] = [];
  subscriber!.once('connect', () => bus.subscribe('news', (text) => received.push(text)));
  const isReceived = (text: string) => () => {
    redis.commands.publish(`${redis.prefix}:news`, text).catch(() => undefined);
    return received.includes(text);
  };
  await until('a message after the first connection', isReceived('first'));
  subscriber!.disconnect(true);
  await until('a message after a reconnect', isReceived('second'));
  redis.close();
});
