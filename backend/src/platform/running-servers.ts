/**
 * Running servers of this installation. While a server runs, a file contains its data folder and its address, so that the
 * operator command finds the database without `DATA_DIR`, and prints links that work. The files contain no secrets. Other
 * users can read them, so that the command can tell them who runs the server.
 */
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from './config/config.js';
import { REPOSITORY } from './folders.js';

export interface RunningServer {
  readonly pid: number;
  /** Start time of the process. Differs if another process has the same pid later. */
  readonly startedAt: string;
  /** Absolute path; null if the server uses MySQL. */
  readonly dataDir: string | null;
  /** The settings from which links are made. */
  readonly address: { readonly PORT: string; readonly HOST: string; readonly BASE_URL?: string };
}

/** Returns the folder of the files; undefined if there is none. Tests set `PASSBELL_SERVERS`. */
function folderOf({ PASSBELL_SERVERS }: NodeJS.ProcessEnv): string | undefined {
  return PASSBELL_SERVERS === undefined
    ? fileURLToPath(new URL('.cache/servers/', REPOSITORY))
    : PASSBELL_SERVERS || undefined;
}

/** Returns a process's start time, in the kernel's ticks; "" on other systems than Linux. */
function startTimeOf(pid: number): string {
  try {
    // The second field is the name of the program in parentheses, which may contain spaces. The 22nd is the start time.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function isRunning({ pid, startedAt }: RunningServer): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: another user's process.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = startTimeOf(pid);
  return now === '' || startedAt === '' || now === startedAt;
}

/**
 * Whether the file belongs to the user of the process. Otherwise, another user could make the command of the operator
 * open a database that is not the server's.
 */
function isOwn(file: string, pid: number): boolean {
  const owner = statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
  const { uid } = lstatSync(file);
  return owner === undefined || uid === owner;
}

/** Returns the servers in a folder, by file. Ignores files that are incomplete or cannot be read. */
function readFiles(folder: string): ReadonlyMap<string, RunningServer> {
  const servers = new Map<string, RunningServer>();
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    try {
      // Reading a pipe would wait for a writer.
      if (!lstatSync(file).isFile()) continue;
      const { pid, startedAt, dataDir, address } = JSON.parse(readFileSync(file, 'utf8')) as RunningServer;
      if (Number.isInteger(pid) && pid > 0 && isOwn(file, pid)) servers.set(file, { pid, startedAt, dataDir, address });
    } catch {
      continue;
    }
  }
  return servers;
}

/** Returns the running servers. Ignores the files of killed servers. */
export function runningServers(env: NodeJS.ProcessEnv = process.env): readonly RunningServer[] {
  const folder = folderOf(env);
  try {
    return folder === undefined ? [] : [...readFiles(folder).values()].filter(isRunning);
  } catch {
    // No server has run yet.
    return [];
  }
}

/**
 * Announces this process as a running server, and removes the files of killed servers. Returns the function that ends
 * the announcement. Does nothing if the folder is read-only, as in the Docker image, where `DATA_DIR` is set.
 */
export function announceServer(
  {
    DATABASE_URL,
    DATA_DIR,
    PORT,
    HOST,
    BASE_URL,
  }: Pick<Config, 'DATABASE_URL' | 'DATA_DIR' | 'PORT' | 'HOST' | 'BASE_URL'>,
  env: NodeJS.ProcessEnv = process.env,
): () => void {
  const folder = folderOf(env);
  if (folder === undefined) return () => undefined;
  const { pid } = process;
  const dataDir = DATABASE_URL === undefined ? resolve(DATA_DIR) : null;
  const address = { PORT: String(PORT), HOST, ...(BASE_URL === undefined ? {} : { BASE_URL }) };
  const server: RunningServer = { pid, startedAt: startTimeOf(pid), dataDir, address };
  const file = join(folder, `${pid}.json`);
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, other] of readFiles(folder)) if (!isRunning(other)) rmSync(name, { force: true });
    writeFileSync(file, JSON.stringify(server));
    // The umask of the server allows only its user to read new files.
    chmodSync(folder, 0o755);
    chmodSync(file, 0o644);
  } catch {
    return () => undefined;
  }
  return () => {
    try {
      rmSync(file, { force: true });
    } catch {
      // The file counts as stale, because the process ends.
    }
  };
}
