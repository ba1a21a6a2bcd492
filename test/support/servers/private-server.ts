/** A private server that a test can stop, kill, pause and restart: a local program or a Docker container. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ServerKind } from './kinds.js';
import { until, waiting } from '../wait.js';
import { createDataFolder } from '../data-folder.js';
import { createCleanup, shellQuote } from './cleanup.js';

const run = promisify(execFile);

/** Poll interval. Unlike the timer of `until`, this timer keeps the process alive. */
const READY_POLL_MS = 25;

export interface PrivateServer {
  readonly url: string;
  /** Name and version of the server. */
  readonly version: string;
  /** Stops the server gracefully, or kills it. Its data is preserved. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Restarts the server on the same port and data; resolves when it is ready. */
  start(): Promise<void>;
  /** Freezes the server: its connections stay open, but it does not respond. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Stops the server and removes its data, which also happens automatically when this process ends. */
  close(): Promise<void>;
}

/** Runs a {@link PrivateServer} as a local program or in Docker. */
interface Runner {
  start(): Promise<void>;
  stop(signal: NodeJS.Signals): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
  /** The last lines of the server's log, if the server has exited. */
  failure(): string | undefined;
}

/**
 * Returns a free port below the ephemeral range, so that outgoing connections cannot use it while the server is
 * stopped.
 */
export async function freePort(): Promise<number> {
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

/** Waits until the server replies to a query, and returns its version. */
function waitUntilReady(kind: ServerKind, url: string, runner: Runner): Promise<string> {
  const read = () =>
    kind.queryVersion(url).catch(() => {
      const failure = runner.failure();
      if (failure !== undefined) throw new Error(`${kind.name} exited before it was ready: ${failure}`);
      return undefined;
    });
  return until(`${kind.name} at ${new URL(url).host} to be ready`, read, () => pause(READY_POLL_MS));
}

/** Whether all threads of a process are stopped. Other systems than Linux have no such files. */
function allThreadsStopped(pid: number): boolean {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return true;
  try {
    return readdirSync(tasks).every((id) => /\) [TtZX] /.test(readFileSync(join(tasks, id, 'stat'), 'utf8')));
  } catch {
    // A thread has just ended.
    return false;
  }
}

function localRunner(kind: ServerKind, program: string, place: { folder: string; port: number }): Runner {
  const cleanup = createCleanup();
  const remove = `rm -rf ${shellQuote(place.folder)}`;
  const log = join(place.folder, 'log');
  let child: ChildProcess | undefined;
  cleanup.setCommand(remove);

  const running = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const signal = async (name: NodeJS.Signals) => void (running() && child!.kill(name));
  return {
    async start() {
      const output = openSync(log, 'a');
      child = spawn(program, kind.commandLine(place), { stdio: ['ignore', output, output], detached: true });
      closeSync(output);
      child.on('error', () => {});
      child.unref();
      // A killed server may still be writing for a moment, so rm may need a second attempt.
      cleanup.setCommand(`kill -KILL ${child.pid}; ${remove} || { sleep 1; ${remove}; }`);
    },
    async stop(name) {
      if (!running()) return;
      child!.ref();
      const exit = once(child!, 'exit');
      child!.kill(name);
      // A paused process handles the signal only after SIGCONT.
      child!.kill('SIGCONT');
      await waiting(`the exit of ${kind.name} after ${name}`, exit);
      // The system may reuse the process id.
      cleanup.setCommand(remove);
    },
    async pause() {
      await signal('SIGSTOP');
      // On a busy machine, the other threads keep replying until the main thread has handled the signal.
      if (running()) await until(`${kind.name} to stop replying`, () => allThreadsStopped(child!.pid!));
    },
    resume: () => signal('SIGCONT'),
    async close() {
      const exit = running() ? once(child!, 'exit') : undefined;
      await cleanup.run();
      if (exit) await waiting(`the exit of ${kind.name}`, exit);
    },
    failure: () => (running() ? undefined : readFileSync(log, 'utf8').trim().split('\n').slice(-5).join(' | ')),
  };
}

function dockerRunner(kind: ServerKind, image: string, port: number): Runner {
  const cleanup = createCleanup();
  const name = `passbell-test-${randomBytes(6).toString('hex')}`;
  const docker = async (...args: string[]) => void (await waiting(`docker ${args[0]}`, run('docker', args)));
  const { container } = kind;
  let created = false;
  return {
    async start() {
      if (created) return docker('start', name);
      cleanup.setCommand(`docker rm --force --volumes ${name}`);
      const env = container.env.flatMap((line) => ['--env', line]);
      const publish = `127.0.0.1:${port}:${container.port}`;
      await docker('run', '--detach', '--name', name, '--publish', publish, ...env, image, ...container.command);
      created = true;
    },
    async stop(signal) {
      await docker('kill', '--signal', signal, name);
      await docker('wait', name);
    },
    pause: () => docker('pause', name),
    resume: () => docker('unpause', name),
    close: () => cleanup.run(),
    failure: () => undefined,
  };
}

async function open(kind: ServerKind, url: string, runner: Runner): Promise<PrivateServer> {
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

/** Starts a local program with a separate port and data folder. */
export async function startLocal(
  kind: ServerKind,
  program: string,
  find: (name: string) => string | undefined,
): Promise<PrivateServer> {
  const place = { folder: createDataFolder(kind.service), port: await freePort() };
  const runner = localRunner(kind, program, place);
  try {
    await kind.prepare(program, place, find);
  } catch (error) {
    await runner.close();
    throw error;
  }
  return open(kind, kind.url(place.port), runner);
}

/** Starts an image in a new container. */
export async function startInDocker(kind: ServerKind, image: string): Promise<PrivateServer> {
  const pulled = await run('docker', ['image', 'inspect', image]).catch(() => undefined);
  if (!pulled) await waiting(`docker pull ${image}`, run('docker', ['pull', '--quiet', image]));
  const port = await freePort();
  return open(kind, kind.container.url(port), dockerRunner(kind, image, port));
}
