/** Starts the baselines, which measure the cost of HTTP alone or of the database alone. */
import { fileURLToPath } from 'node:url';
import { startModule } from './processes.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** API credentials of the same length as Passbell's. */
const HEADERS = `clientId: pk_${'0'.repeat(32)}\r\nclientSecret: sk_${'0'.repeat(43)}\r\n`;
const SQL_CONNECTIONS = 16;

export async function startHttpFloor(name, file) {
  const server = await startModule(at(file));
  return {
    pids: { server: server.pid },
    target: { name, kind: 'floor', origin: server.ready.url, headers: HEADERS },
    stop: server.stop,
  };
}

/** Starts the SQL baseline. It runs the load loop itself, because it has no HTTP server. */
export async function startSqlFloor(name, databaseUrl) {
  const server = await startModule(at('floor-sql.mjs'), { databaseUrl, connections: SQL_CONNECTIONS });
  return { pids: { server: server.pid }, target: { name, kind: 'sql' }, run: server.call, stop: server.stop };
}
