/**
 * Builds the server and the operator command into `dist`. Bundled code starts faster, because Node opens a few files
 * instead of hundreds. Parts that are loaded later, such as most commands, get their own files.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

// The names of the files contain hashes, so a build does not overwrite all files of the previous one.
rmSync(at('dist'), { recursive: true, force: true });
await build({
  entryPoints: [at('src/main.ts'), at('src/cli/passbell.ts')],
  outdir: at('dist'),
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
  logLevel: 'warning',
});
