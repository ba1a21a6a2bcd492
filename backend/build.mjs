/**
 * Builds the server and the operator command into `dist`. Bundled code starts faster, because Node opens a few files
 * instead of hundreds. Parts that are loaded later, such as most commands, get their own files.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const DIST = at('dist');
const FILE_LIST = at('dist/files.json');
const previous = existsSync(FILE_LIST) ? JSON.parse(readFileSync(FILE_LIST, 'utf8')) : [];

const { metafile } = await build({
  entryPoints: [at('src/main.ts'), at('src/cli/passbell.ts')],
  outdir: DIST,
  outbase: at('src'),
  tsconfig: at('tsconfig.json'),
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  // For the stack traces of errors.
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});

// A running server loads some files late. The names contain hashes, so the files of its build are kept during one more build.
const files = Object.keys(metafile.outputs).map((path) => relative(DIST, path));
writeFileSync(FILE_LIST, JSON.stringify(files));
const kept = new Set([...files, ...previous, relative(DIST, FILE_LIST)]);
for (const entry of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
  const path = `${entry.parentPath}/${entry.name}`;
  if (entry.isFile() && !kept.has(relative(DIST, path))) rmSync(path);
}
