/**
 * Builds the package of the piece in dist. Activepieces loads src/index.js of the package, whatever its `main` is. The file
 * contains the Node client. Activepieces installs its framework.
 */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

rmSync(at('dist'), { recursive: true, force: true });
await build({
  entryPoints: [at('src/index.ts')],
  outfile: at('dist/src/index.js'),
  bundle: true,
  // jose is only needed to verify session tokens without a call, which the piece does not.
  external: ['@activepieces/*', 'jose'],
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  charset: 'utf8',
  logLevel: 'warning',
});
const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const own = { private: undefined, scripts: undefined, type: 'commonjs', main: './src/index.js', files: ['src'] };
writeFileSync(at('dist/package.json'), `${JSON.stringify({ ...manifest, ...own }, null, 2)}\n`);
for (const name of ['README.md', 'LICENSE']) copyFileSync(at(name), at(`dist/${name}`));
