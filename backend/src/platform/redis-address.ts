/** Parses `REDIS_URL`: one Redis server, the Sentinels that know the primary, or some nodes of a Redis Cluster. */
import { parseUrl } from './url.js';

interface Node {
  readonly host: string;
  readonly port: number;
}

interface Login {
  readonly username?: string;
  readonly password?: string;
}

interface Group {
  readonly nodes: readonly Node[];
  readonly login: Login;
  readonly tls: boolean;
}

export type RedisAddress =
  | { readonly kind: 'single'; readonly url: string }
  | (Group & { readonly kind: 'cluster' })
  | (Group & {
      readonly kind: 'sentinel';
      /** The name under which the Sentinels monitor the primary. */
      readonly name: string;
      readonly db: number;
      readonly sentinelLogin: Login;
    });

const SCHEME = /^rediss?(?:\+(?:sentinel|cluster))?:\/\//;
/** A URL with several hosts, which `URL` rejects: scheme, login, hosts, path and query. */
const GROUP_URL = /^(rediss?)\+(sentinel|cluster):\/\/(?:([^@/]*)@)?([^/?#@]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const DEFAULT_PORTS = { sentinel: 26379, cluster: 6379 } as const;
const SENTINEL_OPTIONS = ['db', 'sentinelUsername', 'sentinelPassword'];

const loginOf = (username: string, password: string): Login => ({
  ...(username === '' ? {} : { username }),
  ...(password === '' ? {} : { password }),
});

function parseNodes(hosts: string, defaultPort: number): Node[] {
  return hosts.split(',').map((host) => {
    const url = parseUrl(`redis://${host.trim()}`);
    if (!url?.hostname) throw new Error('must list hosts as host:port, separated by commas');
    return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || defaultPort) };
  });
}

function parseSentinel(group: Group, name: string, query: string): RedisAddress {
  const options = new URLSearchParams(query);
  if (name === '')
    throw new Error('must end with the name of the primary, as in redis+sentinel://host1,host2/mymaster');
  const db = options.get('db') ?? '0';
  if (![...options.keys()].every((key) => SENTINEL_OPTIONS.includes(key)) || !/^\d{1,5}$/.test(db))
    throw new Error(`has options other than ${SENTINEL_OPTIONS.join(', ')}, or a db that is not a number`);
  const sentinelLogin = loginOf(options.get('sentinelUsername') ?? '', options.get('sentinelPassword') ?? '');
  return { ...group, kind: 'sentinel', name, db: Number(db), sentinelLogin };
}

/** Throws an `Error` that describes the expected format. It never contains the password. */
export function parseRedisUrl(url: string): RedisAddress {
  if (!SCHEME.test(url))
    throw new Error('must be a URL that starts with redis://, rediss://, redis+sentinel:// or redis+cluster://');
  if (/^rediss?:/.test(url)) {
    if (/:\/\/[^/]*,/.test(url)) throw new Error('has several hosts, which need redis+sentinel:// or redis+cluster://');
    if (!parseUrl(url)) throw new Error('must be a valid URL');
    return { kind: 'single', url };
  }
  const parts = GROUP_URL.exec(url);
  const login = parts && parseUrl(`redis://${parts[3] ?? ''}@host`);
  if (!login) throw new Error('must have the form redis+sentinel://host1,host2/name or redis+cluster://host1,host2');
  const [, scheme, kind, , hosts, path = '', query = ''] = parts;
  const group = {
    nodes: parseNodes(hosts!, DEFAULT_PORTS[kind as 'sentinel' | 'cluster']),
    login: loginOf(decodeURIComponent(login.username), decodeURIComponent(login.password)),
    tls: scheme === 'rediss',
  };
  if (kind === 'sentinel') return parseSentinel(group, decodeURIComponent(path), query);
  if (path !== '' || query !== '')
    throw new Error('must end after the hosts, because a Redis Cluster has only database 0');
  return { ...group, kind: 'cluster' };
}
