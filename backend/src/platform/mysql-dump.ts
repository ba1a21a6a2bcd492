/** Backs up MySQL databases with the programs of MySQL or MariaDB. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { DataDirError } from './data-dir.js';
import { openDatabase } from './db/database.js';
import { parseDatabaseUrl, tlsModeOf, urlsByHost, type DatabaseCertificates, type SslMode } from './db/database-url.js';

const DUMP_FILE = 'passbell.sql';
const DUMP_OPTIONS = ['--single-transaction', '--quick', '--no-tablespaces', '--default-character-set=utf8mb4'];
/** Without replication positions: dumping them needs more rights, and a server that has them rejects the dump. */
const dumpOptions = (mariadb: boolean): string[] => [...DUMP_OPTIONS, ...(mariadb ? [] : ['--set-gtid-purged=OFF'])];
/** In the order of preference, because MariaDB's old names print warnings. */
const DUMP_PROGRAMS = ['mariadb-dump', 'mysqldump'];
const CLIENT_PROGRAMS = ['mariadb', 'mysql'];

const isOnPath = (name: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, name)));

/** Quotes a value in an option file. */
const quote = (value: string): string => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

export interface MysqlServer {
  readonly url: string;
  readonly certificates?: DatabaseCertificates | undefined;
}

/**
 * Returns the options for TLS. MariaDB's programs do not know `ssl-mode`. With `VERIFY_CA`, their newer versions also check
 * the name. Without TLS, the defaults apply, because MySQL's programs may need TLS to send the password.
 */
function modeOptions(mode: SslMode, mariadb: boolean): string[] {
  if (mode === 'DISABLED') return [];
  if (!mariadb) return [`ssl-mode=${mode}`];
  if (mode === 'PREFERRED') return ['skip-ssl-verify-server-cert'];
  if (mode === 'REQUIRED') return ['ssl', 'skip-ssl-verify-server-cert'];
  return mode === 'VERIFY_CA' ? ['ssl'] : ['ssl', 'ssl-verify-server-cert'];
}

/** Writes the certificates to `folder`, and returns the options for TLS. */
function tlsOptions({ url, certificates = {} }: MysqlServer, mariadb: boolean, folder: string): string[] {
  const mode = tlsModeOf(parseDatabaseUrl(url), certificates);
  const { ca = mode.startsWith('VERIFY') ? rootCertificates.join('\n') : undefined, cert, key } = certificates;
  const options = modeOptions(mode, mariadb);
  for (const [name, pem] of Object.entries({ ca, cert, key })) {
    if (pem === undefined || mode === 'DISABLED') continue;
    const file = join(folder, `${name}.pem`);
    writeFileSync(file, pem, { mode: 0o600 });
    options.push(`ssl-${name}=${quote(file)}`);
  }
  return options;
}

function optionFile({ hostname, port, username, password }: URL, more: readonly string[]): string {
  const options = {
    host: hostname,
    port: port || '3306',
    protocol: 'tcp',
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
  const lines = Object.entries(options).map(([name, value]) => `${name}=${quote(value)}`);
  return ['[client]', ...lines, ...more, ''].join('\n');
}

/** Returns the server with the only host that accepts writes: a dump of a former primary would be old. */
async function primaryOf({ url, certificates = {} }: MysqlServer): Promise<MysqlServer> {
  const urls = urlsByHost(url, certificates);
  if (urls.length === 1) return { url, certificates };
  for (const one of urls) {
    const db = openDatabase({ url: one, dataDir: '', certificates });
    const accepts = await db.raw('select 1').then(
      () => true,
      () => false,
    );
    await db.destroy();
    if (accepts) return { url: one, certificates };
  }
  throw new DataDirError('no host in DATABASE_URL accepts writes');
}

/**
 * Runs the first program that exists. The password is in an option file that only this user can read, because other users
 * can see command lines.
 */
async function run(
  programs: readonly string[],
  server: MysqlServer,
  options: (mariadb: boolean) => readonly string[],
  files: { readonly input?: string; readonly output?: string },
): Promise<void> {
  const program = programs.find(isOnPath);
  if (program === undefined)
    throw new DataDirError(`${programs.join(' or ')} is required, but was not found: install it`);
  const mariadb = program.startsWith('mariadb');
  const primary = await primaryOf(server);
  const folder = mkdtempSync(join(tmpdir(), 'passbell-mysql-'));
  const stdin = files.input === undefined ? undefined : openSync(files.input, 'r');
  const stdout = files.output === undefined ? undefined : openSync(files.output, 'wx', 0o600);
  try {
    const { hosts, name } = parseDatabaseUrl(primary.url);
    const tls = tlsOptions(primary, mariadb, folder);
    writeFileSync(join(folder, 'options'), optionFile(new URL(hosts[0]!), tls), { mode: 0o600 });
    const args = [`--defaults-file=${join(folder, 'options')}`, ...options(mariadb), name];
    const child = spawn(program, args, { stdio: [stdin ?? 'ignore', stdout ?? 'ignore', 'inherit'] });
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new DataDirError(`${program} failed with exit code ${code}`);
  } finally {
    for (const file of [stdin, stdout]) if (file !== undefined) closeSync(file);
    rmSync(folder, { recursive: true });
  }
}

/** Writes a consistent dump of the database to a new folder while servers run. Returns the names of the files. */
export async function dumpMysql(server: MysqlServer, folder: string): Promise<string[]> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new DataDirError(`${folder} is not empty: choose a new folder for each backup`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const output = join(folder, DUMP_FILE);
  await run(DUMP_PROGRAMS, server, dumpOptions, { output }).catch((error: unknown) => {
    // An incomplete dump must not look like a backup.
    rmSync(output, { force: true });
    throw error;
  });
  return [DUMP_FILE];
}

export async function importMysql(folder: string, server: MysqlServer): Promise<void> {
  const input = join(folder, DUMP_FILE);
  if (!existsSync(input)) throw new DataDirError(`${folder} is not a backup: it contains no ${DUMP_FILE}`);
  await run(CLIENT_PROGRAMS, server, () => [], { input });
}
