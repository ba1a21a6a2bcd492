/**
 * `npm run --silent pack:clients`: builds and packs the Node client, passbell-better-auth, the Node-RED nodes and the
 * Activepieces piece, and prints the paths of the files.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare, root } from './prepare.mjs';

function run(cwd, command, ...args) {
  const { status, stdout, error } = spawnSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} failed\n${stdout}`);
  return stdout;
}

/** Returns the paths of the tarballs. */
export function packClients(target = join(root, '.cache/clients')) {
  mkdirSync(target, { recursive: true });
  return ['clients/node', 'clients/better-auth', 'clients/node-red', 'clients/activepieces'].map((name) => {
    const folder = join(root, name);
    run(folder, process.execPath, 'build.mjs');
    // The build of the piece writes a complete package.
    const packed = name === 'clients/activepieces' ? join(folder, 'dist') : folder;
    // Without scripts, because npm would add their output to the JSON.
    const options = ['--json', '--ignore-scripts', '--pack-destination', target];
    const [{ filename }] = JSON.parse(run(packed, 'npm', 'pack', ...options));
    return join(target, filename);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  prepare('service');
  for (const path of packClients()) console.log(path);
}
