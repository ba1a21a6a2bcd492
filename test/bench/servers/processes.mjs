/** Child processes of the benchmark. They are killed when the benchmark exits. */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';

const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

const START_MS = 60_000;
const STOP_MS = 15_000;

/**
 * Returns the environment for the servers under test, without the developer's settings. The developer's commands do not
 * find these servers.
 */
export const cleanEnvironment = () => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_ENV: 'production',
  PASSBELL_SERVERS: '',
});

function watch(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => (output = (output + chunk).slice(-4000)));
  return () => output;
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await exit;
  clearTimeout(timer);
}

function waitUntilReady(child, output, listen) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready in time:\n${output()}`)), START_MS);
    child.once('exit', (code) => reject(new Error(`exited with ${code} before it was ready:\n${output()}`)));
    listen((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}

/** Starts a command, waits until its output matches, and returns the match. */
export async function startCommand(args, env, pattern) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = watch(child);
  const match = await waitUntilReady(child, output, (resolve) => {
    const check = () => {
      const found = pattern.exec(output());
      if (found) resolve(found);
    };
    child.stdout.on('data', check);
    child.stderr.on('data', check);
  });
  return { pid: child.pid, child, match, output, stop: () => stop(child) };
}

/** Runs a command to its end and returns its standard output. */
export async function runCommand(args, env) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = watch(child);
  let stdout = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}:\n${output()}`);
  return stdout;
}

/** Starts a benchmark module, which sends `{ ready }` and executes commands that it receives over IPC. */
export async function startModule(file, settings = {}) {
  const env = { ...cleanEnvironment(), BENCH: JSON.stringify(settings) };
  const child = fork(file, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const output = watch(child);
  const orders = new Map();
  let lastId = 0;
  child.once('exit', (code) => {
    for (const { reject } of orders.values()) reject(new Error(`${file} exited with ${code}:\n${output()}`));
  });
  const ready = waitUntilReady(child, output, (resolve) =>
    child.on('message', ({ id, result, error, ready }) => {
      if (ready) return resolve(ready);
      if (error) orders.get(id)?.reject(new Error(error));
      else orders.get(id)?.resolve(result);
      orders.delete(id);
    }),
  );
  return {
    pid: child.pid,
    ready: await ready,
    output,
    call: (order) =>
      new Promise((resolve, reject) => {
        orders.set(++lastId, { resolve, reject });
        child.send({ id: lastId, ...order });
      }),
    stop: () => stop(child),
  };
}
