/** TLS to MySQL, with the parameters that vendors print, and the causes that `passbell doctor` names. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../backend/src/cli/program.js';
import { createCore } from '../../backend/src/core.js';
import { systemClock } from '../../backend/src/platform/clock.js';
import { readConfig } from '../../backend/src/platform/config/config.js';
import { openDatabase } from '../../backend/src/platform/db/database.js';
import { createLog } from '../../backend/src/platform/log.js';
import { createCertificates } from '../support/certificate-authority.js';
import { createTestDatabase, redisUrl, type PrivateServer } from '../support/databases.js';
import { runCommandWith } from '../support/process.js';
import { startPlainMysql, startTlsMysql } from '../support/servers/tls-mysql.js';

const NAME = 'tls';
let folder: string;
let encrypted: PrivateServer;
let plain: PrivateServer;
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'passbell-tls-'));
  createCertificates(folder, 'ca', 'db.example', 'client');
  createCertificates(folder, 'other');
  [encrypted, plain] = await Promise.all([startTlsMysql(folder, 'ca', 'db.example'), startPlainMysql()]);
  await Promise.all([encrypted, plain].map(({ url }) => createTestDatabase(url, NAME)));
  const admin = openDatabase({ url: new URL(`/${NAME}`, encrypted.url).href, dataDir: '' });
  await admin.raw("create user 'certified'@'%' identified by 'passbell' require x509");
  await admin.raw("grant all on *.* to 'certified'@'%'");
  await admin.destroy();
});
afterAll(async () => {
  await Promise.all([encrypted.close(), plain.close()]);
  rmSync(folder, { recursive: true });
});

/** Returns the settings for a server and the end of its URL. */
function settingsFor(server: PrivateServer, end: string, more: Record<string, string> = {}): Record<string, string> {
  const url = new URL(`/${NAME}${end}`, server.url);
  return {
    DATABASE_URL: url.href,
    REDIS_URL: redisUrl(),
    SECRET_KEY: 'a key that only tests use and nobody else',
    ...more,
  };
}

/** Returns the finding of `passbell doctor` about the database. */
async function finding(settings: Record<string, string>): Promise<string> {
  let out = '';
  const config = async () => readConfig(settings);
  await runProgram(['doctor', '--json'], {
    open: async () => createCore(await config(), { log: createLog('silent'), jobs: false }),
    config,
    now: () => systemClock.now(),
    out: (text) => void (out += text),
    err: () => {},
  });
  const found = JSON.parse(out) as { check: string; state: string; text: string }[];
  const { state, text } = found.find(({ check }) => check === 'database')!;
  return `${state}: ${text}`;
}

/** Returns the TLS version of a connection; '' if it is not encrypted. */
async function tlsVersion(settings: Record<string, string>): Promise<string> {
  const {
    DATABASE_URL: url,
    DATABASE_CA_FILE: ca,
    DATABASE_CERT_FILE: cert,
    DATABASE_KEY_FILE: key,
  } = readConfig(settings);
  const db = openDatabase({ url, dataDir: '', certificates: { ca, cert, key } });
  const [[row]] = (await db.raw("show session status like 'Ssl_version'").finally(() => db.destroy())) as [
    [{ Value: string }],
  ];
  return row.Value;
}

it.each(['', '?ssl-mode=DISABLED', '?ssl=false'])('does not encrypt with %s', async (end) => {
  expect(await tlsVersion(settingsFor(encrypted, end))).toBe('');
});

it.each(['?ssl-mode=REQUIRED', '?sslmode=require', '?ssl-mode=PREFERRED', '?ssl={"rejectUnauthorized":false}'])(
  'encrypts without a CA with %s',
  async (end) => expect(await tlsVersion(settingsFor(encrypted, end))).toMatch(/^TLSv1\.[23]$/),
);

it('backs up and rehearses with TLS, a CA file and a client certificate, and rejects another CA', async () => {
  const names = { DATABASE_CERT_FILE: file('client.pem'), DATABASE_KEY_FILE: file('client.key') };
  const settings = settingsFor(encrypted, '?ssl-mode=REQUIRED', { ...names, DATABASE_CA_FILE: file('ca.pem') });
  const url = settings.DATABASE_URL!.replace('//passbell:', '//certified:');
  const certified = { ...settings, DATABASE_URL: url };
  await runCommandWith(certified, 'init');
  await runCommandWith(certified, 'backup', file('backup'));
  await runCommandWith(certified, 'restore', file('backup'), '--rehearse');
  const other = { ...certified, DATABASE_CA_FILE: file('other.pem') };
  await expect(runCommandWith(other, 'backup', file('rejected'))).rejects.toThrow('failed with exit code');
});

it('accepts a CA file for the target of a move from SQLite', () => {
  const ca = { DATABASE_CA_FILE: file('ca.pem') };
  expect(() => readConfig({ ...ca, MOVE_DATABASE_URL: encrypted.url })).not.toThrow();
  expect(() => readConfig(ca)).toThrow('DATABASE_CA_FILE needs DATABASE_URL');
});

it('falls back to a connection without TLS with PREFERRED only', async () => {
  expect(await tlsVersion(settingsFor(plain, '?ssl-mode=PREFERRED'))).toBe('');
  expect(await finding(settingsFor(plain, '?ssl-mode=REQUIRED'))).toMatch(
    /^problem: The database server does not offer TLS\./,
  );
});

it('checks the certificate with a CA file, and presents a client certificate', async () => {
  const ca = { DATABASE_CA_FILE: file('ca.pem') };
  expect(await finding(settingsFor(encrypted, '?ssl-mode=VERIFY_CA', ca))).toBe('ok: It replies.');
  const settings = settingsFor(encrypted, '?ssl-mode=REQUIRED', ca);
  const certified = { ...settings, DATABASE_URL: settings.DATABASE_URL!.replace('//passbell:', '//certified:') };
  expect(await finding(certified)).toMatch(/^problem: The database server rejected the user\. .*DATABASE_CERT_FILE/);
  const client = { DATABASE_CERT_FILE: file('client.pem'), DATABASE_KEY_FILE: file('client.key') };
  expect(await finding({ ...certified, ...client })).toBe('ok: It replies.');
});

it.each(['?ssl-mode=VERIFY_CA', '?ssl-mode=REQUIRED', ''])(
  'rejects a certificate of another CA with %s and a CA file, and names the cause',
  async (end) => {
    const other = settingsFor(encrypted, end, { DATABASE_CA_FILE: file('other.pem') });
    expect(await finding(other)).toMatch(
      /^problem: The certificate of the database server is not signed by a trusted CA\./,
    );
  },
);

it.each(['?ssl=true', '?ssl={"rejectUnauthorized":true}', '?sslaccept=strict', '?ssl-mode=VERIFY_IDENTITY'])(
  'rejects a certificate for another name with %s, and names the cause',
  async (end) => {
    const settings = settingsFor(encrypted, end, { DATABASE_CA_FILE: file('ca.pem') });
    const named = { ...settings, DATABASE_URL: settings.DATABASE_URL!.replace('127.0.0.1', 'localhost') };
    expect(await finding(named)).toMatch(/^problem: The certificate of the database server is for another host name\./);
    // The driver cannot check the name with an IP address.
    expect(() => readConfig(settings)).toThrow('needs a host name to check the name in the certificate');
  },
);
