/** Private groups of Redis servers with failover: a primary that Sentinels monitor, or a Redis Cluster. Requires local programs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRedis } from '../../../backend/src/platform/redis-client.js';
import { findProgram } from './find.js';
import { queryRedisVersion, REDIS, type ServerKind, type ServerLocation } from './kinds.js';
import { startLocal, type PrivateServer } from './private-server.js';
import { until } from '../wait.js';

export interface RedisGroup {
  /** The value for `REDIS_URL`. */
  readonly url: string;
  readonly version: string;
  /** Kills or freezes the primary that has the limits of the installation with this key prefix. */
  failPrimary(prefix: string, how: 'killed' | 'frozen'): Promise<void>;
  /** Freezes the server to which a subscriber of this channel is connected. */
  freezeSubscribed(channel: string): Promise<void>;
  /** Starts the killed and continues the frozen servers, and waits until they can replace the primary. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** PEM files: the servers' CA, and a certificate for the servers and their clients. */
export interface SecureFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export const REDIS_GROUPS = ['sentinel', 'cluster'] as const;
export type RedisGroupKind = (typeof REDIS_GROUPS)[number];

/** How long a server must not reply before its failover starts. The default is much longer, but tests would wait for it. */
const FAILOVER_MS = 1000;
const NAME = 'passbell';
const PRIMARIES = 3;
const SLOTS = 16_384;

/** With characters that have a meaning in URLs. */
const PASSWORD = 'p@ss:word/of?redis#%';
const SENTINEL_PASSWORD = 'p@ss:word/of?sentinels#&%';

const portOf = ({ url }: PrivateServer): number => Number(new URL(url).port);
const hostsOf = (servers: readonly PrivateServer[]): string =>
  servers.map((server) => `127.0.0.1:${portOf(server)}`).join(',');

/** How the servers of a group are started and called: with passwords and TLS if there are `files`. */
function createAccess(files: SecureFiles | undefined) {
  const program = REDIS.programs.map(findProgram).find(Boolean);
  if (program === undefined) throw new Error('The tests need redis-server for Sentinels and Clusters');
  const tls = files && {
    ca: readFileSync(files.ca, 'utf8'),
    cert: readFileSync(files.cert, 'utf8'),
    key: readFileSync(files.key, 'utf8'),
  };
  const fileOptions = files
    ? { 'tls-cert-file': files.cert, 'tls-key-file': files.key, 'tls-ca-cert-file': files.ca, 'tls-replication': 'yes' }
    : {};
  const scheme = files ? 'rediss' : 'redis';
  const login = (password: string) => (files ? `:${encodeURIComponent(password)}@` : '');
  const kindFor = (password: string): ServerKind => ({
    ...REDIS,
    url: (port) => `${scheme}://${login(password)}127.0.0.1:${port}`,
    queryVersion: (url) => queryRedisVersion(url, tls),
  });
  return {
    scheme,
    login,
    /** Options for a port and, with TLS, for certificates. */
    optionsFor: (port: number): Record<string, string> =>
      files ? { port: '0', 'tls-port': String(port), ...fileOptions } : { port: String(port) },
    start: (more: Partial<ServerKind>, password = PASSWORD): Promise<PrivateServer> =>
      startLocal({ ...kindFor(password), ...more }, program, findProgram),
    passwordOptions: files ? { requirepass: PASSWORD, masterauth: PASSWORD } : {},
    async ask(server: PrivateServer, ...words: (string | number)[]): Promise<unknown> {
      const client = openRedis(server.url, tls, { disconnectTimeout: 50 });
      // Without a listener, ioredis prints the error, which also rejects the call.
      client.on('error', () => {});
      return client.call(String(words[0]), ...words.slice(1)).finally(() => client.disconnect());
    },
  };
}

type Access = ReturnType<typeof createAccess>;

/** Returns the command line of a server, with more options than the other tests use. */
function commandLineOf(access: Access, place: ServerLocation, more: Readonly<Record<string, string>>): string[] {
  const options = { ...access.optionsFor(place.port), ...access.passwordOptions, ...more };
  return [
    ...REDIS.commandLine(place),
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, ...value.split(' ')]),
  ];
}

function groupOf(
  { ask }: Access,
  servers: readonly PrivateServer[],
  url: string,
  findPrimary: (prefix: string) => Promise<PrivateServer>,
): RedisGroup {
  const killed = new Set<PrivateServer>();
  const frozen = new Set<PrivateServer>();
  return {
    url,
    version: servers[0]!.version,
    async failPrimary(prefix, how) {
      const server = await findPrimary(prefix);
      (how === 'killed' ? killed : frozen).add(server);
      await (how === 'killed' ? server.stop('SIGKILL') : server.pause());
    },
    async freezeSubscribed(channel) {
      const counts = await Promise.all(servers.map((server) => ask(server, 'pubsub', 'numsub', channel)));
      const server = servers[counts.findIndex((reply) => (reply as [string, number])[1] > 0)]!;
      frozen.add(server);
      await server.pause();
    },
    async restart() {
      const stopped = [...killed, ...frozen];
      await Promise.all([
        ...[...killed].map((server) => server.start()),
        ...[...frozen].map((server) => server.resume()),
      ]);
      killed.clear();
      frozen.clear();
      const isReplica = async (server: PrivateServer) =>
        /master_link_status:up/.test(String(await ask(server, 'info', 'replication')));
      for (const server of stopped) await until('a replica that has all data', () => isReplica(server));
    },
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  };
}

