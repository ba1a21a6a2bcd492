/** Builds the client for `import` and for `require`, and its types. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
rmSync(at('dist'), { recursive: true, force: true });

for (const [format, file] of [
  ['esm', 'index.js'],
  ['cjs', 'index.cjs'],
])
  await build({
    entryPoints: [at('src/index.ts')],
    outfile: at(`dist/${file}`),
    bundle: true,
    external: ['jose'],
    // Readable in stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    format,
    platform: 'neutral',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'warning',
  });

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const types = ['--noEmit', 'false', '--emitDeclarationOnly', '--declaration', '--removeComments', 'false'];
const { status } = spawnSync(process.execPath, [tsc, '-p', at('.'), ...types], { stdio: 'inherit' });
if (status !== 0) process.exit(1);
copyFileSync(at('index.d.cts'), at('dist/index.d.cts'));

// Keeps the package small: leaves out comments that repeat the types, names and titles, and the indentation.
const contract = at('dist/generated/contract.d.ts');
const compact = readFileSync(contract, 'utf8')
  .replace(/^ *\/\*\* @(constant|enum|default) .*\*\/\n/gm, '')
  .replace(/^ +\* @(enum \{\w+\}|default ?)\n/gm, '')
  .replace(/(\/\*\*\n) +\* [^.@\n]+\n( +\* @description)/g, '$1$2')
  .replace(/\/\*\*\n +\* (.*)\n +\*\/\n/g, '/** $1 */\n')
  .replaceAll('@description ', '')
  .replace(/^ +/gm, '');
writeFileSync(contract, compact);
