/** passbell backup and passbell restore --rehearse on MySQL. */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../backend/src/platform/db/database.js';
import { createTestDatabase, redisUrl, type TestDatabase } from '../support/databases.js';
import { createDataFolder } from '../support/data-folder.js';
import { runCommandWith } from '../support/process.js';

const folder = createDataFolder('backup');
const copy = join(folder, 'copy');
let database: TestDatabase;
let settings: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  settings = {
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl(),
    SECRET_KEY: 'a key that only tests use and nobody else',
  };
  await runCommandWith(settings, 'init');
  await runCommandWith(settings, 'app', 'create', '--name', 'Shop');
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function databases(): Promise<string[]> {
  const db = openDatabase({ url: database.url, dataDir: '' });
  const [rows] = await db.raw("show databases like 'passbell_rehearsal%'");
  await db.destroy();
  return rows;
}

it('creates a dump that only this user can read', async () => {
  const output = await runCommandWith(settings, 'backup', copy);
  expect(output).toContain(`Copied passbell.sql to ${copy}.`);
  expect(output).toContain('SECRET_KEY is a setting, so it is not in the backup.');
  expect(readFileSync(join(copy, 'passbell.sql'), 'utf8')).toContain('CREATE TABLE `applications`');
  expect(statSync(join(copy, 'passbell.sql')).mode & 0o077).toBe(0);
});

it('leaves no file when the dump fails', async () => {
  const missing = { ...settings, DATABASE_URL: `${database.url}_missing` };
  const other = join(folder, 'failed');
  await expect(runCommandWith(missing, 'backup', other)).rejects.toThrow('failed with exit code');
  expect(readdirSync(other)).toEqual([]);
});

it('rehearses a restore in a database that it drops afterwards', async () => {
  const report = JSON.parse(await runCommandWith(settings, 'restore', copy, '--rehearse', '--json'));
  expect(report).toMatchObject({ newestMessageAt: null, unreadable: 0 });
  expect(report.sealed).toBeGreaterThan(0);
  expect(await databases()).toEqual([]);
});

it('reports a dump whose key is missing', async () => {
  const other = { ...settings, SECRET_KEY: 'another key than that of the backup' };
  await expect(runCommandWith(other, 'restore', copy, '--rehearse')).rejects.toThrow('does not match the backup');
  expect(await databases()).toEqual([]);
});
