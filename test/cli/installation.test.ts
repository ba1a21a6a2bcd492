/** Only the server and `passbell init` create a database. All other commands need an existing one. */
import { chownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDataDir } from '../../backend/src/cli/data-folder.js';
import { systemClock } from '../../backend/src/platform/clock.js';
import { announceServer, runningServers } from '../../backend/src/platform/running-servers.js';
import { createDataFolder } from '../support/data-folder.js';
import { json, run } from './command.js';

let folder: string;
beforeEach(() => void (folder = createDataFolder('installation')));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const clock = { ...systemClock, advance: () => {} };
const serverOn = (dataDir: string) => ({ dataDir, clock });

const MISSING =
  /^error: there is no Passbell database in .+\. If the server uses another one, set the same DATA_DIR or/;

it.each([
  ['app', 'create', '--name', 'X'],
  ['app', 'list', '--json'],
  ['account', 'create', '--email', 'owner@shop.example'],
  ['messages', 'list'],
  ['keys', 'rotate'],
  ['usage'],
  ['migrate'],
])('creates no database: passbell %s %s', async (...args) => {
  const { code, out, err } = await run(serverOn(join(folder, 'data')), ...args);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(MISSING);
  expect(err).toContain(`${join(folder, 'data')}. `);
  expect(err).toContain('To create a new one, start the server or run: npm run --silent passbell -- init');
  expect(readdirSync(folder)).toEqual([]);
});

it('doctor reports a missing database, and creates none', async () => {
  const { code, out } = await run(serverOn(join(folder, 'data')), 'doctor');
  expect(code).toBe(1);
  expect(out).toMatch(/^PROBLEM {2}database: there is no Passbell database in /m);
  expect(readdirSync(folder)).toEqual([]);
});

it('a database file without tables is new, and gets no tables', async () => {
  writeFileSync(join(folder, 'secret.key'), 'k'.repeat(43));
  writeFileSync(join(folder, 'passbell.sqlite'), '');
  const { code, err } = await run(serverOn(folder), 'app', 'list');
  expect([code, err]).toEqual([1, expect.stringContaining('passbell.sqlite is a new, empty database. ')]);
  expect((await run(serverOn(folder), 'app', 'list')).code).toBe(1);
});

it('init creates the database and its key, and can be repeated', async () => {
  const dataDir = join(folder, 'data');
  const database = join(dataDir, 'passbell.sqlite');
  expect(await json(serverOn(dataDir), 'init')).toEqual({ database });
  const { appKey } = await json(serverOn(dataDir), 'app', 'create', '--name', 'X');
  expect(await json(serverOn(dataDir), 'init')).toEqual({ database });
  expect(await json(serverOn(dataDir), 'app', 'list')).toMatchObject([{ appKey }]);
  expect(await run(serverOn(dataDir), 'migrate')).toEqual({ code: 0, out: 'The database is up to date.\n', err: '' });
});

const ADDRESS = { PORT: 4801, HOST: '127.0.0.1', BASE_URL: undefined };

