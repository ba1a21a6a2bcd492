/**
 * Installs a complete n8n and its Node version into .cache/n8n-whole, once (2.4 GB). Resolving the dependencies as of a
 * fixed date is reproducible without a lock file of forty thousand lines.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../support/process.js';

const run = promisify(execFile);
const folder = join(root, '.cache/n8n-whole');
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;
const RESOLUTION_DATE = '2026-09-28';
const MANIFEST = {
  private: true,
  description: `n8n as of ${RESOLUTION_DATE}, for a test of n8n-nodes`,
  dependencies: { n8n: '2.41.1', [NODE_PACKAGE]: '24.21.0' },
  // Replaces packages that the test does not need. One of them has a peer dependency that npm cannot resolve.
  overrides: {
    '@n8n/ai-node-sdk': 'npm:empty-npm-package@1.0.0',
    '@sentry/node-native': 'npm:empty-npm-package@1.0.0',
    '@sentry/profiling-node': 'npm:empty-npm-package@1.0.0',
  },
};

const nodeFolder = join(folder, 'node_modules', NODE_PACKAGE);
export const node = join(nodeFolder, 'bin/node');
export const n8n = join(folder, 'node_modules/n8n/bin/n8n');
/** A PATH that starts with n8n's Node. */
export const PATH = [join(nodeFolder, 'bin'), process.env.PATH].join(delimiter);

const npm = (...args: string[]) =>
  run('npm', [...args, '--no-audit', '--no-fund'], {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
    env: { PATH, HOME: process.env.HOME, npm_config_nodedir: nodeFolder, npm_config_loglevel: 'error' },
  });

/** Installs n8n if it is missing. Only the install script of the database driver runs. */
export async function installN8n(): Promise<void> {
  const manifest = JSON.stringify(MANIFEST);
  const stamp = join(folder, '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === manifest) return;
  process.stderr.write('Installing n8n (once, 2.4 GB, a few minutes) …\n');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), manifest);
  await npm('install', `--before=${RESOLUTION_DATE}`, '--ignore-scripts', '--legacy-peer-deps', '--no-package-lock');
  // Using the system's SQLite saves a minute of compile time.
  const sqlite = existsSync('/usr/include/sqlite3.h') ? ['--sqlite=/usr'] : [];
  await npm('rebuild', 'sqlite3', '--ignore-scripts=false', '--build-from-source', ...sqlite);
  writeFileSync(stamp, manifest);
}
