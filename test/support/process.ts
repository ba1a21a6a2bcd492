/** The service as its own process, as `npm start` runs it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Settings of the machine's own environment must not reach the service under test. */
const cleanEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, HOME: process.env.HOME });

export interface PassbellProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** Everything on standard output and standard error so far. */
  output(): string;
  /** Sends a signal and waits for the end; answers the exit code, null after a killing signal. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** A test that fails in the middle must leave nothing running. */
const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));
afterAll(() => running.forEach((child) => child.kill('SIGKILL')));

/** Starts the service and waits until it says that it is ready. */
export async function startProcess(settings: Record<string, string>): Promise<PassbellProcess> {
  const child = spawn(process.execPath, [join(root, 'scripts/start.mjs')], {
    cwd: root,
    env: { ...cleanEnvironment(), PORT: '0', LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const ready = output.match(/ready at (http:\/\/\S+)\/api\/v1/);
      if (ready) resolve(ready[1]!);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`the service ended with ${code} before it was ready:\n${output}`)));
  });
  return {
    child,
    url,
    output: () => output,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exit = once(child, 'exit');
      child.kill(signal);
      const [code] = (await exit) as [number | null];
      return code;
    },
  };
}

/** Runs the operator command on a data folder and answers what it prints. */
export function passbell(dataDir: string, ...args: string[]): Promise<string> {
  return passbellWith({ DATA_DIR: dataDir }, ...args);
}

/** Runs the operator command with these settings and answers what it prints. */
export async function passbellWith(settings: Record<string, string>, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'scripts/passbell.mjs'), ...args], {
    cwd: root,
    env: { ...cleanEnvironment(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`passbell ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}
