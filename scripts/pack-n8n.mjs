/** `npm run --silent pack:n8n`: builds the n8n package without n8n's tools, packs it, and prints the path of the file. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare, root } from './prepare.mjs';
import { isPublished } from './publisher.mjs';

function run(cwd, command, args) {
  const { status, stdout, error } = spawnSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} failed\n${stdout}`);
  return stdout;
}

/** Builds and packs the package in a copy of its folder. Returns the path of the tarball. */
export function packN8n(target = join(root, '.cache/n8n-package')) {
  rmSync(target, { recursive: true, force: true });
  const isSource = (path) => !/[\\/](dist|node_modules)$/.test(path);
  cpSync(join(root, 'n8n-nodes'), target, { recursive: true, filter: isSource });
  // Without type checking, which would need n8n's packages.
  run(target, process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.', '--noCheck']);
  const files = readdirSync(target, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => /^icons[\\/].*\.svg$/.test(name))) {
    mkdirSync(dirname(join(target, 'dist', file)), { recursive: true });
    cpSync(join(target, file), join(target, 'dist', file));
  }
  const [{ filename }] = JSON.parse(run(target, 'npm', ['pack', '--json']));
  return join(target, filename);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  prepare('service');
  if (!isPublished(JSON.parse(readFileSync(join(root, 'publisher.json'), 'utf8'))))
    console.error(
      'The documentation links in n8n point to an address that does not exist. To change them, fill in publisher.json, and run: npm run publisher',
    );
  console.log(packN8n());
}
