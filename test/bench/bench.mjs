/**
 * `npm run bench`: compares Passbell with better-auth and with minimal baselines, on the same MariaDB and Redis and
 * with the same load tool. `--help` lists the options.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prepare } from '../../scripts/prepare.mjs';

const benchFolder = fileURLToPath(new URL('.', import.meta.url));

/** Installs the packages of the benchmark in this folder, unless they are up to date. */
function install() {
  const lock = readFileSync(`${benchFolder}package-lock.json`, 'utf8');
  const stamp = `${benchFolder}node_modules/.bench-installed`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.error('Installing what the bench compares with (once) …');
  const { status } = spawnSync('npm', ['ci'], { cwd: benchFolder, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, lock);
}

prepare('service');
install();
const { main } = await import('./main.mjs');
await main(process.argv.slice(2));
