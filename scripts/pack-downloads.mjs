/**
 * Packs the clients that the service offers under /downloads: the n8n package, the Zapier app, the Node-RED nodes, the
 * Activepieces piece, the Node client, passbell-better-auth and the Python client. `npm start`, `npm run build` and the build of the image run
 * this script.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packClients } from './pack-clients.mjs';
import { packN8n } from './pack-n8n.mjs';
import { packPython } from './pack-python.mjs';
import { root } from './prepare.mjs';
import { zip } from './zip.mjs';

const target = join(root, 'dist/downloads');
const app = join(root, 'zapier-app');

/** Returns the sources of the Zapier app, without installed packages, build results and the operator's own files. */
function zapierFiles() {
  const paths = readdirSync(app, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath ?? entry.path, entry.name)
        .slice(app.length + 1)
        .replaceAll('\\', '/'),
    );
  return paths.filter((path) => !/^(node_modules|dist|build)\/|(^|\/)\.env/.test(path)).sort();
}

// In a folder of its own, because `npm run pack:n8n` may run at the same time.
const packed = [packN8n(join(root, '.cache/downloads')), ...packClients()];
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const path of packed) copyFileSync(path, join(target, basename(path)));
const { version } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
const files = zapierFiles().map((path) => [`passbell-zapier-app/${path}`, readFileSync(join(app, path))]);
writeFileSync(join(target, `passbell-zapier-app-${version}.zip`), zip(files));
packPython(target);
