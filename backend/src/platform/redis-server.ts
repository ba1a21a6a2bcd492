/** Recognizes Redis servers that Passbell cannot use, before the first send fails. */
import type { RedisAddress } from './redis-address.js';

/** Oldest supported version. Valkey reports a `redis_version` of 7.2.4. */
const MIN_VERSION = 6;

export interface ServerFindings {
  /** Why sends would fail. */
  readonly problem?: string;
  /** A configuration that can make Redis fail later. */
  readonly warning?: string;
}

/** Returns what is wrong with a server. `info`: its reply to INFO. */
export function inspectServer(kind: RedisAddress['kind'], info: string): ServerFindings {
  const fields = new Map(info.split(/\r?\n/).map((line) => line.split(':') as [string, string]));
  const version = fields.get('redis_version');
  if (fields.get('redis_mode') === 'sentinel')
    return { problem: 'REDIS_URL points to a Sentinel. Write it as redis+sentinel://host1,host2/name.' };
  if (kind !== 'cluster' && fields.get('cluster_enabled') === '1')
    return { problem: 'REDIS_URL points to a node of a Redis Cluster. Write it as redis+cluster://host1,host2.' };
  if (kind === 'single' && fields.get('role') === 'slave')
    return {
      problem: 'REDIS_URL points to a read-only replica. Use the address of the primary, or redis+sentinel://.',
    };
  if (version !== undefined && Number.parseInt(version, 10) < MIN_VERSION)
    return {
      problem: `REDIS_URL points to Redis ${version}. Passbell needs Redis ${MIN_VERSION} or newer, or Valkey.`,
    };
  const policy = fields.get('maxmemory_policy') ?? 'noeviction';
  if (Number(fields.get('maxmemory') ?? 0) > 0 && policy !== 'noeviction')
    return {
      warning: `Its maxmemory-policy is ${policy}, so it can delete counts of limits and jobs. Set it to noeviction.`,
    };
  return {};
}

/** Advice for error replies of Redis, by their first word. */
const ADVICE: Readonly<Record<string, string>> = {
  NOAUTH: 'Add the password to REDIS_URL.',
  WRONGPASS: 'Correct the username and the password in REDIS_URL.',
  NOPERM: 'Allow its user all commands, keys and channels.',
  READONLY: 'It is a replica. Use the address of the primary.',
  MOVED: 'It is a node of a Redis Cluster. Use redis+cluster://.',
  CROSSSLOT: 'It is a Redis Cluster. Use redis+cluster://.',
  CLUSTERDOWN: 'Some slots of the Redis Cluster have no primary. Check its nodes.',
  OOM: 'It has no memory left. Raise its maxmemory.',
  MISCONF: 'It cannot save its data. Check its disk.',
};

/** Returns the advice for an error; undefined if the error is unknown. */
export const adviceFor = (reason: string | undefined): string | undefined =>
  reason === undefined ? undefined : ADVICE[reason];