describe('the data folder of a command without DATA_DIR', () => {
  let env: Record<string, string>;
  let before: string;
  beforeEach(() => {
    env = { PASSBELL_SERVERS: join(folder, 'servers') };
    before = process.cwd();
    process.chdir(folder);
  });
  afterEach(() => process.chdir(before));

  const found = (more: Record<string, string> = {}) => withDataDir({ ...env, ...more }, () => runningServers(env));
  const server = (dataDir: string | null, pid = process.pid) => ({
    pid,
    startedAt: '',
    dataDir,
    address: { PORT: '4801', HOST: '127.0.0.1' },
  });
  const createDatabase = (dataDir: string) => {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, 'passbell.sqlite'), '');
  };

  it('is that of the running server, until it stops', () => {
    expect(found().DATA_DIR).toBe(join(folder, 'data'));
    const end = announceServer({ ...ADDRESS, DATABASE_URL: undefined, DATA_DIR: './elsewhere' }, env);
    expect(found().DATA_DIR).toBe(join(folder, 'elsewhere'));
    end();
    expect(found().DATA_DIR).toBe(join(folder, 'data'));
  });

  it('is not that of a killed server, even if another process has its process ID now', () => {
    mkdirSync(env.PASSBELL_SERVERS!);
    const stale = [
      { ...server('/killed'), pid: 2 ** 30 },
      { ...server('/killed'), startedAt: '1' },
    ];
    stale.forEach((entry, n) => writeFileSync(join(env.PASSBELL_SERVERS!, `${n}.json`), JSON.stringify(entry)));
    writeFileSync(join(env.PASSBELL_SERVERS!, 'damaged.json'), '{"pid":');
    expect(runningServers(env)).toEqual([]);
    announceServer({ ...ADDRESS, DATABASE_URL: undefined, DATA_DIR: './data' }, env);
    expect(readdirSync(env.PASSBELL_SERVERS!).sort()).toEqual([`${process.pid}.json`, 'damaged.json'].sort());
  });

  it('is never guessed: several servers, another database in the default folder, and MySQL are named', () => {
    const choose = (...servers: ReturnType<typeof server>[]) => withDataDir(env, () => servers);
    const unclear = /the database to use is unclear\. Run the command again with one of these settings:\n/;
    expect(() => choose(server('/a', 1), server('/b', 2))).toThrow(unclear);
    expect(() => choose(server('/a', 1), server('/b', 2))).toThrow(/DATA_DIR=\/a .* ID 1\n {2}DATA_DIR=\/b .* ID 2$/);
    expect(() => choose(server(null, 3))).toThrow(/DATABASE_URL=… REDIS_URL=… SECRET_KEY=… .* ID 3, which uses MySQL$/);
    expect(choose(server('/a', 1), server('/a', 2)).DATA_DIR).toBe('/a');
    createDatabase('data');
    expect(() => choose(server('/a', 1))).toThrow(`DATA_DIR=${join(folder, 'data')}   for the database there`);
    expect(choose(server(join(folder, 'data'), 1)).DATA_DIR).toBe(join(folder, 'data'));
    expect(choose().DATA_DIR).toBe(join(folder, 'data'));
  });

  it('comes with the address of the server, so that links work', () => {
    announceServer({ ...ADDRESS, DATABASE_URL: undefined, DATA_DIR: './elsewhere' }, env);
    expect(found()).toMatchObject({ PORT: '4801', HOST: '127.0.0.1' });
    expect(found({ PORT: '4802' })).toMatchObject({ PORT: '4802', DATA_DIR: join(folder, 'elsewhere') });
  });

  // Only root can give a file to another user.
  (process.getuid?.() === 0 ? it : it.skip)("is not taken from another user's file", () => {
    announceServer({ ...ADDRESS, DATABASE_URL: undefined, DATA_DIR: './elsewhere' }, env);
    chownSync(join(env.PASSBELL_SERVERS!, `${process.pid}.json`), 65534, 65534);
    expect(runningServers(env)).toEqual([]);
  });

  it('is the setting, if there is one', () => {
    announceServer({ ...ADDRESS, DATABASE_URL: undefined, DATA_DIR: './elsewhere' }, env);
    expect(found({ DATA_DIR: './chosen' }).DATA_DIR).toBe('./chosen');
    expect(found({ DATABASE_URL: 'mysql://x' }).DATA_DIR).toBeUndefined();
  });

  it('is announced in a file without secrets', () => {
    const settings = { ...ADDRESS, DATABASE_URL: 'mysql://user:secret@db/passbell', DATA_DIR: './data' };
    announceServer(settings, env);
    expect(runningServers(env)).toMatchObject([{ pid: process.pid, dataDir: null }]);
    expect(JSON.stringify(runningServers(env))).not.toContain('secret');
  });
});
