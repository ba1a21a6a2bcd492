/**
 * Finds the database servers for the tests. If no server can be found or started, the error contains a command that
 * installs one.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { MYSQL, REDIS, type ServerKind } from './kinds.js';
import { startInDocker, startLocal, type PrivateServer } from './private-server.js';
import { LIBRARY_TIMEOUT_MS, waiting } from '../wait.js';

const run = promisify(execFile);

export interface FoundServer<T> {
  readonly server: T;
  /** A description of the source, for the log. */
  readonly how: string;
}

/** A way to obtain a server. */
export interface ServerSource<T> {
  readonly name: string;
  /**
   * Whether the developer configured this source explicitly. If so, its failure is final, and no other source is tried.
   */
  readonly required?: boolean;
  /** Resolves to undefined if the source is unavailable on this machine; rejects if it is available but fails. */
  open(): Promise<FoundServer<T> | undefined>;
}

/** Folders with server programs, which are often missing from the PATH of other users than root. */
const MORE_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/libexec', '/opt/homebrew/bin', '/usr/local/bin'];

export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...MORE_FOLDERS].filter(Boolean);
  return folders
    .map((folder) => (isAbsolute(name) ? name : join(folder, name)))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Returns the server's image from docker-compose.yml, so that tests and deployments use the same version. */
function dockerImage(kind: ServerKind): string {
  const file = fileURLToPath(new URL('../../../docker-compose.yml', import.meta.url));
  return (parse(readFileSync(file, 'utf8')) as { services: Record<string, { image: string }> }).services[kind.service]!
    .image;
}

async function isDockerRunning(): Promise<boolean> {
  const info = run('docker', ['info', '--format', '{{.ServerVersion}}'], { timeout: LIBRARY_TIMEOUT_MS });
  return info.then(
    ({ stdout }) => stdout.trim() !== '',
    () => false,
  );
}

/**
 * policy-rc.d keeps apt from starting the installed servers. flock serializes parallel test processes, because apt-get
 * update does not wait for a lock that another process holds.
 */
const INSTALL = `exec 9< /var/lib/apt && flock 9
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  printf '#!/bin/sh\\nexit 101\\n' > $policy && chmod 755 $policy
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq && apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"`;

/** Installs Debian packages. Requires root. */
export const aptInstall = (...packages: string[]): Promise<unknown> =>
  waiting(
    `apt-get install ${packages.join(' ')}`,
    run('sh', ['-c', INSTALL, 'sh', ...packages], { maxBuffer: 1 << 26 }),
  );

let installed: Promise<unknown> | undefined;

/** Installs the missing packages of both servers in one run, because apt cannot run in parallel. */
function installPackages(log: (line: string) => void): Promise<unknown> {
  const missing = [MYSQL, REDIS]
    .filter(({ programs }) => !programs.some(findProgram))
    .map(({ packages }) => packages.apt);
  if (!installed) log(`tests: installing ${missing.join(' and ')}, once …`);
  installed ??= aptInstall(...missing);
  return installed;
}

async function openLocal(kind: ServerKind): Promise<FoundServer<PrivateServer> | undefined> {
  const program = kind.programs.map(findProgram).find(Boolean);
  if (!program) return undefined;
  return { server: await startLocal(kind, program, findProgram), how: `started from ${program}` };
}

/** Returns the sources that start a private server, in order of preference. */
export function startableSources(kind: ServerKind, log: (line: string) => void): ServerSource<PrivateServer>[] {
  const { isRoot, hasApt } = thisMachine();
  return [
    {
      name: 'Docker',
      async open() {
        if (isAbsolute(kind.programs[0]!) || !(await isDockerRunning())) return undefined;
        const image = dockerImage(kind);
        return { server: await startInDocker(kind, image), how: `started ${image} in Docker` };
      },
    },
    { name: 'local program', open: () => openLocal(kind) },
    {
      name: 'apt-get',
      async open() {
        if (!isRoot || !hasApt) return undefined;
        await installPackages(log);
        return openLocal(kind);
      },
    },
  ];
}

/** Returns a source for the server whose URL is in an environment variable. */
export function environmentSource(
  kind: ServerKind,
  env: NodeJS.ProcessEnv,
): ServerSource<{ url: string; version: string }> {
  return {
    name: kind.variable,
    required: true,
    async open() {
      const url = env[kind.variable];
      return url
        ? { server: { url, version: await kind.queryVersion(url) }, how: `named by ${kind.variable}` }
        : undefined;
    },
  };
}

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly hasApt: boolean;
  readonly isRoot: boolean;
}

export const thisMachine = (): Machine => ({
  platform: process.platform,
  hasApt: findProgram('apt-get') !== undefined,
  isRoot: process.getuid?.() === 0,
});

/** Returns a one-line command that installs or starts a server. */
export function installAdvice(kind: ServerKind, { platform, hasApt, isRoot }: Machine): string {
  const { env, port, url } = kind.container;
  const options = [`-p 127.0.0.1:${port}:${port}`, ...env.map((line) => `-e ${line}`)].join(' ');
  const docker = `docker run -d ${options} ${dockerImage(kind)}, and then ${kind.variable}=${url(port)} npm test`;
  if (platform === 'darwin') return `brew install ${kind.packages.brew}; or ${docker}`;
  const apt = isRoot ? 'apt-get' : 'sudo apt-get';
  return hasApt ? `${apt} update && ${apt} install -y ${kind.packages.apt}; or ${docker}` : docker;
}

const firstLines = (error: unknown): string => (error as Error).message.trim().split('\n').slice(0, 2).join(' ');

/** Tries the sources in order, and returns the first server. `how` includes the errors of earlier sources. */
export async function findServer<T>(kind: ServerKind, sources: readonly ServerSource<T>[]): Promise<FoundServer<T>> {
  const failures: string[] = [];
  const failureList = () => (failures.length > 0 ? ` (${failures.join('; ')})` : '');
  for (const source of sources) {
    try {
      const found = await source.open();
      if (found) return { ...found, how: found.how + failureList() };
    } catch (error) {
      if (source.required)
        throw new Error(`${kind.name} of the tests: ${source.name} does not work: ${firstLines(error)}`);
      failures.push(`${source.name}: ${firstLines(error)}`);
    }
  }
  throw new Error(
    `The tests need ${kind.name} and found none${failureList()}. Run: ${installAdvice(kind, thisMachine())}`,
  );
}
