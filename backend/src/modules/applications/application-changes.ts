/** Tells every process that an application changed, so that none goes on with what it remembers. */
import type { RedisConnections } from '../../platform/redis.js';

export interface ApplicationChanges {
  /** Tells all processes, this one at once. */
  announce(appKey: string): Promise<void>;
  listen(changed: (appKey: string) => void): void;
}

/** One process: it tells itself. The operator command is another one, which the age limit of the cache covers. */
export function createApplicationChanges(): ApplicationChanges {
  const listeners: ((appKey: string) => void)[] = [];
  return {
    announce: async (appKey) => listeners.forEach((changed) => changed(appKey)),
    listen: (changed) => void listeners.push(changed),
  };
}

/** Through Redis. What is lost while Redis is away, the age limit of the cache covers. */
export function createRedisApplicationChanges(redis: RedisConnections): ApplicationChanges {
  const local = createApplicationChanges();
  const channel = `${redis.prefix}:application`;
  return {
    async announce(appKey) {
      await local.announce(appKey);
      await redis.commands.publish(channel, appKey).catch(() => undefined);
    },
    listen(changed) {
      local.listen(changed);
      const subscriber = redis.connect();
      subscriber.subscribe(channel).catch(() => undefined);
      subscriber.on('message', (_channel, appKey) => changed(appKey));
    },
  };
}
