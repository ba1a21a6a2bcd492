/**
 * Folders of files that are read at run time. Other code must not use its own location to find files, because the build
 * moves it into other files.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const packageFile = createRequire(import.meta.url).resolve('@passbell/backend/package.json');

export const BACKEND_FOLDER = new URL('.', pathToFileURL(packageFile));
export const REPOSITORY = new URL('..', BACKEND_FOLDER);
