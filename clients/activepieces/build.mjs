/** Builds the piece: dist/index.js, which contains the Node client. Activepieces installs its framework. */
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

rmSync(at('dist'), { recursive: true, force: true });
await build({
  entryPoints: [at('src/index.ts')],
  outfile: at('dist/index.js'),
  bundle: true,
  // jose is only needed to verify session tokens without a call, which the piece does not.
  external: ['@activepieces/*', 'jose'],
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  charset: 'utf8',
  logLevel: 'warning',
});
// The sources are ES modules.
writeFileSync(at('dist/package.json'), '{ "type": "commonjs" }\n');
