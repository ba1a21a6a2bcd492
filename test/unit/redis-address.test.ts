/** Parsing of REDIS_URL, servers that Passbell cannot use, and repeated log entries. */
import { parseRedisUrl } from '../../backend/src/platform/redis-address.js';
import { inspectServer } from '../../backend/src/platform/redis-server.js';
import { createFailureLog } from '../../backend/src/platform/repeated-log.js';
import { createLog } from '../../backend/src/platform/log.js';

it('parses Sentinels with logins, a database and default ports', () => {
  expect(parseRedisUrl('rediss+sentinel://me:p%40ss@one,[::1]:1234/main?db=2&sentinelPassword=other')).toEqual({
    kind: 'sentinel',
    nodes: [
      { host: 'one', port: 26379 },
      { host: '::1', port: 1234 },
    ],
    login: { username: 'me', password: 'p@ss' },
    tls: true,
    name: 'main',
    db: 2,
    sentinelLogin: { password: 'other' },
  });
});

it('parses the nodes of a Cluster', () => {
  expect(parseRedisUrl('redis+cluster://:secret@one:7000,two')).toEqual({
    kind: 'cluster',
    nodes: [
      { host: 'one', port: 7000 },
      { host: 'two', port: 6379 },
    ],
    login: { password: 'secret' },
    tls: false,
  });
});

it.each([
  ['http://host', 'must be a URL that starts with'],
  ['redis://one:1,two:2', 'has several hosts'],
  ['redis+sentinel://one,two', 'must end with the name of the primary'],
  ['redis+sentinel://one/main?password=secret', 'has options other than'],
  ['redis+cluster://one/1', 'must end after the hosts'],
  ['redis+cluster://', 'must have the form'],
])('rejects %s', (url, message) => {
  expect(() => parseRedisUrl(url)).toThrow(message);
});

it.each([
  [
    'single',
    'redis_version:7.0.15\r\nrole:master\r\ncluster_enabled:0\r\nmaxmemory:0\r\nmaxmemory_policy:allkeys-lru',
    {},
  ],
  ['single', 'cluster_enabled:1', { problem: expect.stringContaining('redis+cluster://') }],
  ['cluster', 'cluster_enabled:1', {}],
  ['single', 'redis_mode:sentinel', { problem: expect.stringContaining('redis+sentinel://') }],
  ['single', 'role:slave', { problem: expect.stringContaining('read-only replica') }],
  ['single', 'redis_version:5.0.14', { problem: expect.stringContaining('Redis 6 or newer') }],
  ['single', 'maxmemory:9\r\nmaxmemory_policy:allkeys-lru', { warning: expect.stringContaining('allkeys-lru') }],
  ['single', '', {}],
] as const)('inspects a server (%s, %j)', (kind, info, findings) => {
  expect(inspectServer(kind, info)).toEqual(findings);
});

it('logs the code of a Redis error, and counts repeated failures', () => {
  const lines: Record<string, unknown>[] = [];
  let now = 0;
  const log = createLog('warn', { write: (json) => lines.push(JSON.parse(json)) });
  const logFailure = createFailureLog(log, () => now);
  const error = Object.assign(new Error("CROSSSLOT Keys in request don't hash to the same slot"), {
    name: 'ReplyError',
  });
  for (let n = 0; n < 5; n++) logFailure(error, 'limits could not be checked');
  logFailure(new Error('other'), 'limits could not be checked');
  now = 60_000;
  logFailure(error, 'limits could not be checked');
  expect(lines.map(({ err, repeated }) => [(err as { reason?: string }).reason, repeated])).toEqual([
    ['CROSSSLOT', undefined],
    [undefined, undefined],
    ['CROSSSLOT', 4],
  ]);
  expect(JSON.stringify(lines)).not.toContain('hash to the same slot');
});
