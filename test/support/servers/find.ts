/** Which server the tests use: the first way that leads to one. None is an error that says what to do, never a skip. */
import { execFile } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { MYSQL, REDIS, type Kind } from './kinds.js';
import { startInDocker, startLocal, type PrivateServer } from './private-server.js';

const run = promisify(execFile);

const DOCKER_ANSWER_MS = 5000;
const INSTALL_MS = 10 * 60_000;

export interface Found<T> {
  readonly server: T;
  /** How it was found, to follow "found by" or "started …". */
  readonly how: string;
}

/** One way to a server. */
export interface Way<T> {
  readonly name: string;
  /** The person asked for it: what fails here is not made up for by another way. */
  readonly demanded?: boolean;
  /** Undefined where this way does not exist; rejects when it does, and fails. */
  open(): Promise<Found<T> | undefined>;
}

/** Programs of servers are often in folders that only root has on its path. */
const MORE_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/libexec', '/opt/homebrew/bin', '/usr/local/bin'];

/** The path of a program of this machine. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...MORE_FOLDERS].filter(Boolean);
  return folders
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** The versions that are run for real are those that are tested. */
function imageOf(kind: Kind): string {
  const file = fileURLToPath(new URL('../../../docker-compose.yml', import.meta.url));
  return (parse(readFileSync(file, 'utf8')) as { services: Record<string, { image: string }> }).services[kind.service]!
    .image;
}

async function dockerAnswers(): Promise<boolean> {
  const answer = run('docker', ['info', '--format', '{{.ServerVersion}}'], { timeout: DOCKER_ANSWER_MS });
  return answer.then(
    ({ stdout }) => stdout.trim() !== '',
    () => false,
  );
}

/**
 * A fresh installation would start servers that nobody asked for; a file that says no keeps apt from it. One of the
 * processes that run tests installs at a time: apt does not wait for another one that reads the lists.
 */
const INSTALL = `exec 9< /var/lib/apt && flock 9
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  printf '#!/bin/sh\\nexit 101\\n' > $policy && chmod 755 $policy
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq && apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"`;

/** Installs packages of Debian; only for root. */
export const aptInstall = (...packages: string[]): Promise<unknown> =>
  run('sh', ['-c', INSTALL, 'sh', ...packages], { timeout: INSTALL_MS, maxBuffer: 1 << 26 });

let installed: Promise<unknown> | undefined;

/** Installs what is missing of both kinds, once: apt does not run twice at a time. */
function installPackages(say: (line: string) => void): Promise<unknown> {
  const missing = [MYSQL, REDIS]
    .filter(({ programs }) => !programs.some(findProgram))
    .map(({ packages }) => packages.apt);
  if (!installed) say(`tests: installing ${missing.join(' and ')}, once …`);
  installed ??= aptInstall(...missing);
  return installed;
}

async function openLocal(kind: Kind): Promise<Found<PrivateServer> | undefined> {
  const program = kind.programs.map(findProgram).find(Boolean);
  if (!program) return undefined;
  return { server: await startLocal(kind, program, findProgram), how: `started from ${program}` };
}

/** The ways to a server of one's own, in order. */
export function waysToStart(kind: Kind, say: (line: string) => void): Way<PrivateServer>[] {
  const { isRoot, hasApt } = thisMachine();
  return [
    {
      name: 'Docker',
      async open() {
        if (!(await dockerAnswers())) return undefined;
        const image = imageOf(kind);
        return { server: await startInDocker(kind, image), how: `started ${image} in Docker` };
      },
    },
    { name: 'local program', open: () => openLocal(kind) },
    {
      name: 'apt-get',
      async open() {
        if (!isRoot || !hasApt) return undefined;
        await installPackages(say);
        return openLocal(kind);
      },
    },
  ];
}

/** The server that the environment names. */
export function wayOfEnvironment(kind: Kind, env: NodeJS.ProcessEnv): Way<{ url: string; version: string }> {
  return {
    name: kind.variable,
    demanded: true,
    async open() {
      const url = env[kind.variable];
      return url ? { server: { url, version: await kind.ask(url) }, how: `named by ${kind.variable}` } : undefined;
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

/** What to type where no way leads to a server, in one line. */
export function advice(kind: Kind, { platform, hasApt, isRoot }: Machine): string {
  const { env, port, url } = kind.container;
  const options = [`-p 127.0.0.1:${port}:${port}`, ...env.map((line) => `-e ${line}`)].join(' ');
  const docker = `docker run -d ${options} ${imageOf(kind)}, and then ${kind.variable}=${url(port)} npm test`;
  if (platform === 'darwin') return `brew install ${kind.packages.brew}; or ${docker}`;
  const apt = isRoot ? 'apt-get' : 'sudo apt-get';
  return hasApt ? `${apt} update && ${apt} install -y ${kind.packages.apt}; or ${docker}` : docker;
}

const firstLine = (error: unknown): string => (error as Error).message.trim().split('\n').slice(0, 2).join(' ');

/** The first server that a way leads to; what failed before it is told as well. */
export async function findServer<T>(kind: Kind, ways: readonly Way<T>[]): Promise<Found<T>> {
  const failures: string[] = [];
  const tried = () => (failures.length > 0 ? ` (${failures.join('; ')})` : '');
  for (const way of ways) {
    try {
      const found = await way.open();
      if (found) return { ...found, how: found.how + tried() };
    } catch (error) {
      if (way.demanded) throw new Error(`${kind.name} of the tests: ${way.name} does not work: ${firstLine(error)}`);
      failures.push(`${way.name}: ${firstLine(error)}`);
    }
  }
  throw new Error(`The tests need ${kind.name} and found none${tried()}. Run: ${advice(kind, thisMachine())}`);
}
