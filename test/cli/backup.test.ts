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

it('rehearses a restore: reports the contents, and changes nothing', async () => {
  const { maskId } = await passbell.send('+14155550124');
  const copy = join(folder, 'copy');
  await json(passbell, 'backup', copy);
  const report = await json(restoredTo(join(folder, 'data')), 'restore', copy, '--rehearse');
  expect(report).toMatchObject({ newestMessageAt: passbell.clock.now(), unreadable: 0 });
  expect(report.rows).toBeGreaterThan(0);
  expect(report.sealed).toBeGreaterThan(0);
  expect([typeof maskId, readdirSync(folder)]).toEqual(['string', ['copy']]);
});

it('reports a backup whose key is missing', async () => {
  const copy = join(folder, 'copy');
  await json(passbell, 'backup', copy);
  const settings = { SECRET_KEY: 'another key than that of the backup' };
  const { code, err } = await run({ ...restoredTo(join(folder, 'data')), settings }, 'restore', copy, '--rehearse');
  expect([code, err]).toEqual([1, expect.stringContaining('does not match the backup')]);
});

it('prints the version', async () => {
  const { version } = JSON.parse(readFileSync('backend/package.json', 'utf8')) as { version: string };
  expect(await run(passbell, '--version')).toMatchObject({ code: 0, out: `${version}\n` });
});
