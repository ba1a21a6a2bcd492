/**
 * Installs the packages that the tests of clients/node need into .cache/node-client, once, and installs the packed
 * client there.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installToolbox, npm, once, sourcesOf } from '../../support/toolbox.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const source = join(root, 'clients/node');

export const toolbox = join(root, '.cache/node-client');
/** The client as it would be published. */
export const tarball = join(toolbox, 'passbell.tgz');

function pack() {
  once(join(toolbox, '.packed'), sourcesOf(source), () => {
    npm(source, 'run', 'build');
    const [{ filename }] = JSON.parse(npm(source, 'pack', '--json', '--pack-destination', toolbox));
    cpSync(join(toolbox, filename), tarball);
    const installed = join(toolbox, 'node_modules/passbell');
    rmSync(installed, { recursive: true, force: true });
    mkdirSync(installed, { recursive: true });
    const { status } = spawnSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'], {
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error('the packed client could not be unpacked');
  });
}

export default function setup() {
  const lockFolder = fileURLToPath(new URL('toolbox', import.meta.url));
  installToolbox(lockFolder, toolbox, 'Installing what tests the Node client and the examples (once, a few minutes) …');
  pack();
}
