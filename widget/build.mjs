/**
 * Builds the widget into a single script without dependencies, `dist/auth-2fasdk.js`. It contains the English texts, and the
 * versions of the other languages, whose texts the service serves as separate files. `dist/challenge.js` is a module that
 * solves challenges.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Imports style sheets as minified text. */
const styleSheets = {
  name: 'style-sheets',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true });
      return { contents: code, loader: 'text' };
    });
  },
};

/** Loads the texts of all languages from their TypeScript files. */
async function loadLanguages() {
  const entry = path('src/languages/languages.ts');
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: 'esm', write: false });
  return (await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`))
    .LANGUAGES;
}

/** The version that the service computes for the same texts, see widget-script-routes.ts. */
const versionOf = (texts) => createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 8);

const versions = Object.entries(await loadLanguages()).map(([tag, texts]) => [tag, versionOf(texts)]);

const script = { bundle: true, minify: true, target: 'es2022', charset: 'utf8', logLevel: 'warning' };

await build({
  ...script,
  entryPoints: [path('src/main.ts')],
  outfile: path('dist/auth-2fasdk.js'),
  format: 'iife',
  define: { LANGUAGE_VERSIONS: JSON.stringify(Object.fromEntries(versions)) },
  plugins: [styleSheets],
});

await build({
  ...script,
  entryPoints: [path('src/challenge.ts')],
  outfile: path('dist/challenge.js'),
  format: 'esm',
});
