/** Starts better-auth on a database of its own, with or without Redis as its secondary storage. */
import { fileURLToPath } from 'node:url';
import { startModule } from './processes.mjs';

const SERVER = fileURLToPath(new URL('better-auth-server.mjs', import.meta.url));

/** Connections to the database; more did not make it faster. */
const CONNECTIONS = 20;

export async function startBetterAuth({ name, databaseUrl, redisUrl, by, token }) {
  const server = await startModule(SERVER, { databaseUrl, redisUrl, token, connections: CONNECTIONS });
  return {
    pids: { server: server.pid },
    target: { name, kind: 'better-auth', origin: server.ready.url, by, token },
    stop: server.stop,
  };
}
