/** Connections to Redis. */
import { Redis, type RedisOptions } from 'ioredis';
import { REDIS_TIMEOUT_MS } from './limits.js';
import { describeError, type Log } from './log.js';

export type { Redis } from 'ioredis';

export interface RedisConnections {
  /** Begins the name of everything that is kept there. */
  readonly prefix: string;
  /** For commands. It fails at once while Redis is away, since the caller has a person waiting. */
  readonly commands: Redis;
  /** A connection of its own, for what blocks or subscribes. */
  connect(options?: RedisOptions): Redis;
  /** Closes all of them. */
  close(): void;
}

/** `prefix` keeps two installations on one Redis apart. */
export function connectRedis(url: string, prefix: string, log: Log): RedisConnections {
  const all: Redis[] = [];

  function connect(options: RedisOptions = {}): Redis {
    const connection = new Redis(url, {
      connectTimeout: REDIS_TIMEOUT_MS,
      // For ever, and soon: a Redis that comes back is used within a second.
      retryStrategy: (attempt) => Math.min(attempt * 50, 1000),
      // A replica that was promoted elsewhere refuses writes: look for the new one.
      reconnectOnError: (error) => error.message.startsWith('READONLY'),
      ...options,
    });
    connection.on('error', (error) => log.warn({ err: describeError(error) }, 'connection to Redis failed'));
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
    close() {
      for (const connection of all) connection.disconnect();
    },
  };
}
