/** The processes of a service: one that does all, or two that answer and two that deliver, on MySQL and Redis. */
import { basename } from 'node:path';
import { compose, type Service } from '../../backend/src/compose.js';
import { readConfig } from '../../backend/src/platform/config/config.js';
import { createDevInbox } from '../../backend/src/modules/dev-inbox/dev-inbox.js';
import type { Clock } from '../../backend/src/platform/clock.js';
import type { Log } from '../../backend/src/platform/log.js';
import { listen, type HttpServer } from '../../backend/src/platform/http/listen.js';
import { createTestDatabase, redisUrl } from './databases.js';

/** Set by jest.config.mjs: the same tests run on both ways of running. */
export const scaled = (globalThis as { PASSBELL_SCALED?: boolean }).PASSBELL_SCALED === true;

export interface Members {
  /** The one whose services a test calls directly. */
  readonly first: Service;
  readonly urls: readonly string[];
  /** Undefined: the SQLite file of the data folder. */
  readonly databaseUrl?: string;
  /** Stops them all; what they stored stays. */
  halt(): Promise<void>;
  /** Removes what they stored outside of their data folder. */
  drop(): Promise<void>;
}

export interface MembersParts {
  readonly clock: Clock;
  readonly log: Log;
}

async function start(roles: readonly string[], settings: Record<string, string>, parts: MembersParts) {
  const devInbox = roles.length > 1 && settings.DEV_INBOX !== 'off' ? { devInbox: createDevInbox(parts.clock) } : {};
  const services: Service[] = [];
  const servers: HttpServer[] = [];
  for (const ROLE of roles) {
    const service = await compose(readConfig({ PORT: '0', ...settings, ROLE }), { ...parts, ...devInbox });
    await service.startWork();
    services.push(service);
    if (ROLE !== 'worker') servers.push(await listen(service.app, { host: '127.0.0.1', port: 0 }));
  }
  return {
    first: services[0]!,
    urls: servers.map(({ port }) => `http://127.0.0.1:${port}`),
    async halt() {
      await Promise.all(servers.map((server) => server.close()));
      await Promise.all(services.map((service) => service.stop()));
    },
  };
}

/** Starts the processes on the state that belongs to a data folder, which outlives them. */
export async function startMembers(settings: Record<string, string>, parts: MembersParts): Promise<Members> {
  if (!scaled) return { ...(await start(['all'], settings, parts)), drop: async () => undefined };
  // Its name also keeps what Redis holds apart.
  const database = await createTestDatabase(undefined, basename(settings.DATA_DIR!).replace(/\W/g, '_'));
  const shared = {
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl(),
    SECRET_KEY: 'a key that only tests use and nobody else',
  };
  const members = await start(['api', 'api', 'worker', 'worker'], { ...shared, ...settings }, parts);
  return { ...members, databaseUrl: database.url, drop: () => database.drop() };
}
