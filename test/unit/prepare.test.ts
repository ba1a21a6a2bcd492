/** scripts/prepare.mjs: several commands that are started beside a first build. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../support/process.js';
import { until } from '../support/wait.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'passbell-prepare-'));
  for (const [path, text] of Object.entries(PROJECT)) write(path, text);
  for (const name of ['widget/dist', 'dist/downloads']) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['prepare.mjs', 'lock.mjs']) copyFileSync(join(root, 'scripts', name), at(`scripts/${name}`));
  // Marks the dependencies as installed.
  const hash = createHash('sha256').update(process.versions.modules).update('package-lock.json').update('\0');
  write('node_modules/.passbell-service', hash.update(PROJECT['package-lock.json']).digest('hex'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A build that reports its start, and waits for the file `continue`. */
const BUILD = `
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
appendFileSync('builds', 'start ');
while (!existsSync('continue')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
mkdirSync('backend/dist', { recursive: true });
appendFileSync('builds', 'end ');
`;
const PROJECT = {
  'package-lock.json': '{}',
  'tsconfig.json': '{}',
  'backend/package.json': '{}',
  'backend/tsconfig.json': '{}',
  'backend/build.mjs': BUILD,
  'backend/src/main.ts': '',
  'widget/src/widget.ts': '',
  'widget/package.json': '{}',
  'widget/build.mjs': '',
  'n8n-nodes/package.json': '{}',
  'clients/package.json': '{}',
  'zapier-app/package.json': '{}',
  ...Object.fromEntries(
    ['pack-downloads', 'pack-n8n', 'pack-clients', 'pack-python', 'zip', 'publisher'].map((name) => [
      `scripts/${name}.mjs`,
      '',
    ]),
  ),
  'scripts/package.json': '{ "type": "module" }',
  'scripts/command.mjs': "import { prepare } from './prepare.mjs';\nprepare('service');\n",
};

const at = (path: string) => join(folder, path);
function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}
const builds = () => (existsSync(at('builds')) ? readFileSync(at('builds'), 'utf8') : '');

function start() {
  const child = spawn(process.execPath, [at('scripts/command.mjs')], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { child, exit: once(child, 'exit'), output: () => output };
}

it('a command waits for the build of another process, and does not build again', async () => {
  const first = start();
  await until('the start of the build', () => builds() === 'start ');
  const second = start();
  await until('the notice', () => second.output().includes('Waiting for another process'));
  write('continue', '');
  expect([(await first.exit)[0], (await second.exit)[0]]).toEqual([0, 0]);
  expect(builds()).toBe('start end ');
  expect(existsSync(at('.cache/prepare.lock'))).toBe(false);
});

it('a command builds by itself after another process was killed', async () => {
  const killed = start();
  await until('the start of the build', () => builds() === 'start ');
  killed.child.kill('SIGKILL');
  await killed.exit;
  // The killed command's build ends, too.
  write('continue', '');
  expect((await start().exit)[0]).toBe(0);
  await until('the end of both builds', () => builds().split('end').length === 3);
});
