/** Selection of the database servers for the tests, and the clean-up shell. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  installAdvice,
  findServer,
  startableSources,
  environmentSource,
  type ServerSource,
} from '../support/servers/find.js';
import { MYSQL, REDIS } from '../support/servers/kinds.js';
import { until, waiting } from '../support/wait.js';

const unavailable = async () => undefined;

function createSource(
  name: string,
  open: ServerSource<string>['open'],
  openedSources: string[] = [],
  required = false,
): ServerSource<string> {
  return { name, required, open: () => (openedSources.push(name), open()) };
}
const opensServer = (server: string) => async () => ({ server, how: 'by a test' });
const fails = async () => Promise.reject(new Error('it broke\nand said more\nand more'));

describe('choosing a server', () => {
  it('tries the environment, then Docker, then local programs, then apt-get', () => {
    const sources = [environmentSource(MYSQL, {}), ...startableSources(MYSQL, () => {})];
    expect(sources.map(({ name }) => name)).toEqual(['TEST_DATABASE_URL', 'Docker', 'local program', 'apt-get']);
    expect(environmentSource(REDIS, {}).name).toBe('TEST_REDIS_URL');
  });

  it('uses the first source that provides a server, without trying any others', async () => {
    const openedSources: string[] = [];
    const sources = [
      createSource('a', unavailable, openedSources),
      createSource('b', fails, openedSources),
      createSource('c', opensServer('third'), openedSources),
      createSource('d', opensServer('fourth'), openedSources),
    ];
    expect(await findServer(REDIS, sources)).toEqual({ server: 'third', how: 'by a test (b: it broke and said more)' });
    expect(openedSources).toEqual(['a', 'b', 'c']);
  });

  it('fails with one line that lists the attempts and a command to run', async () => {
    const { message } = await findServer(MYSQL, [createSource('a', unavailable), createSource('Docker', fails)]).catch(
      (e) => e,
    );
    expect(message).toMatch(/^The tests need MySQL and found none \(Docker: it broke and said more\)\. Run: \S/);
    expect(message).toMatch(/docker run -d .*mysql:9\.7, and then TEST_DATABASE_URL=mysql:\/\/\S+ npm test$/);
    expect(message).not.toContain('\n');
  });

  it.each([
    [
      { platform: 'linux', hasApt: true, isRoot: false },
      'sudo apt-get update && sudo apt-get install -y redis-server; or ',
    ],
    [{ platform: 'linux', hasApt: true, isRoot: true }, 'apt-get update && apt-get install -y redis-server; or '],
    [{ platform: 'linux', hasApt: false, isRoot: false }, 'docker run -d -p 127.0.0.1:6379:6379 valkey/valkey:'],
    [{ platform: 'darwin', hasApt: false, isRoot: false }, 'brew install redis; or docker run'],
  ] as const)('suggests a command that works on %j', (machine, start) => {
    expect(installAdvice(REDIS, machine).startsWith(start)).toBe(true);
    expect(installAdvice(REDIS, machine)).toMatch(/, and then TEST_REDIS_URL=redis:\/\/127\.0\.0\.1:6379 npm test$/);
  });

  it('does not try another server when the configured server does not reply', async () => {
    const openedSources: string[] = [];
    const env = { TEST_DATABASE_URL: 'mysql://me:hidden@127.0.0.1:1' };
    const sources = [
      environmentSource(MYSQL, env),
      createSource('b', opensServer('other'), openedSources),
    ] as ServerSource<unknown>[];
    const { message } = await findServer(MYSQL, sources).catch((e) => e);
    expect(message).toMatch(/^MySQL of the tests: TEST_DATABASE_URL does not work: .*ECONNREFUSED/);
    expect(message).not.toContain('hidden');
    expect(openedSources).toEqual([]);
  });
});

describe('the clean-up shell', () => {
  it.each(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)(
    'cleans up after a process that was terminated by %s',
    async (signal) => {
      const folder = mkdtempSync(join(tmpdir(), "passbell leash's "));
      const program = `import { createCleanup, shellQuote } from './test/support/servers/cleanup.ts';
      const cleanup = createCleanup();
      cleanup.setCommand('false');
      cleanup.setCommand('rm -rf ' + shellQuote(${JSON.stringify(folder)}));
      setInterval(() => {}, 1000);
      console.log('ready');`;
      const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        await waiting('the start of the program', once(child.stdout, 'data'));
        expect(existsSync(folder)).toBe(true);
        child.kill(signal);
        await until('the removal of the folder', () => !existsSync(folder));
      } finally {
        child.kill('SIGKILL');
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
