/** Private groups of Redis servers with failover: a primary that Sentinels monitor, or a Redis Cluster. Requires local programs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findProgram } from './find.js';
import { REDIS, type ServerKind } from './kinds.js';
import { startLocal, type PrivateServer } from './private-server.js';
import { until } from '../wait.js';

export interface RedisGroup {
  /** The value for `REDIS_URL`. */
  readonly url: string;
  readonly version: string;
  /** Kills the primary that has the limits of the installation with this key prefix. */
  killPrimary(prefix: string): Promise<void>;
  /** Starts the killed servers again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const REDIS_GROUPS = ['sentinel', 'cluster'] as const;
export type RedisGroupKind = (typeof REDIS_GROUPS)[number];

/** How long a server must not reply before its failover starts. The default is much longer, but tests would wait for it. */
const FAILOVER_MS = 1000;
const NAME = 'passbell';
const PRIMARIES = 3;
const SLOTS = 16_384;

const portOf = ({ url }: PrivateServer): number => Number(new URL(url).port);
const hostsOf = (servers: readonly PrivateServer[]): string =>
  servers.map((server) => `127.0.0.1:${portOf(server)}`).join(',');

function startRedis(more: Partial<ServerKind>): Promise<PrivateServer> {
  const program = REDIS.programs.map(findProgram).find(Boolean);
  if (program === undefined) throw new Error('The tests need redis-server for Sentinels and Clusters');
  return startLocal({ ...REDIS, ...more }, program, findProgram);
}

/** Starts a server with more options than the other tests use. */
const startWith = (...options: string[]): Promise<PrivateServer> =>
  startRedis({ commandLine: (place) => [...REDIS.commandLine(place), ...options] });

async function ask(server: PrivateServer, ...words: (string | number)[]): Promise<unknown> {
  const client = new Redis(server.url, { disconnectTimeout: 50 });
  return client.call(String(words[0]), ...words.slice(1)).finally(() => client.disconnect());
}

function groupOf(
  servers: readonly PrivateServer[],
  url: string,
  findPrimary: (prefix: string) => Promise<PrivateServer>,
) {
  const killed = new Set<PrivateServer>();
  return {
    url,
    version: servers[0]!.version,
    async killPrimary(prefix: string) {
      const server = await findPrimary(prefix);
      killed.add(server);
      await server.stop('SIGKILL');
    },
    async restart() {
      await Promise.all([...killed].map((server) => server.start()));
      killed.clear();
    },
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  };
}

const SENTINEL_CONFIGURATION = (primary: PrivateServer) => `
bind 127.0.0.1
sentinel monitor ${NAME} 127.0.0.1 ${portOf(primary)} 2
sentinel down-after-milliseconds ${NAME} ${FAILOVER_MS}
sentinel failover-timeout ${NAME} 10000
`;

/** Starts a primary with a replica and three Sentinels. */
async function startSentinelGroup(): Promise<RedisGroup> {
  const primary = await startWith();
  const startSentinel = () =>
    startRedis({
      prepare: async (_program, { folder }) =>
        writeFileSync(join(folder, 'sentinel.conf'), SENTINEL_CONFIGURATION(primary)),
      commandLine: ({ folder, port }) => [join(folder, 'sentinel.conf'), '--sentinel', '--port', `${port}`],
    });
  const [replica, ...sentinels] = await Promise.all([
    startWith('--replicaof', '127.0.0.1', String(portOf(primary)), '--repl-diskless-sync-delay', '0'),
    ...Array.from({ length: 3 }, startSentinel),
  ]);
  const knowsAll = async (sentinel: PrivateServer) =>
    /slaves=1,sentinels=3/.test(String(await ask(sentinel, 'info', 'sentinel')));
  for (const sentinel of sentinels) await until('a Sentinel that knows all servers', () => knowsAll(sentinel));
  await until('a replica', async () => /state=online/.test(String(await ask(primary, 'info', 'replication'))));
  const url = `redis+sentinel://${hostsOf(sentinels)}/${NAME}`;
  return groupOf([primary, replica, ...sentinels], url, async () => {
    const [, port] = (await ask(sentinels[0]!, 'sentinel', 'get-master-addr-by-name', NAME)) as [string, string];
    return [primary, replica].find((server) => portOf(server) === Number(port))!;
  });
}

/** Starts a Cluster of three primaries, each with a replica. */
async function startClusterGroup(): Promise<RedisGroup> {
  const startNode = () =>
    startRedis({
      commandLine: (place) => [
        ...REDIS.commandLine(place).filter((word, n, all) => ![word, all[n - 1]].includes('--databases')),
        '--cluster-enabled',
        'yes',
        '--cluster-node-timeout',
        String(FAILOVER_MS),
        // By default, the bus uses a port that outgoing connections can use, too.
        '--cluster-port',
        String(place.port - 10_000),
        '--repl-diskless-sync-delay',
        '0',
      ],
    });
  const nodes = await Promise.all(Array.from({ length: 2 * PRIMARIES }, startNode));
  const slotOf = (n: number) => Math.floor((n * SLOTS) / PRIMARIES);
  for (const [n, node] of nodes.slice(0, PRIMARIES).entries())
    await ask(node, 'cluster', 'addslotsrange', slotOf(n), slotOf(n + 1) - 1);
  for (const [n, node] of nodes.entries()) await ask(node, 'cluster', 'set-config-epoch', n + 1);
  for (const node of nodes.slice(1))
    await ask(node, 'cluster', 'meet', '127.0.0.1', portOf(nodes[0]!), portOf(nodes[0]!) - 10_000);
  const infoOf = async (node: PrivateServer) => String(await ask(node, 'cluster', 'info'));
  for (const node of nodes)
    await until('a node that knows all nodes', async () => /known_nodes:6/.test(await infoOf(node)));
  for (const [n, node] of nodes.slice(PRIMARIES).entries()) {
    const id = String(await ask(nodes[n]!, 'cluster', 'myid'));
    await until('a replica', () =>
      ask(node, 'cluster', 'replicate', id).then(
        () => true,
        () => false,
      ),
    );
  }
  const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
  for (const node of nodes) {
    await until('a node that is ready', async () => /cluster_state:ok/.test(await infoOf(node)));
    await until(
      'all replicas of a node',
      async () => countOf(String(await ask(node, 'cluster', 'nodes')), /slave/g) === PRIMARIES,
    );
  }
  return groupOf(nodes, `redis+cluster://${hostsOf(nodes.slice(0, PRIMARIES))}`, async (prefix) => {
    const [node] = nodes;
    const slot = Number(await ask(node!, 'cluster', 'keyslot', `{${prefix}:limit}`));
    const ranges = (await ask(node!, 'cluster', 'slots')) as [number, number, [string, number]][];
    const [, , [, port]] = ranges.find(([from, to]) => from <= slot && slot <= to)!;
    return nodes.find((server) => portOf(server) === port)!;
  });
}

export const startRedisGroup = (kind: RedisGroupKind): Promise<RedisGroup> =>
  kind === 'sentinel' ? startSentinelGroup() : startClusterGroup();
