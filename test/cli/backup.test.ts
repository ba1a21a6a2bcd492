/** passbell backup, passbell restore, and passbell --version. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type TestService } from '../support/service.js';
import { json, run } from './command.js';

let passbell: TestService;
let folder: string;
beforeAll(async () => {
  passbell = await startService();
});
afterAll(() => passbell.stop());
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'passbell-backup-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const restoredTo = (dataDir: string) => ({ dataDir, clock: passbell.clock });

it('copies a running installation, which continues on another folder', async () => {
  const { maskId, code } = await passbell.send('+14155550123');
  const files = ['secret.key', 'passbell.sqlite'];
  const copy = join(folder, 'copy');
  expect(await json(passbell, 'backup', copy)).toEqual({ folder: copy, files });
  const dataDir = join(folder, 'data');
  expect(await json(restoredTo(dataDir), 'restore', copy)).toEqual({ folder: dataDir, files });

  const restored = await startService({}, { dataDir, clock: passbell.clock, keys: passbell.keys });
  const reply = await restored.post('/auth/verifyotp', { maskId, otp: code });
  await restored.stop();
  expect(reply).toMatchObject({ success: true });
});

it('creates a backup that only this user can read', async () => {
  const before = process.umask(0o077);
  await json(passbell, 'backup', join(folder, 'copy')).finally(() => process.umask(before));
  for (const file of ['.', ...readdirSync(join(folder, 'copy'))])
    expect([file, statSync(join(folder, 'copy', file)).mode & 0o077]).toEqual([file, 0]);
});

it('does not overwrite an earlier backup', async () => {
  writeFileSync(join(folder, 'passbell.sqlite'), 'earlier');
  expect(await run(passbell, 'backup', folder)).toEqual({
    code: 1,
    out: '',
    err: `error: ${folder} is not empty: choose a new folder for each backup\n`,
  });
  expect(readFileSync(join(folder, 'passbell.sqlite'), 'utf8')).toBe('earlier');
});

it('does not overwrite a database with a backup', async () => {
  const copy = join(folder, 'copy');
  await json(passbell, 'backup', copy);
  const { code, err } = await run(passbell, 'restore', copy);
  expect([code, err]).toEqual([
    1,
    `error: ${passbell.dataDir} already contains secret.key: move it away, or set another DATA_DIR\n`,
  ]);
});

it.each([
  ['no database', () => undefined, 'is not a backup: it contains no passbell.sqlite'],
  ['a damaged database', (file: string) => writeFileSync(file, 'nonsense'.repeat(1000)), 'cannot be used'],
])('does not restore a folder with %s', async (_what, prepare, text) => {
  const dataDir = join(folder, 'data');
  prepare(join(folder, 'passbell.sqlite'));
  const { code, err } = await run(restoredTo(dataDir), 'restore', folder);
  expect([code, err]).toEqual([1, expect.stringContaining(text)]);
  expect(readdirSync(folder)).not.toContain('data');
});

it('prints the mysqldump command for an installation on MySQL', async () => {
  const settings = {
    DATABASE_URL: "mysql://pass'bell:secret-password@db.example:3307/passbell",
    REDIS_URL: 'redis://redis.example',
    SECRET_KEY: 'k'.repeat(32),
  };
  const { code, err } = await run({ ...restoredTo(folder), settings }, 'backup', join(folder, 'copy'));
  expect(code).toBe(1);
  expect(err).toContain(
    `mysqldump --single-transaction --quick --no-tablespaces -h db.example -P 3307 -u 'pass'\\''bell' -p passbell > passbell.sql`,
  );
  expect(err).not.toContain('secret-password');
});

it('prints the version', async () => {
  const { version } = JSON.parse(readFileSync('backend/package.json', 'utf8')) as { version: string };
  expect(await run(passbell, '--version')).toMatchObject({ code: 0, out: `${version}\n` });
});
