/** Dependencies: licenses, telemetry, install scripts, and what the image keeps of them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Body } from '../support/service.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const lock = (file: string): Body => JSON.parse(readFileSync(join(root, file), 'utf8')).packages;

it('docs/licenses.md is up to date, and all licenses of the service are permissive', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/licenses.mjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it.each(['package-lock.json', 'zapier-app/package-lock.json'])(
  '%s has no telemetry package and no registry',
  (file) => {
    const names = Object.keys(lock(file)).map((path) => path.split('node_modules/').at(-1));
    expect(names.filter((name) => /^@scarf\//.test(name!))).toEqual([]);
    expect(readFileSync(join(root, file), 'utf8')).not.toContain('"resolved": "http');
  },
);

it('no install script runs, except the one of the SQLite driver for Node 20', () => {
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toContain('ignore-scripts=true\n');
  const compiled = (file: string) =>
    readFileSync(join(root, file), 'utf8').match(/.*(?:ignore-scripts=false|npm rebuild|node-gyp|make g\+\+).*/g) ?? [];
  expect(compiled('Dockerfile')).toEqual([]);
  expect(compiled('scripts/prepare.mjs').map((line) => line.trim())).toEqual([
    "run('npm', ['rebuild', 'better-sqlite3', '--ignore-scripts=false']);",
  ]);
});

it('the image keeps code and licenses of packages, and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'passbell-modules-'));
  const platform = `${process.platform}-${process.arch}`;
  const kept = [
    'a/index.js',
    'a/LICENSE.md',
    'a/data.json',
    'a/x.wasm',
    'a/x.cjs',
    'zod/v4/index.js',
    'liquidjs/dist/liquid.node.js',
    `better-sqlite3-13/prebuilds/${platform}.node`,
  ];
  const removed = [
    'a/index.d.ts',
    'a/index.js.map',
    'a/README.md',
    'a/src/index.ts',
    'better-sqlite3-13/deps/sqlite3.c',
  ];
  removed.push(
    'zod/v4/index.cjs',
    'zod/v3/index.js',
    'liquidjs/dist/liquid.browser.umd.js',
    'luxon/build/amd/luxon.js',
    'better-sqlite3-13/prebuilds/other-x64.node',
    'better-sqlite3/deps/sqlite3/sqlite3.c',
  );
  try {
    for (const file of kept.concat(removed)) {
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      writeFileSync(join(folder, file), '');
    }
    expect(spawnSync(process.execPath, [join(root, 'scripts/prune-modules.mjs'), folder]).status).toBe(0);
    const files = readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
    expect(files.sort()).toEqual(kept.sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