function sentinelConfiguration(access: Access, place: ServerLocation, primary: PrivateServer): string {
  const isSecure = access.login('') !== '';
  const passwords = isSecure
    ? [
        `requirepass "${SENTINEL_PASSWORD}"`,
        `sentinel sentinel-pass "${SENTINEL_PASSWORD}"`,
        `sentinel auth-pass ${NAME} "${PASSWORD}"`,
      ]
    : [];
  return [
    'bind 127.0.0.1',
    ...Object.entries(access.optionsFor(place.port)).map(([name, value]) => `${name} ${value}`),
    `sentinel monitor ${NAME} 127.0.0.1 ${portOf(primary)} 2`,
    `sentinel down-after-milliseconds ${NAME} ${FAILOVER_MS}`,
    `sentinel failover-timeout ${NAME} 10000`,
    ...passwords,
    '',
  ].join('\n');
}

/** Starts a primary with a replica and three Sentinels. */
async function startSentinelGroup(access: Access): Promise<RedisGroup> {
  const { ask } = access;
  const startWith = (more: Record<string, string>) =>
    access.start({ commandLine: (place) => commandLineOf(access, place, more) });
  const primary = await startWith({});
  const startSentinel = () =>
    access.start(
      {
        prepare: async (_program, place) =>
          writeFileSync(join(place.folder, 'sentinel.conf'), sentinelConfiguration(access, place, primary)),
        commandLine: ({ folder }) => [join(folder, 'sentinel.conf'), '--sentinel'],
      },
      SENTINEL_PASSWORD,
    );
  const [replica, ...sentinels] = await Promise.all([
    startWith({ replicaof: `127.0.0.1 ${portOf(primary)}`, 'repl-diskless-sync-delay': '0' }),
    ...Array.from({ length: 3 }, startSentinel),
  ]);
  const knowsAll = async (sentinel: PrivateServer) =>
    /slaves=1,sentinels=3/.test(String(await ask(sentinel, 'info', 'sentinel')));
  for (const sentinel of sentinels) await until('a Sentinel that knows all servers', () => knowsAll(sentinel));
  await until('a replica', async () => /state=online/.test(String(await ask(primary, 'info', 'replication'))));
  const query = access.login('') === '' ? '' : `?sentinelPassword=${encodeURIComponent(SENTINEL_PASSWORD)}`;
  const url = `${access.scheme}+sentinel://${access.login(PASSWORD)}${hostsOf(sentinels)}/${NAME}${query}`;
  return groupOf(access, [primary, replica, ...sentinels], url, async () => {
    const [, port] = (await ask(sentinels[0]!, 'sentinel', 'get-master-addr-by-name', NAME)) as [string, string];
    return [primary, replica].find((server) => portOf(server) === Number(port))!;
  });
}

/** Starts a Cluster of three primaries, each with a replica. */
async function startClusterGroup(access: Access): Promise<RedisGroup> {
  const { ask } = access;
  const optionsOf = (place: ServerLocation) => ({
    'cluster-enabled': 'yes',
    'cluster-node-timeout': String(FAILOVER_MS),
    // By default, the bus uses a port that outgoing connections can use, too.
    'cluster-port': String(place.port - 10_000),
    'repl-diskless-sync-delay': '0',
    ...(access.scheme === 'rediss' ? { 'tls-cluster': 'yes' } : {}),
  });
  const startNode = () =>
    access.start({
      commandLine: (place) =>
        commandLineOf(access, place, optionsOf(place)).filter(
          (word, n, all) => ![word, all[n - 1]].includes('--databases'),
        ),
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
  const url = `${access.scheme}+cluster://${access.login(PASSWORD)}${hostsOf(nodes.slice(0, PRIMARIES))}`;
  return groupOf(access, nodes, url, async (prefix) => {
    const [node] = nodes;
    const slot = Number(await ask(node!, 'cluster', 'keyslot', `{${prefix}:limit}`));
    const ranges = (await ask(node!, 'cluster', 'slots')) as [number, number, [string, number]][];
    const [, , [, port]] = ranges.find(([from, to]) => from <= slot && slot <= to)!;
    return nodes.find((server) => portOf(server) === port)!;
  });
}

/** With `files`, the servers need passwords, TLS and a client certificate. */
export function startRedisGroup(kind: RedisGroupKind, files?: SecureFiles): Promise<RedisGroup> {
  const access = createAccess(files);
  return kind === 'sentinel' ? startSentinelGroup(access) : startClusterGroup(access);
}
