/** The service and a complete n8n on loopback for one test file, with the credential that the examples use. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyPair } from '../../../backend/src/modules/applications/application.js';
import { runCommand, root, startProcess, type PassbellProcess } from '../../support/process.js';
import type { Body } from '../../support/service.js';
import { installN8n } from './install.js';
import { startBlockingProxy } from './blocking-proxy.js';
import { startN8n, type N8n } from './server.js';

export interface Fixture {
  readonly n8n: N8n;
  readonly serviceUrl: string;
  /** The text that the service printed when it started. */
  readonly serviceOutput: string;
  readonly keys: KeyPair;
  /** Blocks and records all of n8n's requests to the internet. */
  readonly proxy: Awaited<ReturnType<typeof startBlockingProxy>>;
  /** Returns the data of the Passbell credential, with optional changes. */
  credential(change?: object): object;
  /** Creates an application without pauses between codes. */
  applicationWithoutCooldown(): Promise<KeyPair>;
  callPassbell(path: string, body?: object, as?: KeyPair): Promise<Body>;
  inbox(to: string): Promise<Body[]>;
  /** Imports a workflow as the editor does, and activates it. */
  activate(workflow: Body): Promise<string>;
  deactivate(workflowId: string): Promise<void>;
}

export const example = (name: string): Body =>
  JSON.parse(readFileSync(join(root, 'n8n-nodes/examples', `${name}.json`), 'utf8'));

export const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function timed<T>(label: string, work: Promise<T>): Promise<T> {
  const start = Date.now();
  const result = await work;
  process.stderr.write(`${label}: ${((Date.now() - start) / 1000).toFixed(1)} s\n`);
  return result;
}

export function setUpN8n(): Fixture {
  let dataDir: string;
  let service: PassbellProcess;
  let keys: KeyPair;
  let proxy: Fixture['proxy'];
  let n8n: N8n;

  const credential = (change: object = {}) => ({ ...keys, baseUrl: service.url, ...change });

  beforeAll(async () => {
    await timed('n8n is installed', installN8n());
    dataDir = mkdtempSync(join(tmpdir(), 'passbell-n8n-whole-'));
    // Webhooks must be able to call n8n on this machine.
    service = await startProcess({ DATA_DIR: dataDir, WEBHOOKS_ALLOW_PRIVATE: 'true' });
    keys = JSON.parse(await runCommand(dataDir, 'app', 'create', '--name', 'My Shop', '--json')) as KeyPair;
    proxy = await startBlockingProxy();
    n8n = await timed('n8n has started', startN8n(proxy.url));
    // The examples use n8n's default name for the credential, so n8n assigns it automatically.
    await n8n.callApi('POST', '/credentials', { name: 'Passbell account', type: 'passbellApi', data: credential() });
  });
  afterAll(async () => {
    await n8n?.stop();
    proxy?.close();
    await service?.stop('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  });

  return {
    get n8n() {
      return n8n;
    },
    get serviceUrl() {
      return service.url;
    },
    get serviceOutput() {
      return service.output();
    },
    get keys() {
      return keys;
    },
    get proxy() {
      return proxy;
    },
    credential,
    async applicationWithoutCooldown() {
      const created = JSON.parse(await runCommand(dataDir, 'app', 'create', '--name', 'My Shop', '--json')) as KeyPair;
      await runCommand(dataDir, 'app', 'update', created.appKey, '--cooldown-seconds', '0');
      return created;
    },
    async callPassbell(path, body, { appKey, appSecret } = keys) {
      const headers = { clientId: appKey, clientSecret: appSecret };
      const url = `${service.url}/api/v1${path}`;
      return (await (body ? post(url, body, headers) : fetch(url, { headers }))).json();
    },
    async inbox(to) {
      const response = await fetch(`${service.url}/dev/inbox.json?to=${encodeURIComponent(to)}`);
      return (await response.json()) as Body[];
    },
    async activate(workflow) {
      const { id, versionId } = await n8n.callApi('POST', '/workflows', workflow);
      await n8n.publish(id, versionId);
      return id;
    },
    deactivate: (id) => n8n.publish(id, undefined),
  };
}
