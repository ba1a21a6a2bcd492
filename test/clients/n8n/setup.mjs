/**
 * Installs n8n's tools and engine into .cache/n8n, once, and builds the package in a subfolder, where n8n's tools
 * expect it.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const lockFolder = fileURLToPath(new URL('toolbox', import.meta.url));
const source = join(root, 'n8n-nodes');

export const toolbox = join(root, '.cache/n8n');
/** The built package. */
export const built = join(toolbox, 'n8n-nodes');

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

function once(stamp, state, work) {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;
  work();
  writeFileSync(stamp, state);
}

/** Runs an npm command in a folder and returns its output; throws the output on failure. */
export function npm(cwd, ...args) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8', timeout: 600_000 });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
  return stdout;
}

function install() {
  const files = ['package.json', 'package-lock.json'];
  once(join(toolbox, '.installed'), hashOf(files.map((file) => join(lockFolder, file))), () => {
    console.error('Installing the n8n engine (once, about half a minute) …');
    for (const file of files) cpSync(join(lockFolder, file), join(toolbox, file));
    npm(toolbox, 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  });
}

const isSource = (path) => !/[\\/](dist|node_modules)([\\/]|$)/.test(path.slice(source.length));

function build() {
  const files = readdirSync(source, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter(isSource)
    .sort();
  once(join(toolbox, '.built'), hashOf(files), () => {
    rmSync(built, { recursive: true, force: true });
    cpSync(source, built, { recursive: true, filter: isSource });
    npm(built, 'run', 'build');
  });
}

export default function setup() {
  mkdirSync(toolbox, { recursive: true });
  install();
  build();
}
