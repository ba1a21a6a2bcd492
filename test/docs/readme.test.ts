/** Runs the README's walk-through as printed against the service that `npm start` runs. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { createDataFolder } from '../support/data-folder.js';
import { root, startProcess, type PassbellProcess } from '../support/process.js';
import type { Body } from '../support/service.js';

const dataDir = createDataFolder('readme');
let service: PassbellProcess;
/** Variables that the reader sets in the walk-through. */
const variables: Record<string, string> = {};

beforeAll(async () => {
  service = await startProcess({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await service.stop('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

function shell(command: string): Body {
  const local = command.replaceAll('http://127.0.0.1:3000', service.url);
  const output = execFileSync('sh', ['-c', local], { env: { PATH: process.env.PATH, ...variables }, encoding: 'utf8' });
  return JSON.parse(output);
}

/** Returns the commands of the walk-through in order, without the lines that set a variable. */
function walkThrough(): string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## Try it'), readme.indexOf('## Settings'));
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)]
    .map((match) => match[1]!.trim())
    .filter((block) => block.includes('curl'))
    .map((block) => block.replace(/^[A-Z_]+=.*$\n?/gm, '').trim());
}

it('prints a working curl command on the first start', () => {
  const line = service.output().match(/^ {2}(curl .*)$/m)?.[1];
  expect(shell(line!)).toMatchObject({ success: true, data: { isSent: 1 } });
  expect(line).toContain('clientIp');
});

it('prints the URL of the two-factor demo, and serves the widget', async () => {
  expect(service.output()).toContain(`${service.url}/demo/two-factor\n`);
  const script = await fetch(`${service.url}/js/v1/auth-2fasdk.js`);
  expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
});

it('guides the reader from the credentials to a verified token', async () => {
  const [, appKey, appSecret] = service.output().match(/App Key\s+(\S+)\s+App Secret\s+(\S+)/)!;
  Object.assign(variables, { APP_KEY: appKey, APP_SECRET: appSecret });
  const [check, send, inbox, verify, verifyToken, revoke, ...rest] = walkThrough();
  expect(rest).toEqual([]);

  expect(shell(check!)).toEqual({ success: true, message: 'authenticated successfully' });
  const sent = shell(send!);
  expect(sent.success).toBe(true);
  variables.MASK_ID = sent.data.results[0].maskId;
  variables.CODE = shell(inbox!)[0].text.match(/\d{6}/)[0];
  const verified = shell(verify!);
  expect(verified).toMatchObject({ success: true, status: 'verified' });
  variables.TOKEN = verified.data.token;
  expect(shell(verifyToken!)).toMatchObject({ success: true, data: { userId: verified.data.user.userId } });

  const keySet = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(verified.data.token, keySet, { audience: appKey!, algorithms: ['ES256'] });
  expect(payload).toMatchObject({ sub: verified.data.user.userId, amr: ['otp'] });

  expect(shell(revoke!)).toMatchObject({ success: true });
  expect(shell(verifyToken!)).toMatchObject({ success: false, message: 'token revoked' });
});

it('sends the notification as printed', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## Notifications'), readme.indexOf('## Send real messages'));
  const command = section.match(/```sh\n([\s\S]*?)```/)![1]!;
  expect(shell(command)).toMatchObject({ success: true, status: 'NotificationsSent' });
});

it('shows the prices file as a block of valid JSON', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^ *```json\n([\s\S]*?)^ *```$/gm)].map(([, block]) => JSON.parse(block!) as Body);
  expect(blocks).toEqual([expect.objectContaining({ currency: 'usd', prices: expect.anything() })]);
});

it('neither installs nor builds on the second start, and keeps its application', async () => {
  expect(await service.stop('SIGTERM')).toBe(0);
  service = await startProcess({ DATA_DIR: dataDir });
  expect(service.output()).not.toMatch(/Installing|Building/);
  expect(service.output()).not.toContain('App Secret');
  const headers = { clientId: variables.APP_KEY!, clientSecret: variables.APP_SECRET! };
  const reply = await fetch(`${service.url}/api/v1/auth/authentication`, { headers });
  expect(await reply.json()).toMatchObject({ success: true });
});

it('does not start twice on the same data folder', async () => {
  await expect(startProcess({ DATA_DIR: dataDir })).rejects.toThrow(/another Passbell server is using/);
});

it('serves the API documentation without external resources', async () => {
  const page = await fetch(`${service.url}/docs/api`);
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; /);
  const html = await page.text();
  expect(html).not.toMatch(/<script(?! src="\/docs\/)|(src|<link[^>]* href)="https?:/);
  expect((await fetch(`${service.url}/openapi.json`)).status).toBe(200);
});

it('exits with code 0 on SIGTERM', async () => {
  expect(await service.stop('SIGTERM')).toBe(0);
});
