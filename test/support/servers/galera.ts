/** A Galera cluster of two MariaDB servers, for `npm run test:galera` and `TEST_DATABASE=galera`. */
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { findProgram } from './find.js';
import { MYSQL, type ServerKind } from './kinds.js';
import { startLocal, type PrivateServer } from './private-server.js';
import { startTcpProxy } from '../tcp-proxy.js';

const PROVIDER = '/usr/lib/libgalera_smm.so';
const isRoot = process.getuid?.() === 0;

/** Ports of the group: one for messages, the next for missed changes, and the third for a copy of the data. */
function node(port: number, group: readonly number[]): ServerKind {
  const options = [
    '--wsrep-on=ON',
    `--wsrep-provider=${PROVIDER}`,
    `--wsrep-provider-options=base_host=127.0.0.1;base_port=${port};gmcast.listen_addr=tcp://127.0.0.1:${port};ist.recv_addr=127.0.0.1:${port + 1}`,
    `--wsrep-cluster-address=gcomm://${group.map((other) => `127.0.0.1:${other}`).join(',')}`,
    '--wsrep-node-address=127.0.0.1',
    `--wsrep-sst-receive-address=127.0.0.1:${port + 2}`,
    '--wsrep-sst-method=rsync',
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--log-bin=binlog',
    // Tests read what a server has written through the other node. Servers set this in their own sessions.
    '--wsrep-sync-wait=15',
  ];
  return {
    ...MYSQL,
    async prepare(program, place, find) {
      await MYSQL.prepare(program, place, find);
      // The script that copies the data does not work as root.
      if (isRoot) execFileSync('chown', ['-R', 'mysql:mysql', place.folder]);
      chmodSync(place.folder, 0o755);
    },
    commandLine: (place) => [
      ...MYSQL.commandLine(place).filter((option) => !['--user=root', '--skip-log-bin'].includes(option)),
      ...(isRoot ? ['--user=mysql'] : []),
      ...options,
    ],
  };
}

export async function startGalera(): Promise<readonly [PrivateServer, PrivateServer]> {
  const program = findProgram('mariadbd');
  if (!program) throw new Error('Galera needs mariadbd: apt-get install mariadb-server galera-4 rsync');
  const port = randomInt(30_000, 32_000);
  const first = await startLocal(node(port, []), program, findProgram);
  try {
    return [first, await startLocal(node(port + 10, [port]), program, findProgram)];
  } catch (error) {
    await first.close();
    throw error;
  }
}

/** Starts both nodes as one server: connections alternate between the nodes. */
export async function startGaleraWriters(): Promise<PrivateServer> {
  const nodes = await startGalera();
  const proxy = await startTcpProxy(...nodes.map(({ url }) => Number(new URL(url).port)));
  const url = new URL(nodes[0].url);
  url.host = proxy.host;
  return {
    ...nodes[0],
    url: url.href,
    version: `${nodes[0].version}, two Galera nodes`,
    async close() {
      proxy.close();
      await Promise.all(nodes.map((node) => node.close()));
    },
  };
}
