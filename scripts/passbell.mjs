/** `npm run --silent passbell -- …`: runs the operator command. */
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

prepare('service');
// Stack traces name the source files.
process.setSourceMapsEnabled(true);
await import(pathToFileURL(join(root, 'backend/dist/cli/passbell.js')).href);
