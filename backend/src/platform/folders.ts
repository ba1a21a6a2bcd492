/** Folders of files that are read at run time. The build moves code into other files, so only this file finds them. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const packageFile = createRequire(import.meta.url).resolve('@passbell/backend/package.json');

export const BACKEND_FOLDER = new URL('.', pathToFileURL(packageFile));
export const REPOSITORY = new URL('..', BACKEND_FOLDER);
