/** A complete Node-RED process on loopback with temporary data and the packed nodes. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root, startProgram, type PassbellProcess } from '../../support/process.js';
import { freePort } from '../../support/servers/private-server.js';
import { installToolbox } from '../../support/toolbox.mjs';
import type { Body } from '../../support/service.js';
import { until } from '../../support/wait.js';

const run = promisify(execFile);

export const toolbox = join(root, '.cache/node-red');
const node = join(toolbox, `node_modules/node-24-${process.platform}-${process.arch}/bin/node`);
const program = join(toolbox, 'node_modules/node-red/red.js');

export interface NodeRed {
  readonly url: string;
  /** Replaces all flows. Resolves once they run. */
  deploy(nodes: object[]): Promise<void>;
  /** Calls an HTTP endpoint of the flows. */
  post(path: string, body: object): Promise<Body>;
  output(): string;
  stop(): Promise<void>;
}

/** Packs the nodes. Returns the path of the file. */
export async function packNodes(target: string): Promise<string> {
  const folder = join(root, 'clients/node-red');
  await run(process.execPath, ['build.mjs'], { cwd: folder });
  const options = ['pack', '--json', '--ignore-scripts', '--pack-destination', target];
  const { stdout } = await run('npm', options, { cwd: folder });
  return join(target, (JSON.parse(stdout) as { filename: string }[])[0]!.filename);
}

export function installNodeRed(): void {
  const lockFolder = join(root, 'test/clients/node-red/toolbox');
  installToolbox(lockFolder, toolbox, 'Installing Node-RED and its Node version (once, 350 MB) …');
}

/** Installs the packed nodes with the command of their README, and starts Node-RED. */
export async function startNodeRed(): Promise<NodeRed> {
  const userDir = mkdtempSync(join(tmpdir(), 'passbell-node-red-'));
  writeFileSync(join(userDir, 'package.json'), '{ "private": true }');
  await run('npm', ['install', '--no-audit', '--no-fund', await packNodes(userDir)], { cwd: userDir });
  const port = await freePort();
  writeFileSync(
    join(userDir, 'settings.js'),
    `module.exports = { uiHost: '127.0.0.1', uiPort: ${port}, credentialSecret: 'throw-away', telemetry: { enabled: false },
      editorTheme: { tours: false, palette: { catalogues: [] } } };`,
  );
  const nodeRed: PassbellProcess = await startProgram({
    name: 'Node-RED',
    command: node,
    args: [program, '--userDir', userDir],
    settings: { HOME: userDir },
    ready: /Server now running at (http:\/\/[^\s/]+)/,
  });
  const { url } = nodeRed;
  let deploys = 0;
  const call = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Node-RED replied to ${path} with ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    url,
    async deploy(nodes) {
      const path = `/deployed-${++deploys}`;
      const probe = [
        { id: 'probe', type: 'tab', label: 'Probe' },
        { id: 'probe-in', z: 'probe', type: 'http in', url: path, method: 'post', x: 1, y: 1, wires: [['probe-out']] },
        { id: 'probe-out', z: 'probe', type: 'http response', x: 1, y: 1, wires: [] },
      ];
      await call('/flows', [...nodes, ...probe], { 'Node-RED-Deployment-Type': 'full' });
      // Node-RED replies before the flows run.
      await until('the flows to run', async () => (await fetch(`${url}${path}`, { method: 'POST' })).ok);
    },
    post: call,
    output: nodeRed.output,
    async stop() {
      await nodeRed.stop('SIGTERM');
      rmSync(userDir, { recursive: true, force: true });
    },
  };
}
