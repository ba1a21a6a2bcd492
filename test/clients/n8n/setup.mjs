/**
 * Installs n8n's tools and engine into .cache/n8n, once, and builds the package in a subfolder, where n8n's tools
 * expect it.
 */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installToolbox, isSource, npm, once, sourcesOf } from '../../support/toolbox.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const source = join(root, 'n8n-nodes');

export const toolbox = join(root, '.cache/n8n');
/** The built package. */
export const built = join(toolbox, 'n8n-nodes');

function build() {
  once(join(toolbox, '.built'), sourcesOf(source), () => {
    rmSync(built, { recursive: true, force: true });
    cpSync(source, built, { recursive: true, filter: (path) => isSource(path.slice(source.length)) });
    npm(built, 'run', 'build');
  });
}

export default function setup() {
  const lockFolder = fileURLToPath(new URL('toolbox', import.meta.url));
  installToolbox(lockFolder, toolbox, 'Installing the n8n engine (once, about half a minute) …');
  build();
}
