/** Finds the data folder that the operator command uses if neither `DATA_DIR` nor `DATABASE_URL` is set. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SETTINGS } from '../platform/config/config.js';
import { DATABASE_FILE } from '../platform/data-dir.js';
import type { RunningServer } from '../platform/running-servers.js';
import { OperatorError } from './context.js';

const describeServer = ({ pid, dataDir }: RunningServer): string =>
  dataDir === null
    ? `DATABASE_URL=… REDIS_URL=… SECRET_KEY=…   for the running server with process ID ${pid}, which uses MySQL`
    : `DATA_DIR=${dataDir}   for the running server with process ID ${pid}`;

/**
 * Returns the data folder of the running server. Without a server, returns the default folder. Throws if the servers
 * and the database in the default folder, if any, are not the same installation: the command must not guess, because
 * it would print credentials that the server rejects, or change the wrong data.
 */
function dataDirFor(servers: readonly RunningServer[]): string {
  const local = resolve(SETTINGS.DATA_DIR.default);
  const folders = new Set(servers.map(({ dataDir }) => dataDir));
  const hasOther = existsSync(join(local, DATABASE_FILE)) && !folders.has(local);
  const [found = local, ...others] = folders;
  if (found !== null && others.length === 0 && (!hasOther || found === local)) return found;
  const choices = [
    ...servers.map(describeServer),
    ...(hasOther ? [`DATA_DIR=${local}   for the database there, which no server uses now`] : []),
  ];
  throw new OperatorError(
    `the database to use is unclear. Run the command again with one of these settings:\n${choices.map((choice) => `  ${choice}`).join('\n')}`,
  );
}

/**
 * Returns the environment, with `DATA_DIR` set unless the environment names a database. If a server uses the folder, its
 * address applies as well.
 */
export function withDataDir(env: NodeJS.ProcessEnv, servers: () => readonly RunningServer[]): NodeJS.ProcessEnv {
  if (env.DATA_DIR?.trim() || env.DATABASE_URL?.trim() || env.DATABASE_URL_FILE) return env;
  const running = servers();
  const dataDir = dataDirFor(running);
  return { ...running.find((server) => server.dataDir === dataDir)?.address, ...env, DATA_DIR: dataDir };
}
