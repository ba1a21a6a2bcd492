/** Connections to Redis. */
import { once } from 'node:events';
import { Redis, type RedisOptions } from 'ioredis';
import { systemClock } from './clock.js';
import { REDIS_CHECK_MS, REDIS_MOVE_MS, REDIS_SILENT_CHECKS, REDIS_TIMEOUT_MS } from './limits.js';
import { describeError, type Log } from './log.js';
import { every } from './repeat.js';

export type { Redis } from 'ioredis';

export interface RedisConnections {
  /** Begins the name of everything that is kept there. */
  readonly prefix: string;
  /** For commands. It fails at once while Redis is away, since the caller has a person waiting. */
  readonly commands: Redis;
  /** A connection of its own, for what blocks or subscribes. */
  connect(options?: RedisOptions): Redis;
  /** As soon as those stand that there are by now; after a while also without. */
  ready(): Promise<void>;
  /** Closes all of them. */
  close(): void;
}

/** `prefix` keeps two installations on one Redis apart. */
export function connectRedis(url: string, prefix: string, log: Log): RedisConnections {
  /** Each with the time at which it last began to look for the server. */
  const all = new Map<Redis, number>();
  let replacedAt = -Infinity;
  let moving: NodeJS.Timeout | undefined;
  let movedAt = -Infinity;

  /** What was connected when the server was still the old one may lead to it. */
  function leave(connection: Redis): void {
    if (connection.status === 'ready' && all.get(connection)! <= replacedAt) connection.disconnect(true);
  }

  /** All connections look for the server anew, also those that only listen: they would stay, and hear nothing. */
  function move(): void {
    replacedAt = performance.now();
    moving ??= setTimeout(
      () => {
        moving = undefined;
        movedAt = performance.now();
        for (const connection of all.keys()) leave(connection);
      },
      // Until the address leads elsewhere, each of them would find the old one again, and again.
      Math.max(0, movedAt + REDIS_MOVE_MS - replacedAt),
    );
  }

  /** A server that takes no more writes has been replaced. */
  function isReplaced({ message }: Error): boolean {
    const replaced = /\b(READONLY|UNBLOCKED)\b/.test(message);
    if (replaced) move();
    return replaced;
  }

  function connect(options: RedisOptions = {}): Redis {
    const connection = new Redis(url, {
      connectTimeout: REDIS_TIMEOUT_MS,
      // For ever, and soon: a Redis that comes back is used within a second.
      retryStrategy: (attempt) => Math.min(attempt * 50, 1000),
      reconnectOnError: isReplaced,
      ...options,
    });
    connection.on('error', (error) => log.warn({ err: describeError(error) }, 'connection to Redis failed'));
    const begin = () => all.set(connection, performance.now());
    begin();
    connection.on('connecting', begin).on('ready', () => leave(connection));
    return connection;
  }

  const commands = connect({
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: REDIS_TIMEOUT_MS,
    // Commands of one turn of the event loop leave together.
    enableAutoPipelining: true,
  });

  // A machine that is gone without a word leaves connections that stand and say nothing, some of them for hours.
  let silent = 0;
  const watch = every(REDIS_CHECK_MS, systemClock, async () => {
    if (commands.status !== 'ready') return;
    silent = await commands.ping().then(
      () => 0,
      () => silent + 1,
    );
    if (silent % REDIS_SILENT_CHECKS === 0 && silent > 0) move();
  });

  return {
    prefix,
    commands,
    connect,
    async ready() {
      const signal = AbortSignal.timeout(REDIS_TIMEOUT_MS);
      const pending = [...all.keys()].filter(({ status }) => status !== 'ready');
      await Promise.all(pending.map((connection) => once(connection, 'ready', { signal }).catch(() => undefined)));
    },
    close() {
      void watch.stop();
      clearTimeout(moving);
      for (const connection of all.keys()) connection.disconnect();
    },
  };
}
