/**
 * Generates clients from the contract with four tools, compiles them strictly, and sends and verifies a code with each. Also
 * lints both contracts. The tools take 286 MB, so this is not part of `npm test`: run `npm run test:generators`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../support/process.js';
import { freshPhone, startService, type TestService } from '../support/service.js';
import { npm, once } from '../support/toolbox.mjs';

const toolbox = join(root, '.cache/generators');
const PACKAGES = {
  '@hey-api/openapi-ts': '0.95.0',
  '@redocly/cli': '2.77.0',
  '@stoplight/spectral-cli': '6.16.3',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  orval: '7.13.2',
  'swagger-typescript-api': '13.13.0',
  typescript: '5.9.3',
};
const CONTRACTS = ['openapi.json', 'manage.json'] as const;
const documentPath = (name: string) => join(root, 'backend/openapi', name);

/** Runs a tool in the folder of the tools. An error contains its output. */
const run = (command: string, ...args: string[]): string =>
  execFileSync(join(toolbox, 'node_modules/.bin', command), args, { cwd: toolbox, encoding: 'utf8' });

const write = (name: string, content: string) => writeFileSync(join(toolbox, name), content);

interface Tool {
  readonly name: string;
  readonly generate: (document: string, output: string) => unknown;
  /** Returns a program whose `send` and `verify` call the service. A reply narrows by `success`. */
  readonly program: (baseUrl: string) => string;
}

const TOOLS: readonly Tool[] = [
  {
    name: 'orval',
    generate: (document, output) =>
      run('orval', '--input', document, '--output', `./${output}/client.ts`, '--client', 'fetch'),
    program: (baseUrl) => `import { sendOtp, verifyOtp } from './client.js';
const real = globalThis.fetch;
globalThis.fetch = (url, init) => real(typeof url === 'string' ? url.replace(/^(?=\\/)/, ${JSON.stringify(baseUrl)}) : url, init);
export const send = async (to: string, headers: Record<string, string>) => (await sendOtp({ to }, { headers })).data;
export const verify = async (maskId: string, otp: string, headers: Record<string, string>) =>
  (await verifyOtp({ maskId, otp }, { headers })).data;`,
  },
  {
    name: 'hey-api',
    generate: (document, output) => run('openapi-ts', '-i', document, '-o', output, '--no-log-file'),
    program: (baseUrl) => `import { client } from './client.gen.js';
import { sendOtp, verifyOtp } from './sdk.gen.js';
client.setConfig({ baseUrl: ${JSON.stringify(baseUrl)} });
export const send = async (to: string, headers: Record<string, string>) =>
  (await sendOtp({ body: { to }, headers, throwOnError: true })).data;
export const verify = async (maskId: string, otp: string, headers: Record<string, string>) =>
  (await verifyOtp({ body: { maskId, otp }, headers, throwOnError: true })).data;`,
  },
  {
    name: 'openapi-typescript',
    generate: (document, output) =>
      run('openapi-typescript', document, '-o', `${output}/client.ts`, '--default-non-nullable=false'),
    program: (baseUrl) => `import createClient from 'openapi-fetch';
import type { paths } from './client.js';
const client = createClient<paths>({ baseUrl: ${JSON.stringify(baseUrl)} });
export const send = async (to: string, headers: Record<string, string>) =>
  (await client.POST('/auth/sendotp', { body: { to }, headers })).data!;
export const verify = async (maskId: string, otp: string, headers: Record<string, string>) =>
  (await client.POST('/auth/verifyotp', { body: { maskId, otp }, headers })).data!;`,
  },
  {
    name: 'swagger-typescript-api',
    generate: (document, output) =>
      run('swagger-typescript-api', 'generate', '-p', document, '-o', output, '-n', 'client.ts'),
    program: (baseUrl) => `import { Api } from './client.js';
const { auth } = new Api({ baseUrl: ${JSON.stringify(baseUrl)}, baseApiParams: { format: 'json' } });
export const send = async (to: string, headers: Record<string, string>) => (await auth.sendOtp({ to }, { headers })).data;
export const verify = async (maskId: string, otp: string, headers: Record<string, string>) =>
  (await auth.verifyOtp({ maskId, otp }, { headers })).data;`,
  },
];

/** Reads fields that only a narrowed reply has, so that it does not compile if the replies are not discriminated. */
const USE = `
export async function check(to: string, headers: Record<string, string>, codeFor: (to: string) => Promise<string>) {
  const sent = await send(to, headers);
  if (!sent.success) throw new Error(sent.code);
  const { maskId } = sent.data.results[0]!;
  const wrong = await verify(maskId, 'wrong1', headers);
  const verified = await verify(maskId, await codeFor(to), headers);
  if (!verified.success) throw new Error(verified.hint);
  return { wrong: wrong.success ? undefined : wrong.code, userId: verified.data.user.userId };
}
`;

const describeGenerators = process.env.GENERATORS ? describe : describe.skip;

describeGenerators('code generators and linters', () => {
  let passbell: TestService;
  beforeAll(async () => {
    mkdirSync(toolbox, { recursive: true });
    write('package.json', JSON.stringify({ private: true, type: 'module', dependencies: PACKAGES }));
    once(join(toolbox, '.installed'), [join(toolbox, 'package.json')], () =>
      npm(toolbox, 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'),
    );
    passbell = await startService();
  });
  afterAll(() => passbell.stop());

  it.each(TOOLS)(
    '$name: the clients compile, and one sends and verifies a code',
    async ({ name, generate, program }) => {
      const output = name.replace('-', '');
      for (const each of [output, `${output}-manage`]) rmSync(join(toolbox, each), { recursive: true, force: true });
      for (const each of [output, `${output}-manage`]) mkdirSync(join(toolbox, each));
      generate(documentPath('openapi.json'), output);
      generate(documentPath('manage.json'), `${output}-manage`);
      write(`${output}/check.ts`, `${program(`${passbell.url}/api/v1`)}\n${USE}`);
      const compilerOptions = {
        target: 'es2023',
        module: 'nodenext',
        strict: true,
        noEmit: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: true,
        lib: ['es2023', 'dom', 'dom.iterable'],
        types: [],
      };
      write(`${output}.json`, JSON.stringify({ compilerOptions, include: [output, `${output}-manage`] }));
      run('tsc', '-p', `${output}.json`);
      const { check } = await import(pathToFileURL(join(toolbox, output, 'check.ts')).href);
      const headers = { clientId: passbell.keys.appKey, clientSecret: passbell.keys.appSecret };
      const result = await check(freshPhone(), headers, passbell.codeFor);
      expect(result).toEqual({ wrong: 'INVALID_OTP', userId: expect.stringMatching(/^USR-/) });
    },
  );

  it.each(CONTRACTS)('Redocly accepts %s', (name) => {
    // Requests with a query string have schemas that only the service reads.
    const rules = ['--extends=recommended-strict', '--skip-rule=no-unused-components'];
    expect(() => run('redocly', 'lint', documentPath(name), ...rules)).not.toThrow();
  });

  it.each(CONTRACTS)('Spectral accepts %s', (name) => {
    const off = ['info-contact', 'operation-description', 'oas3-unused-component'].map((rule) => `  ${rule}: off`);
    write('spectral.yaml', `extends: ["spectral:oas"]\nrules:\n${off.join('\n')}\n`);
    run('spectral', 'lint', documentPath(name), '--ruleset', 'spectral.yaml', '--fail-severity', 'warn');
  });
});
