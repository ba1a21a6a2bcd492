/**
 * clients/node as it would be published: in an empty folder, with each supported Node version, `import`, `require` and
 * TypeScript. Also checks how all packages in `clients` are packed.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../support/process.js';
import { freshPhone, NO_LIMITS, startService, type TestService } from '../../support/service.js';

const toolbox = join(root, '.cache/node-client');
const tarball = join(toolbox, 'passbell.tgz');
const SMALL_BYTES = 15_000;

const run = promisify(execFile);
const env = { PATH: process.env.PATH, HOME: process.env.HOME };

let folder: string;
let passbell: TestService;
let files: { path: string; size: number }[];
beforeAll(async () => {
  passbell = await startService();
  // Outside of the repository, so that Node does not find the repository's packages.
  folder = mkdtempSync(join(tmpdir(), 'passbell-empty-'));
  writeFileSync(join(folder, 'package.json'), '{}');
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], { cwd: folder, env });
  const packed = await run('npm', ['pack', '--dry-run', '--json'], { cwd: join(root, 'clients/node'), env });
  [{ files }] = JSON.parse(packed.stdout) as [{ files: typeof files }];
});
afterAll(async () => {
  await passbell.stop();
  rmSync(folder, { recursive: true, force: true });
});

const manifest = () => JSON.parse(readFileSync(join(folder, 'node_modules/passbell/package.json'), 'utf8'));

/** The Node versions in the toolbox. The tests also use this process's version. */
const nodes = [20, 22, 24].map((major) => ({
  version: String(major),
  node: join(toolbox, `node_modules/node-${major}-${process.platform}-${process.arch}/bin/node`),
}));
const installed = [
  { version: process.version, node: process.execPath },
  ...nodes.filter(({ node }) => existsSync(node)),
];
const missing = nodes.filter(({ node }) => !existsSync(node));
if (missing.length > 0)
  it.skip.each(missing)('runs on Node $version, which npm does not have for this machine', () => {});

/** Returns the README's first example, with this test's values filled in. */
async function example(): Promise<string> {
  const readme = readFileSync(join(root, 'clients/node/README.md'), 'utf8');
  const { appKey, appSecret } = await passbell.application(NO_LIMITS);
  return readme
    .match(/```js\n([\s\S]*?)```/)![1]!
    .replace('http://127.0.0.1:3000', passbell.url)
    .replace('pk_…', appKey)
    .replace('sk_…', appSecret)
    .replace('+1 415 555 0188', freshPhone());
}

/** Defines the example's `askUser`, which reads the newest code in the dev inbox. */
const ASK_USER = () => `
async function askUser() {
  const messages = await (await fetch('${passbell.url}/dev/inbox.json?key=${passbell.service.devInbox!.key}')).json();
  return messages[0].text.match(/\\d{6}/)[0];
}
const wrong = await passbell.verifyOtp({ maskId: '0'.repeat(32), otp }).catch((error) => error);
console.log(JSON.stringify({ token, user, code: wrong.code, name: wrong.name }));
`;

const EXPECTED = {
  token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  user: expect.objectContaining({ phone: expect.stringMatching(/^\+1415/) }),
  code: 'INVALID_OTP',
  name: 'PassbellError',
};

describe.each(installed)('on Node $version', ({ node }) => {
  async function output(file: string, source: string): Promise<unknown> {
    writeFileSync(join(folder, file), source);
    const { stdout, stderr } = await run(node, [file], { cwd: folder, env });
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  }

  it('five lines send and verify a code, and a wrong code is a typed error', async () => {
    const lines = await example();
    expect(lines.trim().split('\n')).toHaveLength(5);
    expect(await output('example.mjs', lines + ASK_USER())).toEqual(EXPECTED);
  });

  it('works with require, and verifies a token locally', async () => {
    const source = (await example()).replace(/^import (.*) from (.*);$/m, 'const $1 = require($2);');
    const check =
      'const claims = await passbell.verifyTokenLocally(token);\nif (claims.userId !== user.userId) throw claims;';
    expect(await output('example.cjs', `(async () => {${source}${check}${ASK_USER()}})();`)).toEqual(EXPECTED);
  });
});

