/**
 * `npm run licenses`: writes the packages that the service installs, with versions and licenses, to docs/licenses.md. With
 * `--check`, it writes nothing, and fails if the file is out of date. Fails if a license is not permissive.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = join(root, 'docs/licenses.md');
const PERMISSIVE = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Python-2.0',
  // Of fonts, which may be bundled with any software.
  'OFL-1.1',
];

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/** Returns the path in the lock file of a package that another one depends on, as Node finds it. */
function resolve(from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}

/** Returns the paths of all packages that the service needs. */
function installedPaths() {
  const paths = new Set(['backend']);
  // The loop also visits the paths that it adds.
  for (const path of paths) {
    const { dependencies, optionalDependencies } = packages[path];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = resolve(path === 'backend' ? '' : path, name);
      if (found) paths.add(found);
    }
  }
  paths.delete('backend');
  return [...paths];
}

export function licensesText() {
  const rows = installedPaths().map((path) => {
    const { name = path.split('node_modules/').at(-1), version, license } = packages[path];
    return { name, version, license: license ?? 'not stated' };
  });
  const lines = [...new Set(rows.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`))].sort();
  const others = rows.filter(
    ({ license }) => !license.split(/ (?:OR|AND) |[()]/).some((part) => PERMISSIVE.includes(part)),
  );
  const totals = new Map();
  for (const license of lines.map((line) => line.split(' | ').at(-1).slice(0, -2)))
    totals.set(license, (totals.get(license) ?? 0) + 1);
  const text = `# Licenses

The service installs these packages. \`npm run licenses\` generates this file from package-lock.json. Each package contains the text of its license.
This list does not contain Node.js, the Debian packages of the image, development tools, or packages that only the clients, the n8n and Node-RED
nodes or the Zapier app install.

| license | packages |
|---|---|
${[...totals]
  .sort(([, a], [, b]) => b - a)
  .map(([license, count]) => `| ${license} | ${count} |`)
  .join('\n')}
| all | ${lines.length} |

| package | version | license |
|---|---|---|
${lines.join('\n')}
`;
  return { text, others };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { text, others } = licensesText();
  for (const { name, license } of others) console.error(`${name}: ${license} is not permissive`);
  const isCheck = process.argv.includes('--check');
  if (isCheck && readFileSync(file, 'utf8') !== text)
    console.error('docs/licenses.md is out of date. Run: npm run licenses');
  process.exitCode = others.length > 0 || (isCheck && readFileSync(file, 'utf8') !== text) ? 1 : 0;
  if (!isCheck) writeFileSync(file, text);
}
