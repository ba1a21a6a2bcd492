/**
 * `npm run release`: creates the files of a release in `.cache/release/files`, and checks them, in a fresh clone of the last
 * commit. It starts the service, packs all packages, installs them into empty projects, renders the manifests, extracts the notes
 * from the changelog and builds the image. It publishes nothing. `--without-image` skips the image, `--with-tests` also runs
 * `npm test`.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from './prepare.mjs';
import { fillIn } from './publisher.mjs';

const folder = join(root, '.cache/release');
const clone = join(folder, 'clone');
const files = join(folder, 'files');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { image } = JSON.parse(readFileSync(join(root, 'publisher.json'), 'utf8'));
const wheel = `passbell-${version}-py3-none-any.whl`;

/** Time limit for the first start, which installs and builds. */
const START_MS = 15 * 60_000;

function run(cwd, command, ...args) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs `npm start` as the README says, and waits for the address that it prints. */
function startService() {
  const { promise, resolve, reject } = withResolvers();
  const startedAt = performance.now();
  const env = { ...process.env, PORT: '0', DATA_DIR: mkdtempSync(join(tmpdir(), 'passbell-release-')) };
  const child = spawn('npm', ['start'], { cwd: clone, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const timer = setTimeout(() => reject(new Error(`npm start is not ready\n${output}`)), START_MS);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
      if (url) resolve(url);
    });
  child.on('exit', (code) => reject(new Error(`npm start exited with ${code}\n${output}`)));
  return promise
    .then(async (url) => {
      const { status } = await fetch(`${url}/health/ready`);
      if (status !== 200) throw new Error(`/health/ready replies ${status}`);
      return `ready after ${Math.round((performance.now() - startedAt) / 1000)} s on Node ${process.versions.node}`;
    })
    .finally(() => {
      clearTimeout(timer);
      child.removeAllListeners('exit');
      // The whole group, because npm does not pass signals on.
      process.kill(-child.pid, 'SIGTERM');
      rmSync(env.DATA_DIR, { recursive: true, force: true });
    });
}

function withResolvers() {
  const result = {};
  result.promise = new Promise((resolve, reject) => Object.assign(result, { resolve, reject }));
  return result;
}

/** Packs all packages. Returns the names of the files. */
function pack() {
  const packed = [
    ...run(clone, 'npm', 'run', '--silent', 'pack:clients').trim().split('\n'),
    run(clone, 'npm', 'run', '--silent', 'pack:n8n').trim(),
  ];
  const zapier = join(clone, 'zapier-app');
  run(zapier, 'npm', 'ci', '--ignore-scripts');
  run(zapier, 'npm', 'run', 'build');
  packed.push(join(zapier, run(zapier, 'npm', 'pack', '--silent', '--ignore-scripts').trim()));
  for (const path of packed) cpSync(path, join(files, basename(path)));
  const names = packed.map((path) => basename(path));
  const wrong = names.filter((name) => !name.endsWith(`-${version}.tgz`));
  if (wrong.length > 0) throw new Error(`not version ${version}: ${wrong.join(', ')}`);
  // `npm start` has packed the Python client.
  cpSync(join(clone, 'dist/downloads', wheel), join(files, wheel));
  return [...names, wheel];
}

/** The npm packages, what to install them with, and code that proves that they can be loaded. */
export const INSTALLATIONS = {
  passbell: {
    code: "import { Passbell } from 'passbell'; new Passbell({ baseUrl: 'http://x', appKey: 'pk_1', appSecret: 'sk_1' })",
  },
  'passbell-better-auth': { with: ['passbell'], code: "import 'passbell-better-auth'" },
  'passbell-node-red': { code: "import nodes from '@passbell/node-red/dist/passbell.js'; nodes.call" },
  'passbell-piece-passbell': {
    code: "import { passbell } from '@passbell/piece-passbell'; passbell.metadata()",
  },
  'n8n-nodes-passbell': {
    options: ['--legacy-peer-deps'],
    code: `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const { n8n } = require('n8n-nodes-passbell/package.json');
for (const file of [...n8n.nodes, ...n8n.credentials]) require.resolve('n8n-nodes-passbell/' + file)`,
  },
  'passbell-zapier-app': {
    code: "import app from 'passbell-zapier-app'; if (!app.version) throw new Error('no version')",
  },
};

/** Installs each npm package into an empty project, and loads it. */
function install() {
  for (const [name, { with: others = [], options = [], code }] of Object.entries(INSTALLATIONS)) {
    const project = mkdtempSync(join(tmpdir(), 'passbell-empty-'));
    try {
      writeFileSync(join(project, 'package.json'), '{ "private": true }');
      writeFileSync(join(project, 'load.mjs'), code);
      const packages = [...others, name].map((each) => join(files, `${each}-${version}.tgz`));
      run(project, 'npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', ...options, ...packages);
      run(project, process.execPath, 'load.mjs');
    } finally {
      rmSync(project, { recursive: true, force: true });
    }
  }
  return `${Object.keys(INSTALLATIONS).join(', ')} load in empty projects`;
}

