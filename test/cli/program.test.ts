/** Help, usage errors and other failures of the operator command. */
import { readFileSync } from 'node:fs';
import {
  DOCKER_COMMAND,
  operatorCommand,
  withOperatorCommand,
} from '../../backend/src/platform/config/operator-command.js';
import { runProgram } from '../../backend/src/cli/program.js';
import type { Core } from '../../backend/src/core.js';
import { ConfigError } from '../../backend/src/platform/config/config.js';

async function run(args: string[], open: () => Promise<Core> = () => Promise.reject(new Error('the core was opened'))) {
  let out = '';
  let err = '';
  const config = () => {
    throw new Error('the settings were read');
  };
  const io = {
    config,
    now: () => 0,
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
  };
  const code = await runProgram(args, { ...io, open });
  return { code, out, err };
}

const COMMANDS = [
  '',
  'app',
  'app create',
  'app list',
  'app update',
  'app rotate-secret',
  'account',
  'account create',
  'account update',
  'messages',
  'messages list',
  'messages retry',
  'keys',
  'keys list',
  'keys rotate',
];

it.each(COMMANDS)('prints help with examples, without opening the core: passbell %s --help', async (command) => {
  const { code, out, err } = await run([...command.split(' ').filter(Boolean), '--help']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain(`Usage: ${`passbell ${command}`.trim()} [options]`);
  expect(out).toContain(`\nExamples:\n  ${`${operatorCommand()} ${command}`.trim()}`);
});

it.each(COMMANDS)('refers to the help after a usage error: passbell %s --wrong', async (command) => {
  const { code, out, err } = await run([...command.split(' ').filter(Boolean), '--wrong']);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  const call = `${operatorCommand()} ${command}`.trim();
  // Missing options are reported before unknown ones.
  expect(err).toMatch(/^error: (?:unknown option '--wrong'|required option '.+' not specified)\n/);
  expect(err).toMatch(new RegExp(`\nSee: ${call} --help\n$`));
});

it.each([['app'], ['app', 'lst'], ['wrong'], ['app', 'update'], ['app', 'list', 'excess'], ['app', 'create']])(
  'exits with 1 and prints nothing to standard output: passbell %s %s',
  async (...args) => {
    const { code, out, err } = await run(args);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/--help|Usage: /);
  },
);

const runFailing = (error: unknown) => run(['app', 'list', '--json'], () => Promise.reject(error));

it.each([
  ['settings', new ConfigError(['PORT must be a number']), 'The settings have a problem:\n- PORT must be a number'],
  ['a folder', Object.assign(new Error('EACCES: no, mkdir x'), { syscall: 'mkdir' }), 'EACCES: no, mkdir x'],
  [
    'a busy database',
    Object.assign(new Error('update `x` set 1 - locked'), { code: 'SQLITE_BUSY_SNAPSHOT' }),
    'the database is busy; run the command again',
  ],
  [
    'a broken database',
    Object.assign(new Error('select * from `x`'), { code: 'SQLITE_CORRUPT' }),
    'the database cannot be used (SQLITE_CORRUPT); check DATABASE_URL or DATA_DIR',
  ],
])('explains an error of %s', async (_what, error, text) => {
  expect(await runFailing(error)).toEqual({ code: 1, out: '', err: `error: ${text}\n` });
});

it('prints the stack trace of an unexpected error', async () => {
  const { code, err } = await runFailing(new TypeError('not foreseen'));
  expect([code, err]).toEqual([1, expect.stringMatching(/^error: TypeError: not foreseen\n\s+at /)]);
});

it('stops the core after success and after failure', async () => {
  const stopped: string[] = [];
  const open = (name: string, list: () => Promise<unknown>) => async () =>
    ({ applications: { list }, stop: async () => void stopped.push(name) }) as unknown as Core;
  await run(
    ['app', 'list'],
    open('success', () => Promise.resolve([])),
  );
  await run(
    ['app', 'list'],
    open('failure', () => Promise.reject(new Error())),
  );
  expect(stopped).toEqual(['success', 'failure']);
});

describe('the name of the command', () => {
  const image = DOCKER_COMMAND;
  afterEach(() => void delete process.env.PASSBELL_COMMAND);

  it('is that of the image in Docker, and npm elsewhere', () => {
    expect(operatorCommand({})).toBe('npm run --silent passbell --');
    expect(operatorCommand({ PASSBELL_COMMAND: image })).toBe(image);
    const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
    expect(dockerfile).toContain(`ENV PASSBELL_COMMAND="${image}"`);
  });

  it('appears in help, guides and notices', async () => {
    process.env.PASSBELL_COMMAND = image;
    expect((await run(['app', '--help'])).out).toContain(`Examples:\n  ${image} app `);
    const guide = 'Run `npm run --silent passbell -- keys reseal`, or `passbell doctor`. The `passbell` table stays.';
    expect(withOperatorCommand(guide)).toBe(
      `Run \`${image} keys reseal\`, or \`${image} doctor\`. The \`passbell\` table stays.`,
    );
  });
});
