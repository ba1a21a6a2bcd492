/**
 * Installs the tools that check the packages in `clients` and run the examples into .cache/node-client, once, and
 * installs the packed packages there.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installToolbox, npm, once, sourcesOf } from '../../support/toolbox.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export const toolbox = join(root, '.cache/node-client');

function run(command, ...args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`failed: ${command} ${args.join(' ')}`);
}

// The stamps are in node_modules, so `npm ci` removes them together with the packages.
const stamp = (name) => join(toolbox, 'node_modules', `.${name}-packed`);

/** Packs a folder as it would be published, as <name>.tgz in the toolbox, and installs it there. */
function pack(folder, name) {
  const tarball = join(toolbox, `${name}.tgz`);
  const [{ filename }] = JSON.parse(npm(folder, 'pack', '--json', '--ignore-scripts', '--pack-destination', toolbox));
  cpSync(join(toolbox, filename), tarball);
  const installed = join(toolbox, 'node_modules', name);
  rmSync(installed, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  run('tar', '-xzf', tarball, '-C', installed, '--strip-components=1');
}

function packClient() {
  const source = join(root, 'clients/node');
  once(stamp('passbell'), sourcesOf(source), () => {
    npm(source, 'run', 'build');
    pack(source, 'passbell');
  });
}

/** Checks the types in the toolbox, where better-auth is installed. The build does not check them. */
function packBetterAuth() {
  const source = join(root, 'clients/better-auth');
  once(stamp('passbell-better-auth'), [...sourcesOf(source), ...sourcesOf(join(root, 'clients/node/src'))], () => {
    const copy = join(toolbox, 'better-auth');
    rmSync(copy, { recursive: true, force: true });
    cpSync(source, copy, { recursive: true });
    run(process.execPath, join(toolbox, 'node_modules/typescript/bin/tsc'), '-p', copy, '--noEmit');
    run(process.execPath, join(copy, 'build.mjs'));
    pack(copy, 'passbell-better-auth');
  });
}

export default function setup() {
  const lockFolder = fileURLToPath(new URL('toolbox', import.meta.url));
  installToolbox(lockFolder, toolbox, 'Installing what tests the Node client and the examples (once, a few minutes) …');
  packClient();
  packBetterAuth();
}
