import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { MYSQL } from './kinds.js';
import type { PrivateServer } from './private-server.js';
import { startPrivate } from './servers.js';

/** Starts a private MySQL with a certificate from `folder`. */
export function startTlsMysql(folder: string, ca: string, name: string): Promise<PrivateServer> {
  const options = [
    `--ssl-ca=${join(folder, `${ca}.pem`)}`,
    `--ssl-cert=${join(folder, `${name}.pem`)}`,
    `--ssl-key=${join(folder, `${name}.key`)}`,
  ];
  return startPrivate({ ...MYSQL, commandLine: (place) => [...MYSQL.commandLine(place), ...options] });
}

/** Starts a private MySQL without TLS. Unlike MariaDB, MySQL creates its own certificates, also in a new data folder. */
export const startPlainMysql = (): Promise<PrivateServer> =>
  startPrivate({
    ...MYSQL,
    async prepare(program, place, find) {
      await MYSQL.prepare(program, place, find);
      for (const name of ['ca.pem', 'server-cert.pem', 'server-key.pem'])
        rmSync(join(place.folder, 'data', name), { force: true });
    },
    commandLine: (place) => [...MYSQL.commandLine(place), '--loose-auto-generate-certs=OFF'],
  });