it.each([
  ['nodenext', ['types.mts', 'types.cts']],
  ['bundler', ['types.ts']],
])('has types with module resolution %s: %j', async (resolution, sources) => {
  const source = `import { Passbell, PassbellError, verifyWebhook, type WebhookEvent } from 'passbell';
export async function check(passbell: Passbell, event: WebhookEvent): Promise<string> {
  const { maskId } = await passbell.sendOtp({ to: '', authWay: 'SMS' });
  // @ts-expect-error not a channel
  await passbell.sendOtp({ to: '', authWay: 'FAX' });
  // @ts-expect-error no code
  await passbell.verifyOtp({ maskId });
  try {
    await passbell.verifyOtp({ maskId, otp: '123456' });
  } catch (error) {
    if (error instanceof PassbellError && error.code === 'INVALID_OTP') return String(error.retryAfterSeconds ?? 0);
  }
  await verifyWebhook({ body: '', headers: {}, secret: '' });
  // @ts-expect-error other events have no userId
  event.data.userId;
  return event.event === 'otp.verified' ? event.data.userId : event.id;
}
`;
  for (const file of sources) writeFileSync(join(folder, file), source);
  const module = resolution === 'bundler' ? 'esnext' : resolution;
  const flags = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom'];
  const args = [...flags, '--module', module, '--moduleResolution', resolution, ...sources];
  const tsc = run(process.execPath, [join(toolbox, 'node_modules/typescript/bin/tsc'), ...args], { cwd: folder, env });
  expect(
    await tsc.then(
      ({ stdout }) => stdout,
      ({ stdout }) => stdout,
    ),
  ).toBe('');
});

it.each([
  ['passbell', []],
  // better-auth itself cannot be loaded with `require`.
  ['passbell-better-auth', ['--profile', 'esm-only']],
])('%s passes the checks of publint and Are The Types Wrong', async (name, options) => {
  const bin = (tool: string) => join(toolbox, 'node_modules/.bin', tool);
  const installed = join(toolbox, 'node_modules', name);
  const publint = await run(bin('publint'), ['--strict', '--level', 'suggestion', installed]);
  expect(publint.stdout).toContain('All good!');
  const args = [join(toolbox, `${name}.tgz`), '--format', 'json', '--no-color', ...options];
  const { code = 0, stdout } = await run(bin('attw'), args).catch((error) => error);
  expect([code, JSON.parse(stdout).analysis.types]).toEqual([0, { kind: 'included' }]);
});

it('is small, and depends only on jose', () => {
  expect(manifest().dependencies).toEqual({ jose: expect.stringMatching(/^\^\d/) });
  expect(readFileSync(tarball).length).toBeLessThan(SMALL_BYTES);
  const expected = /^(LICENSE|README\.md|package\.json|dist\/(index\.(js|cjs)|(generated\/)?[a-z]+\.d\.c?ts))$/;
  expect(files.map(({ path }) => path).filter((path) => !expected.test(path))).toEqual([]);
  for (const { path, size } of files)
    if (!/\.d\.c?ts$/.test(path)) expect([path, size < SMALL_BYTES]).toEqual([path, true]);
});

it.each([
  ['passbell', 'clients/node'],
  ['passbell-better-auth', 'clients/better-auth'],
])('%s is published with provenance, from a public repository', (name, directory) => {
  const { publishConfig, repository } = JSON.parse(
    readFileSync(join(toolbox, 'node_modules', name, 'package.json'), 'utf8'),
  );
  expect(publishConfig).toEqual({ access: 'public', provenance: true });
  expect(repository).toMatchObject({ type: 'git', directory });
});
