/** The packages of the clients in the version of this server, which the build creates. */
import { readdirSync } from 'node:fs';
import { REPOSITORY } from '../../platform/folders.js';

export const DOWNLOADS_FOLDER = new URL('dist/downloads/', REPOSITORY);

const PACKAGE = /^([a-z0-9-]+)-\d+\.\d+\.\d+(\.tgz|\.zip|-py3-none-any\.whl)$/;

/** Returns the file names of the packages by their names without a version, such as `n8n-nodes-passbell.tgz`. */
export function listDownloads(): ReadonlyMap<string, string> {
  const packages = new Map<string, string>();
  try {
    for (const file of readdirSync(DOWNLOADS_FOLDER)) {
      const [, name, ending] = PACKAGE.exec(file) ?? [];
      if (name !== undefined) packages.set(`${name}${ending}`, file);
    }
  } catch {
    // The packages were not built.
  }
  return packages;
}
