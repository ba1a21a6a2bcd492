/**
 * `PUBLISHER='Ana Silva <ana@shop.example> (https://github.com/ana/passbell)' npm run publisher`: fills in the author, the
 * repository and the addresses of the packages in this repository.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The folder of a package, by the path in its placeholder address. */
const FOLDERS = {
  n8n: 'n8n-nodes',
  zapier: 'zapier-app',
  node: 'clients/node',
  'better-auth': 'clients/better-auth',
};
const FORMAT = /^([^<>]+?) <([^<>\s]+@[^<>\s]+)> \((https:\/\/[^()\s]+?)(?:\.git|\/)?\)$/;

/** Replaces the placeholders in a text. Throws if `publisher` is not `Name <email> (URL of the repository)`. */
export function withPublisher(text, publisher) {
  const parts = FORMAT.exec(publisher.trim());
  if (!parts) throw new Error('PUBLISHER must be: Name <email> (https://… address of the repository)');
  const [, name, email, url] = parts;
  return text
    .replaceAll('git+https://passbell.example/passbell.git', `git+${url}.git`)
    .replace(/https:\/\/passbell\.example\/([a-z0-9-]+)/g, (_all, path) => `${url}/tree/main/${FOLDERS[path] ?? path}`)
    .replaceAll('https://passbell.example', url)
    .replaceAll('The Passbell authors', name)
    .replaceAll('authors@passbell.example', email);
}

/** Replaces the placeholders in all files of a folder, except installed packages and build results. */
export function fillIn(folder, publisher) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isFile() || !/\.(ts|json|md)$/.test(path) || /[\\/](dist|node_modules)[\\/]/.test(path)) continue;
    const before = readFileSync(path, 'utf8');
    const after = withPublisher(before, publisher);
    if (after !== before) writeFileSync(path, after);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    for (const folder of Object.values(FOLDERS)) fillIn(join(root, folder), process.env.PUBLISHER ?? '');
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
