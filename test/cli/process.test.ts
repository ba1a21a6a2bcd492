/** The built command, run as a separate process next to a running server. */
import { execFile } from 'node:child_process';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../backend/src/platform/clock.js';
import { createDataFolder } from '../support/data-folder.js';
import { startProcess } from '../support/process.js';
import { startService } from '../support/service.js';

const root = process.cwd();

function passbell(args: string[], { env = {}, cwd = root }: { env?: Record<string, string>; cwd?: string }) {
  const { PATH, HOME } = process.env;
  return new Promise<{ code: unknown; out: string; err: string }>((resolve) =>
    execFile(
      process.execPath,
      [join(root, 'scripts/passbell.mjs'), ...args],
      { cwd, env: { PATH, HOME, PASSBELL_SERVERS: '', ...env } as NodeJS.ProcessEnv },
      (error, out, err) => resolve({ code: error?.code ?? 0, out, err }),
    ),
  );
}

let folder: string;
beforeEach(() => void (folder = createDataFolder('cli')));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('creates an application in the database of a running server, and prints only JSON', async () => {
  const clock = { ...systemClock, advance: () => {} };
  const server = await startService({}, { dataDir: folder, clock });
  const { code, out } = await passbell(['app', 'create', '--name', 'X', '--json'], { env: { DATA_DIR: folder } });
  const keys = JSON.parse(out);
  const reply = await server.get('/auth/authentication', {}, { keys });
  await server.stop();
  expect([code, keys.name, reply.success]).toEqual([0, 'X', true]);
});

it('creates files that only the current user can read, regardless of the umask', async () => {
  const before = process.umask(0);
  const data = join(folder, 'data');
  await passbell(['init'], { env: { DATA_DIR: data } }).finally(() => process.umask(before));
  expect(readdirSync(data)).toContain('passbell.sqlite');
  for (const file of readdirSync(data)) expect([file, statSync(join(data, file)).mode & 0o077]).toEqual([file, 0]);
});

it('reads .env in the current folder', async () => {
  writeFileSync(join(folder, '.env'), 'DATA_DIR=./from-env\n');
  await passbell(['init'], { cwd: folder });
  await passbell(['app', 'create', '--name', 'From .env'], { cwd: folder });
  const { out } = await passbell(['app', 'list', '--json'], { env: { DATA_DIR: join(folder, 'from-env') } });
  expect(JSON.parse(out)).toMatchObject([{ name: 'From .env' }]);
});

it('without DATA_DIR, uses the database of the running server, and creates no other', async () => {
  const env = { PASSBELL_SERVERS: join(folder, 'servers') };
  const data = join(folder, 'elsewhere');
  const server = await startProcess({ ...env, DATA_DIR: data });
  const { out } = await passbell(['app', 'create', '--name', 'X', '--json'], { cwd: folder, env });
  const { appKey, appSecret } = JSON.parse(out);
  const headers = { clientId: appKey, clientSecret: appSecret };
  const reply = await fetch(`${server.url}/api/v1/auth/authentication`, { headers });
  expect(await reply.json()).toMatchObject({ success: true });
  await server.stop('SIGTERM');
  const { code, err } = await passbell(['app', 'list'], { cwd: folder, env });
  expect([code, err]).toEqual([1, expect.stringContaining(`no Passbell database in ${join(folder, 'data')}. `)]);
  expect(readdirSync(folder).sort()).toEqual(['elsewhere', 'servers']);
});

it('creates no database in a folder from which Docker Compose runs Passbell', async () => {
  writeFileSync(join(folder, '.env'), 'MYSQL_PASSWORD=from-compose-env\n');
  const { code, err } = await passbell(['app', 'list'], { cwd: folder });
  expect([code, err]).toEqual([1, expect.stringContaining('Run: docker compose exec api passbell')]);
  expect(readdirSync(folder)).toEqual(['.env']);
});

it('exits with 1 and a message without a stack trace if a setting is invalid', async () => {
  const { code, out, err } = await passbell(['app', 'list', '--json'], { env: { DATA_DIR: folder, PORT: 'many' } });
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('PORT must be a whole number');
  expect(err).not.toMatch(/^\s+at /m);
});

it('exits if the database cannot be opened', async () => {
  writeFileSync(join(folder, 'secret.key'), 'k'.repeat(43));
  writeFileSync(
    join(folder, 'passbell.sqlite'),
    'no database at all, but text that is long enough to be read as one'.repeat(20),
  );
  const { code, out, err } = await passbell(['app', 'list', '--json'], { env: { DATA_DIR: folder } });
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('error: the database cannot be used (SQLITE_NOTADB); check DATABASE_URL or DATA_DIR\n');
});
