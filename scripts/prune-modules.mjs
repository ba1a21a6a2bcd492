/**
 * `node scripts/prune-modules.mjs FOLDER`: deletes from installed packages what a running service never loads: types, source maps,
 * documentation, tests, C sources, and compiled code for other platforms and Node versions. License files stay.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const USELESS_FILES =
  /(\.d\.[cm]?ts|\.ts|\.tsx|\.map|\.md|\.markdown|\.flow|\.gyp|\.gypi|\.[ch]|\.cpp|\.hpp|\.tgz|\.min\.js\.gz)$/i;
const KEPT = /licen[cs]e|notice|copying/i;
/** Packages that are only loaded with `import`, so that their files for `require` are not needed. */
const ONLY_IMPORTED = ['@modelcontextprotocol', 'zod'];
/** Folders and files of packages that contain only tests, styles, code for browsers, or sources of compiled code. */
const USELESS_PATHS = [
  // The driver for Node 20; the image has a newer Node.
  'better-sqlite3',
  'axios/dist/axios.js',
  'axios/dist/axios.min.js',
  'axios/dist/browser',
  'better-sqlite3-13/deps',
  'better-sqlite3-13/src',
  'bintrees/test',
  'dayjs/esm',
  'highlight.js/scss',
  'highlight.js/styles',
  'htmx.org/dist/htmx.amd.js',
  'htmx.org/dist/htmx.cjs.js',
  'htmx.org/dist/htmx.esm.js',
  'htmx.org/dist/htmx.js',
  'libphonenumber-js/bundle',
  'libphonenumber-js/source',
  'liquidjs/dist/liquid.browser.min.js',
  'liquidjs/dist/liquid.browser.mjs',
  'liquidjs/dist/liquid.browser.umd.js',
  'luxon/build/amd',
  'luxon/build/cjs-browser',
  'luxon/build/global',
  'luxon/src',
  'qrcode/node_modules/pngjs/browser.js',
  'qrcode/node_modules/pngjs/coverage',
  '@types',
  'yaml/browser',
  'zod/mini',
  'zod/src',
  'zod/v3',
  'zod/v4-mini',
];

export function pruneModules(folder) {
  for (const name of USELESS_PATHS) rmSync(join(folder, name), { recursive: true, force: true });
  const prebuilds = join(folder, 'better-sqlite3-13/prebuilds');
  if (existsSync(prebuilds))
    for (const name of readdirSync(prebuilds))
      if (!name.startsWith(`${process.platform}-${process.arch}`)) rmSync(join(prebuilds, name), { recursive: true });
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile() && USELESS_FILES.test(entry.name) && !KEPT.test(entry.name))
      rmSync(join(entry.parentPath ?? entry.path, entry.name));
  for (const path of ONLY_IMPORTED.map((name) => join(folder, name)).filter((each) => existsSync(each)))
    for (const name of readdirSync(path, { recursive: true })) if (name.endsWith('.cjs')) rmSync(join(path, name));
}

if (process.argv[1]?.endsWith('prune-modules.mjs')) pruneModules(process.argv[2]);
