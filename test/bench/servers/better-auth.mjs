/** Starts better-auth on its own database, with or without Redis as its secondary storage. */
import { fileURLToPath } from 'node:url';
import { startModule } from './processes.mjs';

const SERVER = fileURLToPath(new URL('better-auth-server.mjs', import.meta.url));

/** Number of database connections. More connections do not increase the throughput. */
const CONNECTIONS = 20;

export async function startBetterAuth({ name, databaseUrl, redisUrl, by, token }) {
  const server = await startModule(SERVER, { databaseUrl, redisUrl, token, connections: CONNECTIONS });
  return {
    pids: { server: server.pid },
    target: { name, kind: 'better-auth', origin: server.ready.url, by, token },
    stop: server.stop,
  };
}
