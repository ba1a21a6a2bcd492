/**
 * `npm run bench`: compares Passbell with better-auth and with minimal baselines, on the same MariaDB and Redis and with the
 * same load tool. `--help` lists the options.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prepare } from '../../scripts/prepare.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Installs the compared packages next to this file, once. */
function install() {
  const lock = readFileSync(`${here}package-lock.json`, 'utf8');
  const stamp = `${here}node_modules/.bench-installed`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.error('Installing what the bench compares with (once) …');
  const { status } = spawnSync('npm', ['ci'], { cwd: here, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, lock);
}

prepare('service');
install();
const { main } = await import('./main.mjs');
await main(process.argv.slice(2));