/** Installs the Python client into an empty folder, and loads it. */
function installPython() {
  if (spawnSync('python3', ['-m', 'pip', '--version']).status !== 0) return 'SKIPPED: Python or pip is not installed';
  const folder = mkdtempSync(join(tmpdir(), 'passbell-empty-'));
  try {
    run(folder, 'python3', '-m', 'pip', 'install', '--no-index', '--quiet', '--target', folder, join(files, wheel));
    const code = "from passbell import Passbell; Passbell(base_url='http://x', app_key='pk_1', app_secret='sk_1')";
    // "-m" and "-c" look for modules in the current folder.
    run(folder, 'python3', '-c', code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return `${wheel} loads in an empty folder`;
}

/**
 * Returns the changelog's section of the version, which becomes the release notes, and its date, which is "unreleased" until
 * the version is published.
 */
export function notesOf(changelog, wanted) {
  const section = changelog.split(/^## /m).find((text) => text.startsWith(`${wanted} (`));
  if (!section) throw new Error(`CHANGELOG.md has no section "## ${wanted} (date)"`);
  const [, date] = /^\S+ \((\d{4}-\d\d-\d\d|unreleased)\)\n/.exec(section) ?? [];
  if (!date) throw new Error(`CHANGELOG.md: the section of ${wanted} has no date`);
  return { date, text: section.slice(section.indexOf('\n')).trim() };
}

function writeNotes() {
  const { date, text } = notesOf(readFileSync(join(clone, 'CHANGELOG.md'), 'utf8'), version);
  writeFileSync(join(files, 'notes.md'), `${text}\n`);
  cpSync(join(clone, 'docker-compose.yml'), join(files, 'docker-compose.yml'));
  return `CHANGELOG.md, ${version} (${date})`;
}

/** Renders the manifests with the first program that is installed. */
function renderManifests() {
  const programs = [
    ['kustomize', 'build'],
    ['kubectl', 'kustomize'],
  ];
  const found = programs.find((command) => spawnSync(command[0], [command[1], '--help']).status === 0);
  if (!found) return 'SKIPPED: neither kustomize nor kubectl is installed';
  const [name, ...args] = found;
  const render = (folder) => run(clone, name, ...args, `deploy/kubernetes/${folder}`);
  const base = render('base');
  if (!base.includes(`image: ${image}:${version}\n`))
    throw new Error('the manifests do not use the image of the release');
  writeFileSync(join(files, `passbell-kubernetes-${version}.yaml`), base);
  const documents = (text) => text.split(/^---$/m).length;
  return `${documents(base)} documents, ${documents(render('bundled-stores'))} with MySQL and Redis, by ${found.join(' ')}`;
}

/** Builds the image with the first builder that works. */
function buildImage() {
  const builders = [
    ['docker', 'build', '--tag', `${image}:${version}`, '.'],
    ['buildah', 'build', '--tag', `${image}:${version}`, '.'],
  ];
  const found = builders.find(([name]) => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0);
  if (!found) return 'SKIPPED: neither Docker nor Buildah runs on this machine';
  run(clone, ...found);
  return `${image}:${version}, with ${found[0]}`;
}

function writeChecksums() {
  const sums = readdirSync(files)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(files, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(files, 'SHA256SUMS'), sums.join(''));
  return `${sums.length} files in ${files}`;
}

async function main(args) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(files, { recursive: true });
  const steps = {
    'One version and one publisher in all files': () => {
      const { outdated, placeholders } = fillIn(root, { isWriting: false });
      if (outdated.length > 0) throw new Error(`out of date: ${outdated.join(', ')}. Run: npm run publisher`);
      return placeholders.length > 0
        ? `${version}; publisher.json has placeholders, so it cannot be published`
        : version;
    },
    'A fresh clone of the last commit': () => {
      run(root, 'git', 'clone', '--quiet', root, clone);
      return run(clone, 'git', 'log', '-1', '--format=%h of %cs').trim();
    },
    'npm start': startService,
    ...(args.includes('--with-tests') ? { 'npm test': () => run(clone, 'npm', 'test').trim().split('\n').at(-1) } : {}),
    'All packages are packed': () => pack().join(', '),
    'All npm packages can be installed': install,
    'The Python client can be installed': installPython,
    'Release notes': writeNotes,
    Manifests: renderManifests,
    ...(args.includes('--without-image') ? {} : { 'The image': buildImage }),
    Checksums: writeChecksums,
  };
  for (const [title, step] of Object.entries(steps)) {
    try {
      console.log(`ok  ${title}: ${await step()}`);
    } catch (error) {
      console.error(`FAILED  ${title}: ${error.message}\n${error.stdout ?? ''}`);
      return 1;
    }
  }
  return 0;
}

if (process.argv[1] === new URL(import.meta.url).pathname) process.exitCode = await main(process.argv.slice(2));
