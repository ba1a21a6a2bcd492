/** Connections to Redis. */
import { once } from 'node:events';
import { Redis, type RedisOptions } from 'ioredis';
import { REDIS_MOVE_MS, REDIS_SILENT_MS, REDIS_TIMEOUT_MS } from './limits.js';
import { describeError, type Log } from './log.js';

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
  const all: Redis[] = [];
  let movedAt = 0;

  /** All connections look for the server anew, also those that only listen: they would stay with the old one, and hear nothing. */
  function move(): void {
    if (performance.now() - movedAt < REDIS_MOVE_MS) return;
    movedAt = performance.now();
    for (const connection of all) if (connection.status === 'ready') connection.disconnect(true);
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
      // A machine that is gone without a word says nothing on the connections that it had.
      socketTimeout: REDIS_SILENT_MS,
      // For ever, and soon: a Redis that comes back is used within a second.
      retryStrategy: (attempt) => Math.min(attempt * 50, 1000),
      reconnectOnError: isReplaced,
      ...options,
    });
    connection.on('error', (error) => {
      log.warn({ err: describeError(error) }, 'connection to Redis failed');
      if (/^Socket timeout/.test(error.message)) move();
    });
    all.push(connection);
    return connection;
  }

  return {
    prefix,
    commands: connect({
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: REDIS_TIMEOUT_MS,
      // Commands of one turn of the event loop leave together.
      enableAutoPipelining: true,
    }),
    connect,
    async ready() {
      const signal = AbortSignal.timeout(REDIS_TIMEOUT_MS);
      const pending = all.filter(({ status }) => status !== 'ready');
      await Promise.all(pending.map((connection) => once(connection, 'ready', { signal }).catch(() => undefined)));
    },
    close() {
      for (const connection of all) connection.disconnect();
    },
  };
}
