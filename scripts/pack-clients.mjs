/**
 * `npm run --silent pack:clients`: builds and packs the Node client and passbell-better-auth, and prints the paths of the
 * files.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

const target = join(root, '.cache/clients');

function run(cwd, command, ...args) {
  const { status, stdout, error } = spawnSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} failed\n${stdout}`);
  return stdout;
}

prepare('service');
mkdirSync(target, { recursive: true });
for (const folder of [join(root, 'clients/node'), join(root, 'clients/better-auth')]) {
  run(folder, process.execPath, 'build.mjs');
  // Without scripts, because npm would add their output to the JSON.
  const options = ['--json', '--ignore-scripts', '--pack-destination', target];
  const [{ filename }] = JSON.parse(run(folder, 'npm', 'pack', ...options));
  console.log(join(target, filename));
}
