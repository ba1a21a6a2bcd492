/**
 * Runs the service (as `npm start` does) and other programs in separate processes, and the operator command in this
 * process.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../../backend/src/cli/program.js';
import { createCore } from '../../backend/src/core.js';
import { systemClock } from '../../backend/src/platform/clock.js';
import { readConfig } from '../../backend/src/platform/config/config.js';
import { createLog } from '../../backend/src/platform/log.js';
import { waiting } from './wait.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the environment for the service under test, without the developer's settings. */
const cleanEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  // The developer's own commands must not find the service under test.
  PASSBELL_SERVERS: '',
});

export interface PassbellProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** The contents of standard output and standard error so far. */
  output(): string;
  /** Sends a signal and waits for the exit. Returns the exit code, or null if the signal killed the process. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

const running = new Set<ChildProcess>();
const killAll = () => running.forEach((child) => child.kill('SIGKILL'));
// Kills the services that a failed test has not stopped. jest ends a worker by closing its channel, but the pipes of a
// running service would keep the worker alive.
process.on('exit', killAll);
process.on('disconnect', killAll);

interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly settings: Record<string, string>;
  /** Matches the line that the program prints when it is ready. The first group is the URL. */
  readonly ready: RegExp;
}

/** Starts a program and waits until it reports that it is ready. */
export async function startProgram({ name, command, args, cwd, settings, ready }: Program): Promise<PassbellProcess> {
  const child = spawn(command, args, {
    cwd: cwd ?? root,
    env: { ...cleanEnvironment(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  child.once('exit', (code) => {
    running.delete(child);
    // Shows why requests of a test fail with connection errors.
    if (code) console.error(`${name} exited with ${code}:\n${output.slice(-4000)}`);
  });
  const start = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const [, base] = output.match(ready) ?? [];
      if (base) resolve(base);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    // After "exit", the last output may still be unread.
    child.once('close', (code) => reject(new Error(`${name} exited with ${code} before it was ready:\n${output}`)));
  });
  const url = await waiting(`the start of ${name}`, start);
  return {
    child,
    url,
    output: () => output,
    async stop(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exit = once(child, 'exit');
      child.kill(signal);
      const [code] = (await waiting(`the exit of ${name} after ${signal}`, exit)) as [number | null];
      return code;
    },
  };
}

/** Starts the service and waits until it is ready. */
export const startProcess = (settings: Record<string, string>): Promise<PassbellProcess> =>
  startProgram({
    name: 'the service',
    command: process.execPath,
    args: [join(root, 'scripts/start.mjs')],
    settings: { PORT: '0', LOG_LEVEL: 'warn', ...settings },
    ready: /ready at (http:\/\/\S+)\/api\/v1/,
  });

/** Runs the operator command on a data folder and returns its output. */
export function runCommand(dataDir: string, ...args: string[]): Promise<string> {
  return runCommandWith({ DATA_DIR: dataDir }, ...args);
}

/**
 * Runs the operator command with these settings and returns its output. It runs in this process, because starting one
 * takes more than a second of CPU time. `test/cli/process.test.ts` tests the built command.
 */
export async function runCommandWith(settings: Record<string, string>, ...args: string[]): Promise<string> {
  let stdout = '';
  let stderr = '';
  const config = async () => readConfig(settings);
  const code = await runProgram(args, {
    open: async ({ create }) => createCore(await config(), { log: createLog('silent'), jobs: false, create }),
    config,
    now: () => systemClock.now(),
    out: (text) => void (stdout += text),
    err: (text) => void (stderr += text),
  });
  if (code !== 0) throw new Error(`passbell ${args.join(' ')} exited with ${code}: ${stderr}`);
  return stdout;
}
