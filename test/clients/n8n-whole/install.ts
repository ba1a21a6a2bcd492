/**
 * A whole n8n, with the Node version that it runs on, in .cache/n8n-whole: 2.4 GB, brought once from the npm registry.
 * What n8n asks for as of a day is the same on every day, so that no lock file of forty thousand lines is needed.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../support/process.js';

const run = promisify(execFile);
const folder = join(root, '.cache/n8n-whole');
const NODE = `node-${process.platform}-${process.arch}`;
const AS_OF = '2026-09-28';
const MANIFEST = {
  private: true,
  description: `n8n as of ${AS_OF}, for a test of n8n-nodes`,
  dependencies: { n8n: '2.41.1', [NODE]: '24.21.0' },
  // Of no use here; one of them has a peer that npm does not come to an end with.
  overrides: {
    '@n8n/ai-node-sdk': 'npm:empty-npm-package@1.0.0',
    '@sentry/node-native': 'npm:empty-npm-package@1.0.0',
    '@sentry/profiling-node': 'npm:empty-npm-package@1.0.0',
  },
};

const nodeFolder = join(folder, 'node_modules', NODE);
export const node = join(nodeFolder, 'bin/node');
export const n8n = join(folder, 'node_modules/n8n/bin/n8n');
/** A PATH on which Node is the one that n8n runs on. */
export const PATH = [join(nodeFolder, 'bin'), process.env.PATH].join(delimiter);

const npm = (...args: string[]) =>
  run('npm', [...args, '--no-audit', '--no-fund'], {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
    env: { PATH, HOME: process.env.HOME, npm_config_nodedir: nodeFolder, npm_config_loglevel: 'error' },
  });

/** Installs what is missing. Of the install scripts only that of the database driver is run. */
export async function installN8n(): Promise<void> {
  const wanted = JSON.stringify(MANIFEST);
  const stamp = join(folder, '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  process.stderr.write('Installing a whole n8n (once, 2.4 GB, some minutes) …\n');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), wanted);
  await npm('install', `--before=${AS_OF}`, '--ignore-scripts', '--legacy-peer-deps', '--no-package-lock');
  // The machine's own SQLite saves a minute of compiling.
  const sqlite = existsSync('/usr/include/sqlite3.h') ? ['--sqlite=/usr'] : [];
  await npm('rebuild', 'sqlite3', '--ignore-scripts=false', '--build-from-source', ...sqlite);
  writeFileSync(stamp, wanted);
}
