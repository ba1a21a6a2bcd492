/** A server of one's own, to stop, kill, freeze and start again: as a program of this machine, or in Docker. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, openSync, closeSync, readFileSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Kind } from './kinds.js';
import { createLeash, quoted } from './leash.js';

const run = promisify(execFile);

/** What a loaded machine needs for a start, many times over. */
const READY_MS = 90_000;
const PULL_MS = 10 * 60_000;
const DOCKER_MS = 60_000;

export interface PrivateServer {
  readonly url: string;
  /** What answers there, with its version. */
  readonly version: string;
  /** SIGTERM lets it finish, SIGKILL does not. What was written stays. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** On the same port, with what was written before; resolves as soon as it serves. */
  start(): Promise<void>;
  /** It keeps its connections and says nothing. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends it and removes its data; happens by itself when this process ends. */
  close(): Promise<void>;
}

/** Where it runs: what each step of a {@link PrivateServer} does there. */
interface Runner {
  start(): Promise<void>;
  stop(signal: NodeJS.Signals): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
  /** Why it ended, if it did. */
  failure(): string | undefined;
}

/**
 * A free port below those that the system gives to outgoing connections: none of them can take it while the server is
 * stopped.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const server = createServer().listen(port, '127.0.0.1');
    const free = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (free) await new Promise((resolve) => server.close(resolve));
    if (free) return port;
  }
}

async function waitUntilReady(kind: Kind, url: string, runner: Runner): Promise<string> {
  for (const end = Date.now() + READY_MS; ; await pause(25)) {
    try {
      return await kind.ask(url);
    } catch (error) {
      const failure = runner.failure();
      if (failure !== undefined) throw new Error(`${kind.name} ended before it was ready: ${failure}`);
      if (Date.now() > end) throw new Error(`${kind.name} was not ready in time: ${(error as Error).message}`);
    }
  }
}

function localRunner(kind: Kind, program: string, place: { folder: string; port: number }): Runner {
  const leash = createLeash();
  const remove = `rm -rf ${quoted(place.folder)}`;
  const log = join(place.folder, 'log');
  let child: ChildProcess | undefined;
  leash.hold(remove);

  const running = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const signal = async (name: NodeJS.Signals) => void (running() && child!.kill(name));
  return {
    async start() {
      const output = openSync(log, 'a');
      child = spawn(program, kind.commandLine(place), { stdio: ['ignore', output, output], detached: true });
      closeSync(output);
      child.on('error', () => {});
      child.unref();
      // A killed server may still be writing for a moment.
      leash.hold(`kill -KILL ${child.pid}; ${remove} || { sleep 1; ${remove}; }`);
    },
    async stop(name) {
      if (!running()) return;
      child!.ref();
      const exit = once(child!, 'exit');
      child!.kill(name);
      // A paused one would not hear of it.
      child!.kill('SIGCONT');
      await exit;
      // Its number may soon be that of another process.
      leash.hold(remove);
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async close() {
      const exit = running() ? once(child!, 'exit') : undefined;
      await leash.release();
      await exit;
    },
    failure: () => (running() ? undefined : readFileSync(log, 'utf8').trim().split('\n').slice(-5).join(' | ')),
  };
}

function dockerRunner(kind: Kind, image: string, port: number): Runner {
  const leash = createLeash();
  const name = `passbell-test-${randomBytes(6).toString('hex')}`;
  const docker = async (...args: string[]) => void (await run('docker', args, { timeout: DOCKER_MS }));
  const { container } = kind;
  let made = false;
  return {
    async start() {
      if (made) return docker('start', name);
      leash.hold(`docker rm --force --volumes ${name}`);
      const env = container.env.flatMap((line) => ['--env', line]);
      const publish = `127.0.0.1:${port}:${container.port}`;
      await docker('run', '--detach', '--name', name, '--publish', publish, ...env, image, ...container.command);
      made = true;
    },
    async stop(signal) {
      await docker('kill', '--signal', signal, name);
      await docker('wait', name);
    },
    pause: () => docker('pause', name),
    resume: () => docker('unpause', name),
    close: () => leash.release(),
    failure: () => undefined,
  };
}

async function open(kind: Kind, url: string, runner: Runner): Promise<PrivateServer> {
  const start = async () => {
    await runner.start();
    return waitUntilReady(kind, url, runner);
  };
  try {
    const version = await start();
    return {
      ...runner,
      url,
      version,
      start: async () => void (await start()),
      stop: (s = 'SIGTERM') => runner.stop(s),
    };
  } catch (error) {
    await runner.close();
    throw error;
  }
}

/** A machine's memory as a folder, where it has one, and the room that must be in it. */
const MEMORY = '/dev/shm';
const MEMORY_BYTES = 2 * 2 ** 30;

/** Where what a server holds may be: in memory, since MariaDB makes a database there about five times as fast. */
function scratch(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize >= MEMORY_BYTES) return MEMORY;
  } catch {
    // A machine that has none.
  }
  return tmpdir();
}

/** Starts a program of this machine on a port and a data folder of its own. */
export async function startLocal(
  kind: Kind,
  program: string,
  find: (name: string) => string | undefined,
): Promise<PrivateServer> {
  const place = { folder: mkdtempSync(join(scratch(), `passbell-${kind.service}-`)), port: await freePort() };
  const runner = localRunner(kind, program, place);
  try {
    await kind.prepare(program, place, find);
  } catch (error) {
    await runner.close();
    throw error;
  }
  return open(kind, kind.url(place.port), runner);
}

/** Starts an image in a container of its own. */
export async function startInDocker(kind: Kind, image: string): Promise<PrivateServer> {
  const there = await run('docker', ['image', 'inspect', image], { timeout: DOCKER_MS }).catch(() => undefined);
  if (!there) await run('docker', ['pull', '--quiet', image], { timeout: PULL_MS });
  const port = await freePort();
  return open(kind, kind.container.url(port), dockerRunner(kind, image, port));
}
