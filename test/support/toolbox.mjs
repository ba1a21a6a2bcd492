/**
 * Installs packages that only some tests need into a folder in `.cache`, once and from a lock file, so that the
 * project's own dependencies stay small.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const hashOf = (files) => {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update('\0').update(readFileSync(file));
  return hash.digest('hex');
};

/** Calls `work` unless the stamp file shows that the files have not changed since the last call. */
export function once(stamp, files, work) {
  const state = hashOf(files);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;
  work();
  writeFileSync(stamp, state);
}

/** Returns all files below a folder, except installed packages and build results. */
export const sourcesOf = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((path) => isSource(path.slice(folder.length)))
    .sort();

export const isSource = (path) => !/[\\/](dist|node_modules)([\\/]|$)/.test(path);

/** Runs an npm command in a folder and returns its output; throws the output on failure. */
export function npm(cwd, ...args) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8', timeout: 900_000 });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
  return stdout;
}

/**
 * Installs the packages in `lockFolder` into `target`. Prints `notice` first, because the installation may take
 * minutes.
 */
export function installToolbox(lockFolder, target, notice) {
  mkdirSync(target, { recursive: true });
  const files = ['package.json', 'package-lock.json'];
  const paths = files.map((file) => join(lockFolder, file));
  once(join(target, '.installed'), paths, () => {
    console.error(notice);
    for (const file of files) cpSync(join(lockFolder, file), join(target, file));
    npm(target, 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  });
}
