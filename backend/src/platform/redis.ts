import { once } from 'node:events';
import { Redis, type RedisOptions } from 'ioredis';
import { SECOND, systemClock } from './clock.js';
import { describeError, type Log } from './log.js';
import { every } from './repeat.js';

/** How long a request waits for Redis before it fails with `SERVICE_UNAVAILABLE`. */
export const REDIS_TIMEOUT_MS = 2000;
/** Failed pings in a row after which all connections are replaced: about six seconds in total. */
const FAILED_PINGS_BEFORE_RECONNECT = 2;
/** Shortest time between two rounds of reconnecting. */
const RECONNECT_INTERVAL_MS = 1000;

export type RedisConnections = ReturnType<typeof connectRedis>;

/** All keys and channels start with `prefix`, so that installations can share a Redis. */
export function connectRedis(url: string, prefix: string, log: Log) {
  /** Connections with the time at which each last started to connect. */
  const connections = new Map<Redis, number>();
  let replacedAt = -Infinity;
  let reconnecting: NodeJS.Timeout | undefined;
  let reconnectedAt = -Infinity;

  /** A connection that was opened before the server was replaced may still go to the old server. */
  function reconnectIfOld(connection: Redis): void {
    if (connection.status === 'ready' && connections.get(connection)! <= replacedAt) connection.disconnect(true);
  }

  /** Reconnects all connections. Subscribers receive no error from a replaced server, so they cannot detect it. */
  function reconnectAll(): void {
    replacedAt = performance.now();
    reconnecting ??= setTimeout(
      () => {
        reconnecting = undefined;
        reconnectedAt = performance.now();
        for (const connection of connections.keys()) reconnectIfOld(connection);
      },
      // Until the address resolves to the new server, every reconnect reaches the old one.
      Math.max(0, reconnectedAt + RECONNECT_INTERVAL_MS - replacedAt),
    );
  }

  /** A server that rejects writes has been replaced. */
  function isReplaced({ message }: Error): boolean {
    const replaced = /\b(READONLY|UNBLOCKED)\b/.test(message);
    if (replaced) reconnectAll();
    return replaced;
  }

  function connect(options: RedisOptions = {}): Redis {
    const connection = new Redis(url, {
      connectTimeout: REDIS_TIMEOUT_MS,
      retryStrategy: (attempt) => Math.min(attempt * 50, 1000),
      reconnectOnError: isReplaced,
      ...options,
    });
    connection.on('error', (error) => log.warn({ err: describeError(error) }, 'connection to Redis failed'));
    const recordStart = () => connections.set(connection, performance.now());
    recordStart();
    connection.on('connecting', recordStart).on('ready', () => reconnectIfOld(connection));
    return connection;
  }

  /** The connection for commands, which fail immediately while Redis is down, because a request is waiting. */
  const commands = connect({
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: REDIS_TIMEOUT_MS,
    // Sends the commands of one turn of the event loop together.
    enableAutoPipelining: true,
  });

  // When a machine disappears, its connections can stay open for hours without receiving anything.
  let failedPings = 0;
  const pings = every(SECOND, systemClock, async () => {
    if (commands.status !== 'ready') return;
    failedPings = await commands.ping().then(
      () => 0,
      () => failedPings + 1,
    );
    if (failedPings > 0 && failedPings % FAILED_PINGS_BEFORE_RECONNECT === 0) reconnectAll();
  });

  /** Waits until the connections opened so far are ready, or for {@link REDIS_TIMEOUT_MS}. */
  async function ready(): Promise<void> {
    const signal = AbortSignal.timeout(REDIS_TIMEOUT_MS);
    const pending = [...connections.keys()].filter(({ status }) => status !== 'ready');
    await Promise.all(pending.map((connection) => once(connection, 'ready', { signal }).catch(() => undefined)));
  }

  function close(): void {
    void pings.stop();
    clearTimeout(reconnecting);
    for (const connection of connections.keys()) connection.disconnect();
  }

  return { prefix, commands, connect, ready, close };
}
