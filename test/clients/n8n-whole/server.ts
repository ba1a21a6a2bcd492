/** A complete n8n process on loopback with temporary data and the packed package, and the REST API of its editor. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../support/process.js';
import type { Body } from '../../support/service.js';
import { until, waiting } from '../../support/wait.js';
import { n8n, node, PATH } from './install.js';

const run = promisify(execFile);

export interface N8n {
  readonly url: string;
  /** The session cookie of the owner. */
  readonly cookie: string;
  /** Calls the API of the editor and returns its data; throws on an error status. */
  callApi(method: string, path: string, body?: object): Promise<Body>;
  /**
   * Activates a version of a workflow, or deactivates the workflow if `versionId` is undefined. Waits until n8n has
   * applied the change.
   */
  publish(workflowId: string, versionId: string | undefined): Promise<void>;
  /** Kills n8n, as a crash would, and starts it again with the same data. */
  killAndRestart(): Promise<void>;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await promisify(server.close.bind(server))();
  return port;
}

/** Packs the package and installs the file, with the steps of n8n-nodes/README.md. */
async function installPackage(userFolder: string): Promise<void> {
  const folder = join(userFolder, '.n8n/nodes');
  mkdirSync(folder, { recursive: true });
  const { stdout } = await run('npm', ['run', '--silent', 'pack:n8n'], { cwd: root });
  await run('npm', ['install', '--legacy-peer-deps', stdout.trim()], { cwd: folder });
}

/** Keeps n8n offline: disables its requests where possible, and routes the rest to the blocking proxy. */
const settings = (userFolder: string, ports: { editor: number; broker: number }, proxy: string) => ({
  PATH,
  HOME: userFolder,
  N8N_USER_FOLDER: userFolder,
  N8N_HOST: '127.0.0.1',
  N8N_LISTEN_ADDRESS: '127.0.0.1',
  N8N_PORT: String(ports.editor),
  N8N_RUNNERS_BROKER_PORT: String(ports.broker),
  N8N_SECURE_COOKIE: 'false',
  N8N_COMMUNITY_PACKAGES_ALLOW_TOOL_USAGE: 'true',
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_DISABLED_MODULES: 'mcp-registry',
  N8N_DYNAMIC_BANNERS_ENABLED: 'false',
  N8N_HIRING_BANNER_ENABLED: 'false',
  N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
  N8N_PERSONALIZATION_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
  N8N_VERIFIED_PACKAGES_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
  HTTP_PROXY: proxy,
  HTTPS_PROXY: proxy,
  NO_PROXY: '127.0.0.1,localhost',
});

function waitUntilReady(url: string, hasEnded: () => boolean): Promise<boolean> {
  return until('n8n to be ready', async () => {
    const reply = await fetch(`${url}/healthz/readiness`).catch(() => undefined);
    if (hasEnded()) throw new Error('n8n exited before it was ready');
    return reply?.status === 200;
  });
}

/** Creates the owner account of a new n8n, and returns its session cookie. */
async function createOwner(url: string): Promise<string> {
  const response = await fetch(`${url}/rest/owner/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      email: 'owner@shop.example',
      firstName: 'Ana',
      lastName: 'Silva',
      password: 'Throw-away-1',
    }),
  });
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith('n8n-auth='));
  if (!cookie) throw new Error(`creating the owner of n8n failed: ${await response.text()}`);
  return cookie.split(';')[0]!;
}

const createCaller =
  (url: string, cookie: string): N8n['callApi'] =>
  async (method, path, body) => {
    const headers = { 'Content-Type': 'application/json', Cookie: cookie };
    const response = await fetch(`${url}/rest${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`n8n replied to ${method} ${path} with ${response.status}: ${text}`);
    return JSON.parse(text).data;
  };

const createPublisher =
  (callApi: N8n['callApi']): N8n['publish'] =>
  async (id, versionId) => {
    await (versionId
      ? callApi('POST', `/workflows/${id}/activate`, { versionId })
      : callApi('POST', `/workflows/${id}/deactivate`, {}));
    await until('the publication of the workflow', async () => {
      const { status, triggers } = await callApi('GET', `/workflows/${id}/publication-status`);
      if (status === (versionId ? 'published' : 'not_published')) return true;
      // On a busy machine, n8n may still report the earlier state.
      if (!['in_progress', 'published', 'not_published'].includes(status))
        throw new Error(`the workflow is ${status}: ${JSON.stringify(triggers)}`);
      return false;
    });
  };

export async function startN8n(proxy: string): Promise<N8n> {
  const userFolder = mkdtempSync(join(tmpdir(), 'passbell-n8n-whole-'));
  const log = join(userFolder, 'log');
  const remove = () => rmSync(userFolder, { recursive: true, force: true, maxRetries: 5 });
  await installPackage(userFolder);
  const ports = { editor: await freePort(), broker: await freePort() };
  const url = `http://127.0.0.1:${ports.editor}`;
  let child: ChildProcess;
  async function start(): Promise<void> {
    child = spawn(node, [n8n, 'start'], {
      cwd: userFolder,
      env: settings(userFolder, ports, proxy),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const file = createWriteStream(log, { flags: 'a' });
    child.stdout!.pipe(file);
    child.stderr!.pipe(file);
    await waitUntilReady(url, () => child.exitCode !== null);
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await waiting('the exit of n8n', exit);
  }
  // An aborted test must not leave n8n running.
  process.once('exit', () => child.kill('SIGKILL'));
  const stop = async () => {
    await end('SIGTERM');
    remove();
  };
  const killAndRestart = async () => {
    await end('SIGKILL');
    await start();
  };
  try {
    await start();
    const cookie = await createOwner(url);
    const callApi = createCaller(url, cookie);
    return { url, cookie, callApi, publish: createPublisher(callApi), killAndRestart, stop };
  } catch (error) {
    process.stderr.write(readFileSync(log, 'utf8').slice(-4000));
    await stop();
    throw error;
  }
}
