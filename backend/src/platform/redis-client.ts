/** Opens a connection to a single Redis, to the primary that Sentinels know, or to a Redis Cluster. */
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { SECOND } from './clock.js';
import { parseRedisUrl, type RedisAddress } from './redis-address.js';

/** How long a request waits for Redis before it fails with `SERVICE_UNAVAILABLE`. */
export const REDIS_TIMEOUT_MS = 2 * SECOND;

export type RedisClient = Redis | Cluster;

/** PEM texts. Without `ca`, the certificate of Redis must be from a public certificate authority. */
export interface RedisTls {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

const retryDelay = (attempt: number): number => Math.min(attempt * 50, SECOND);

function openCluster({ nodes, login, tls }: RedisAddress & { kind: 'cluster' }, files: RedisTls, own: RedisOptions) {
  const { enableOfflineQueue, ...options } = own;
  return new Cluster([...nodes], {
    ...(enableOfflineQueue === undefined ? {} : { enableOfflineQueue }),
    // Automatic pipelines would mix commands for several slots, which a Cluster rejects.
    enableAutoPipelining: false,
    clusterRetryStrategy: retryDelay,
    slotsRefreshTimeout: REDIS_TIMEOUT_MS,
    // With TLS, the certificate must match the name of the host, so names are not replaced by addresses.
    ...(tls ? { dnsLookup: (host, done) => done(null, host) } : {}),
    redisOptions: { ...login, ...(tls ? { tls: { ...files } } : {}), ...options, enableAutoPipelining: false },
  });
}

export function openRedis(url: string, files: RedisTls = {}, own: RedisOptions = {}): RedisClient {
  const address = parseRedisUrl(url);
  const options = { connectTimeout: REDIS_TIMEOUT_MS, retryStrategy: retryDelay, ...own };
  switch (address.kind) {
    case 'single':
      return new Redis(address.url, {
        ...(address.url.startsWith('rediss:') ? { tls: { ...files } } : {}),
        ...options,
      });
    case 'cluster':
      return openCluster(address, files, options);
    case 'sentinel': {
      const { nodes, name, db, login, sentinelLogin } = address;
      const tls = { tls: { ...files }, sentinelTLS: { ...files }, enableTLSForSentinelMode: true };
      return new Redis({
        sentinels: [...nodes],
        name,
        db,
        ...login,
        ...(sentinelLogin.username === undefined ? {} : { sentinelUsername: sentinelLogin.username }),
        ...(sentinelLogin.password === undefined ? {} : { sentinelPassword: sentinelLogin.password }),
        sentinelCommandTimeout: REDIS_TIMEOUT_MS,
        sentinelRetryStrategy: retryDelay,
        ...(address.tls ? tls : {}),
        ...options,
      });
    }
  }
}

/** Pings the server, or all primaries of a Cluster. Rejects if one of them does not reply. */
export async function pingRedis(client: RedisClient): Promise<void> {
  if (client instanceof Redis) return void (await client.ping());
  // ioredis handles closed connections to nodes itself, but not connections to a node that has disappeared.
  const pingNode = (node: Redis) =>
    node.ping().catch((error: Error) => {
      if (/timed out/.test(error.message)) throw error;
    });
  await Promise.all(client.nodes('master').map(pingNode));
}

/** Rejects if Redis does not reply in time. */
export function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('Redis did not reply in time')), REDIS_TIMEOUT_MS);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
