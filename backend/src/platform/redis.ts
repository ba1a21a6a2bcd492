import { once } from 'node:events';
import type { RedisOptions } from 'ioredis';
import { SECOND, systemClock } from './clock.js';
import type { Log } from './log.js';
import { parseRedisUrl } from './redis-address.js';
import { inTime, openRedis, pingRedis, REDIS_TIMEOUT_MS, type RedisClient, type RedisTls } from './redis-client.js';
import { inspectServer, type ServerFindings } from './redis-server.js';
import { every } from './repeat.js';
import { createFailureLog } from './repeated-log.js';

/**
 * Number of consecutive failed pings after which all connections are replaced. The detection takes about six seconds.
 */
const FAILED_PINGS_BEFORE_RECONNECT = 2;
/** Minimum time between two reconnects of all connections. */
const RECONNECT_INTERVAL_MS = 1000;

export type RedisConnections = ReturnType<typeof connectRedis>;

/** All keys and channels start with `prefix`, so that installations can share a Redis. */
export function connectRedis(url: string, prefix: string, log: Log, tls: RedisTls = {}) {
  const { kind } = parseRedisUrl(url);
  const logFailure = createFailureLog(log);
  /** The time at which each connection last started to connect. */
  const connections = new Map<RedisClient, number>();
  let lastError: Error | undefined;
  let replacedAt = -Infinity;
  let reconnecting: NodeJS.Timeout | undefined;
  let reconnectedAt = -Infinity;

  /**
   * Reconnects a connection that was opened before the Redis server was replaced, because it may still be connected to
   * the old server.
   */
  function reconnectIfOld(connection: RedisClient): void {
    if (connection.status === 'ready' && connections.get(connection)! <= replacedAt) connection.disconnect(true);
  }

  /**
   * Reconnects all connections. Subscriber connections need this, because they receive no error when the Redis server
   * is replaced.
   */
  function reconnectAll(): void {
    replacedAt = performance.now();
    reconnecting ??= setTimeout(
      () => {
        reconnecting = undefined;
        reconnectedAt = performance.now();
        for (const connection of connections.keys()) reconnectIfOld(connection);
      },
      // Reconnects at most once per interval: until DNS returns the new server, every attempt reaches the old server.
      Math.max(0, reconnectedAt + RECONNECT_INTERVAL_MS - replacedAt),
    );
  }

  /** Returns whether an error shows that the Redis server has been replaced. If so, reconnects all connections. */
  function isReplaced({ message }: Error): boolean {
    const replaced = /\b(READONLY|UNBLOCKED)\b/.test(message);
    if (replaced) reconnectAll();
    return replaced;
  }

  function connect(options: RedisOptions = {}): RedisClient {
    const connection = openRedis(url, tls, { reconnectOnError: isReplaced, ...options });
    connection.on('error', (error: Error & { lastNodeError?: Error }) => {
      lastError = error.lastNodeError ?? error;
      logFailure(lastError, 'connection to Redis failed');
    });
    const recordStart = () => connections.set(connection, performance.now());
    recordStart();
    connection.on('connecting', recordStart).on('ready', () => reconnectIfOld(connection));
    return connection;
  }

  /** The connection for commands. While Redis is down, commands fail immediately, because requests wait for them. */
  const commands = connect({
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: REDIS_TIMEOUT_MS,
    // Sends all commands from one turn of the event loop together.
    enableAutoPipelining: true,
  });

  /** Sends a command over each connection that waits for messages. */
  const pingSubscribers: (() => Promise<unknown>)[] = [];

  // If the machine that runs Redis disappears, connections to it can stay open for hours, so pings detect the failure.
  let failedPings = 0;
  const pings = every(SECOND, systemClock, async () => {
    if (commands.status !== 'ready') return;
    const replies = [pingRedis(commands), ...pingSubscribers.map((ping) => inTime(ping()))];
    failedPings = await Promise.all(replies).then(
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

  /**
   * Returns why Passbell cannot use the server, or what can fail later. Returns nothing if the server does not reply, or
   * does not describe itself.
   */
  async function inspect(): Promise<ServerFindings> {
    if (kind === 'cluster' && /cluster support disabled/.test(lastError?.message ?? ''))
      return { problem: 'REDIS_URL points to a Redis that is not a Cluster. Write it as redis://host.' };
    return inspectServer(kind, await commands.info().catch(() => ''));
  }

  function close(): void {
    void pings.stop();
    clearTimeout(reconnecting);
    for (const connection of connections.keys()) connection.disconnect();
  }

  /**
   * Returns the start of the keys with this name. In a Cluster, it contains a hash tag, so that one command or script can
   * use several of these keys. Elsewhere, names never change, so that an upgrade finds its keys.
   */
  const keyspace = (name: string): string => (kind === 'cluster' ? `{${prefix}:${name}}` : `${prefix}:${name}`);

  return { prefix, keyspace, commands, pingSubscribers, connect, logFailure, inspect, ready, close };
}
