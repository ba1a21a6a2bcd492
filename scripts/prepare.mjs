/**
 * Installs dependencies and builds the project if they are missing or have changed. Uses only Node's built-in modules,
 * because it runs before the dependencies are installed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => join(root, ...parts);

const [nodeMajor, nodeMinor] = process.versions.node.split('.').map(Number);

function checkNode() {
  if (nodeMajor > 20 || (nodeMajor === 20 && nodeMinor >= 19)) return;
  console.error(
    `Passbell needs Node 20.19 or newer, and Node 24 is recommended. This is Node ${process.versions.node}.`,
  );
  process.exit(1);
}

/** Runs a command and redirects its output to standard error. Standard output is reserved for the user's command. */
function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (error) console.error(error.message);
  if (status !== 0) {
    console.error(`\nfailed: ${command} ${args.join(' ')}`);
    process.exit(status ?? 1);
  }
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** Returns the files of a package, without installed packages and build results. */
const sourcesBelow = (folder) =>
  filesBelow(at(folder)).filter(
    (path) => !/[\\/](node_modules|dist|build|__pycache__)[\\/]/.test(path.slice(root.length)),
  );

function hashOf(files) {
  const hash = createHash('sha256').update(process.versions.modules);
  for (const file of files) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

/** Calls `work` and stores `state` in the stamp file, unless the file already contains this state. */
function runIfChanged(stampFile, state, work) {
  const stamp = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
  if (stamp === state) return;
  work();
  writeFileSync(stampFile, state);
}

/**
 * Installs dependencies. `service`: what is needed to build and run the service. `everything`: also the development
 * tools.
 */
function install(scope) {
  const lock = hashOf([at('package-lock.json')]);
  const isInstalled = (name) => existsSync(name) && readFileSync(name, 'utf8') === lock;
  if (isInstalled(at('node_modules/.passbell-everything'))) return;
  if (scope === 'service' && isInstalled(at('node_modules/.passbell-service'))) return;
  console.error(`Installing ${scope === 'service' ? 'the dependencies of the service' : 'all dependencies'} (once) …`);
  run('npm', [
    'install',
    '--no-save',
    '--include=dev',
    '--ignore-scripts',
    ...(scope === 'service' ? ['--workspace=backend', '--workspace=widget'] : []),
  ]);
  buildSqliteDriver();
  writeFileSync(at(`node_modules/.passbell-${scope}`), lock);
}

/** Builds the SQLite driver for Node 20. The driver for newer versions contains compiled code. */
function buildSqliteDriver() {
  if (nodeMajor >= 22) return;
  runIfChanged(at('node_modules/better-sqlite3/.passbell-built'), process.versions.modules, () => {
    console.error('Building the SQLite driver (once, about a minute) …');
    run('npm', ['rebuild', 'better-sqlite3', '--ignore-scripts=false']);
  });
}

/** Build steps, and the source files that each step depends on. */
const BUILDS = [
  {
    name: 'the service',
    stamp: at('backend/dist/.stamp'),
    sources: () => [
      ...filesBelow(at('backend/src')),
      ...['backend/build.mjs', 'backend/package.json', 'backend/tsconfig.json', 'tsconfig.json'].map((path) =>
        at(path),
      ),
    ],
    // Builds without type checking, because `npm test` checks the types.
    script: [at('backend/build.mjs')],
  },
  {
    name: 'the widget',
    stamp: at('widget/dist/.stamp'),
    sources: () => [...filesBelow(at('widget/src')), at('widget/build.mjs'), at('widget/package.json')],
    script: [at('widget/build.mjs')],
  },
  {
    name: 'the packages of the clients',
    stamp: at('dist/downloads/.stamp'),
    sources: () => [
      ...['n8n-nodes', 'clients', 'zapier-app'].flatMap(sourcesBelow),
      ...['pack-downloads', 'pack-n8n', 'pack-clients', 'pack-python', 'zip', 'publisher'].map((name) =>
        at(`scripts/${name}.mjs`),
      ),
    ],
    script: [at('scripts/pack-downloads.mjs')],
  },
];

function build({ name, stamp, sources, script }) {
  runIfChanged(stamp, hashOf(sources()), () => {
    console.error(`Building ${name} …`);
    run(process.execPath, script);
  });
}

/** Installs the dependencies of a client package, which has its own lock file. */
export function installClient(folder) {
  runIfChanged(at(folder, 'node_modules/.passbell-installed'), hashOf([at(folder, 'package-lock.json')]), () => {
    console.error(`Installing the dependencies of ${folder} (once) …`);
    run('npm', ['ci', '--prefix', folder, '--ignore-scripts']);
  });
}

/**
 * Installs the dependencies and builds the project. `service` is enough to run Passbell; `everything` is required for
 * development. Waits while another process does the same.
 */
export function prepare(scope) {
  checkNode();
  const work = () => {
    install(scope);
    BUILDS.forEach(build);
  };
  const onWait = () =>
    console.error('Waiting for another process to finish the build. If there is none, delete .cache/prepare.lock …');
  withLock(at('.cache/prepare.lock'), work, onWait);
}
