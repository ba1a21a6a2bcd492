/** The processes of a service: a single process, or two processes on MySQL and Redis. */
import { basename } from 'node:path';
import { createCore, type Core } from '../../backend/src/core.js';
import { createServer } from '../../backend/src/server.js';
import { readConfig } from '../../backend/src/platform/config/config.js';
import { createDevInbox } from '../../backend/src/modules/dev-inbox/dev-inbox.js';
import type { Clock } from '../../backend/src/platform/clock.js';
import type { AddressRules } from '../../backend/src/platform/http/checked-address.js';
import type { Log } from '../../backend/src/platform/log.js';
import { listen, type HttpServer } from '../../backend/src/platform/http/listen.js';
import { createTestDatabase, redisUrl } from './databases.js';
import { fillMysql, fillSqlite } from './new-database.js';

/** Whether the tests run in scaled mode. Set by scaled.ts. */
export const scaled = (globalThis as { PASSBELL_SCALED?: boolean }).PASSBELL_SCALED === true;

export interface Members {
  /** The process whose functions a test calls directly. */
  readonly first: Core;
  /** All processes. */
  readonly cores: readonly Core[];
  readonly urls: readonly string[];
  /** Undefined if the service uses the SQLite file in its data folder. */
  readonly databaseUrl?: string;
  /** Stops all processes and preserves their data. */
  halt(): Promise<void>;
  /** Deletes the data outside of the data folder. */
  drop(): Promise<void>;
}

export interface MemberDependencies {
  readonly clock: Clock;
  readonly log: Log;
  readonly gatewayAddresses?: AddressRules | undefined;
}

async function start(roles: readonly string[], settings: Record<string, string>, parts: MemberDependencies) {
  // All processes share one inbox, even in tests with production settings.
  const devInbox = settings.DEV_INBOX === 'off' ? {} : { devInbox: createDevInbox(parts.clock) };
  const cores: Core[] = [];
  const servers: HttpServer[] = [];
  for (const ROLE of roles) {
    const core = await createCore(readConfig({ PORT: '0', ...settings, ROLE }), { ...parts, ...devInbox });
    await core.start();
    cores.push(core);
    if (ROLE !== 'worker') servers.push(await listen(await createServer(core), { host: '127.0.0.1', port: 0 }));
  }
  return {
    first: cores[0]!,
    cores,
    urls: servers.map(({ port }) => `http://127.0.0.1:${port}`),
    async halt() {
      await Promise.all(servers.map((server) => server.close()));
      await Promise.all(cores.map((core) => core.stop()));
    },
  };
}

/** Returns the name of the MySQL database that belongs to a data folder in scaled mode. */
export const databaseNameOf = (dataDir: string): string => basename(dataDir).replace(/\W/g, '_');

/** Starts the processes with the data folder `DATA_DIR`. Stopping them preserves the data. */
export async function startMembers(settings: Record<string, string>, parts: MemberDependencies): Promise<Members> {
  if (!scaled) {
    await fillSqlite(settings.DATA_DIR!);
    return { ...(await start(['all'], settings, parts)), drop: async () => undefined };
  }
  // The name of the database is also the prefix of the keys in Redis.
  const database = await createTestDatabase(undefined, databaseNameOf(settings.DATA_DIR!));
  await fillMysql(database.url);
  const shared = {
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl(),
    SECRET_KEY: 'a key that only tests use and nobody else',
  };
  // Both processes reply to requests and deliver messages. Tests in test/scaled start processes with separate roles.
  const members = await start(['all', 'all'], { ...shared, ...settings }, parts);
  return { ...members, databaseUrl: database.url, drop: () => database.drop() };
}
