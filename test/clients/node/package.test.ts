/**
 * clients/node as it would be published: in an empty folder, with each supported Node version, `import`, `require` and
 * TypeScript. Also checks how all packages in `clients` are packed.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../support/process.js';
import { freshPhone, NO_LIMITS, startService, type TestService } from '../../support/service.js';
import { isSource } from '../../support/toolbox.mjs';

const toolbox = join(root, '.cache/node-client');
const tarball = join(toolbox, 'passbell.tgz');
const SMALL_BYTES = 22_000;

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
  const packed = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: join(root, 'clients/node'),
    env,
  });
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
    .match(/```ts\n([\s\S]*?)```/)![1]!
    .replace('http://127.0.0.1:3000', passbell.url)
    .replace('pk_…', appKey)
    .replace('sk_…', appSecret)
    .replace('+1 415 555 0188', freshPhone());
}

/** Defines the example's `askUser`, which reads the newest code in the dev inbox. */
const ASK_USER = () => `
async function askUser() {
  const messages = await (await fetch('${passbell.url}/dev/inbox.json?key=${passbell.core.devInbox!.key}')).json();
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

  it('five statements send and verify a code, and a wrong code is a typed error', async () => {
    const source = await example();
    expect(source.match(/^[a-z]/gm)).toHaveLength(5);
    expect(await output('example.mjs', source + ASK_USER())).toEqual(EXPECTED);
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
  // @ts-expect-error neither maskId nor to
  await passbell.verifyOtp({ otp: '123456' });
  // @ts-expect-error neither maskId nor to
  await passbell.reportVerified({});
  await passbell.reportVerified({ to: '' });
  const session = await passbell.verifyOtp({ to: '', authWay: 'SMS', otp: '123456' });
  const requestId: string | undefined = session.meta.requestId;
  try {
    await passbell.verifyOtp({ maskId, otp: '123456' });
  } catch (error) {
    if (error instanceof PassbellError && error.code === 'INVALID_OTP') return [error.attemptsLeft, requestId].join();
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

/** Values that the snippets in the READMEs use, but that the reader's program declares. */
const DECLARATIONS: Readonly<Record<string, string>> = {
  passbell: "declare const passbell: import('passbell').Passbell;",
  askUser: 'declare function askUser(): Promise<string>;',
  showError: 'declare function showError(text: string): void;',
  maskId: 'declare const maskId: string;',
  otp: 'declare const otp: string;',
  to: 'declare const to: string;',
  request: "declare const request: { ip: string | undefined; headers: import('node:http').IncomingHttpHeaders };",
  rawBody: 'declare const rawBody: Uint8Array;',
  secret: 'declare const secret: string;',
  messageId: 'declare const messageId: string;',
};

it.each(['node', 'better-auth'])('the snippets in the README of %s compile in strict TypeScript', async (name) => {
  const readme = readFileSync(join(root, 'clients', name, 'README.md'), 'utf8');
  expect(readme).not.toMatch(/```js/);
  const snippets = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!);
  expect(snippets.length).toBeGreaterThan(0);
  // Below the toolbox, in which the packed packages and better-auth are installed.
  const project = join(toolbox, `readme-${name}`);
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project);
  snippets.forEach((code, n) => {
    const isDeclared = (value: string) => new RegExp(`const (\\{[^}]*\\b)?${value}\\b`).test(code);
    const declared = Object.keys(DECLARATIONS).filter((value) => !isDeclared(value));
    writeFileSync(
      join(project, `${n}.mts`),
      `${code}\nexport {};\n${declared.map((value) => DECLARATIONS[value]).join('\n')}\n`,
    );
  });
  const files = snippets.map((_code, n) => `${n}.mts`);
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit'];
  const flags = [...strict, '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
  const args = [join(toolbox, 'node_modules/typescript/bin/tsc'), ...flags, ...files];
  const { stdout } = await run(process.execPath, args, { cwd: project, env }).catch((error) => error);
  expect(stdout).toBe('');
});

it.each(['node', 'better-auth'])('npm pack builds clients/%s first, so the package is never empty', async (name) => {
  const copy = join(root, '.cache', `pack-${name}`);
  rmSync(copy, { recursive: true, force: true });
  const source = join(root, 'clients', name);
  cpSync(source, copy, { recursive: true, filter: (path) => isSource(path.slice(source.length)) });
  await run('npm', ['pack', '--pack-destination', folder], { cwd: copy, env });
  const { name: packed, version } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'));
  const { stdout } = await run('tar', ['-tzf', join(folder, `${packed}-${version}.tgz`)]);
  for (const file of ['dist/index.js', 'dist/index.d.ts']) expect(stdout).toContain(`package/${file}\n`);
  rmSync(copy, { recursive: true });
});

it('npm run pack:clients prints the paths of all packages, as the READMEs say', async () => {
  const command = 'npm run --silent pack:clients';
  for (const name of ['node', 'better-auth', 'node-red', 'activepieces'])
    expect(readFileSync(join(root, 'clients', name, 'README.md'), 'utf8')).toContain(command);
  const { stdout } = await run('sh', ['-c', command], { cwd: root, env });
  const paths = stdout.trim().split('\n');
  const { version } = manifest() as { version: string };
  expect(paths.map((path) => basename(path))).toEqual([
    `passbell-${version}.tgz`,
    `passbell-better-auth-${version}.tgz`,
    `passbell-node-red-${version}.tgz`,
    `passbell-piece-passbell-${version}.tgz`,
  ]);
  for (const path of paths)
    expect((await run('tar', ['-tzf', path])).stdout).toMatch(/package\/(dist|src)\/(index|passbell)\.js\n/);
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
