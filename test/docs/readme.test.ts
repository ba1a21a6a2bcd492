/** The README's walk-through, run as printed against the service that `npm start` runs. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { root, startProcess, type PassbellProcess } from '../support/process.js';
import type { Body } from '../support/service.js';

const dataDir = mkdtempSync(join(tmpdir(), 'passbell-readme-'));
let service: PassbellProcess;
/** What the reader pastes: the words before `=` in the walk-through. */
const pasted: Record<string, string> = {};

beforeAll(async () => {
  service = await startProcess({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await service.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

function shell(command: string): Body {
  const here = command.replaceAll('http://127.0.0.1:3000', service.url);
  const printed = execFileSync('sh', ['-c', here], { env: { PATH: process.env.PATH, ...pasted }, encoding: 'utf8' });
  return JSON.parse(printed);
}

/** The commands of the section, in order; lines that only set a variable are the reader's part. */
function walkThrough(): string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## Try it'), readme.indexOf('## Settings'));
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)]
    .map((match) => match[1]!.trim())
    .filter((block) => block.includes('curl'))
    .map((block) => block.replace(/^[A-Z_]+=.*$\n?/gm, '').trim());
}

it('prints a curl line on the first start that sends a code as printed', () => {
  const line = service.output().match(/^ {2}(curl .*)$/m)?.[1];
  expect(shell(line!)).toMatchObject({ success: true, data: { isSent: 1 } });
});

it('prints where to try two-factor, with the widget that it built', async () => {
  expect(service.output()).toContain(`${service.url}/demo/two-factor\n`);
  const script = await fetch(`${service.url}/js/v1/auth-2fasdk.js`);
  expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
});

it('leads a reader from the key pair to a verified token', async () => {
  const [, appKey, appSecret] = service.output().match(/App Key\s+(\S+)\s+App Secret\s+(\S+)/)!;
  Object.assign(pasted, { APP_KEY: appKey, APP_SECRET: appSecret });
  const [check, send, inbox, verify, verifyToken, revoke, ...rest] = walkThrough();
  expect(rest).toEqual([]);

  expect(shell(check!)).toEqual({ success: true, message: 'authenticated successfully' });
  const sent = shell(send!);
  expect(sent.success).toBe(true);
  pasted.MASK_ID = sent.data.results[0].maskId;
  pasted.CODE = shell(inbox!)[0].text.match(/\d{6}/)[0];
  const verified = shell(verify!);
  expect(verified).toMatchObject({ success: true, status: 'verified' });
  pasted.TOKEN = verified.data.token;
  expect(shell(verifyToken!)).toMatchObject({ success: true, data: { userId: verified.data.user.userId } });

  const keySet = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(verified.data.token, keySet, { audience: appKey!, algorithms: ['ES256'] });
  expect(payload).toMatchObject({ sub: verified.data.user.userId, amr: ['otp'] });

  expect(shell(revoke!)).toMatchObject({ success: true });
  expect(shell(verifyToken!)).toMatchObject({ success: false, message: 'token revoked' });
});

it('sends the notification of its section', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## Notifications'), readme.indexOf('## Send for real'));
  const command = section.match(/```sh\n([\s\S]*?)```/)![1]!;
  expect(shell(command)).toMatchObject({ success: true, status: 'NotificationsSent' });
});

it('does not install or build again on the second start, and knows its application', async () => {
  expect(await service.end('SIGTERM')).toBe(0);
  service = await startProcess({ DATA_DIR: dataDir });
  expect(service.output()).not.toMatch(/Installing|Building/);
  expect(service.output()).not.toContain('App Secret');
  const headers = { clientId: pasted.APP_KEY!, clientSecret: pasted.APP_SECRET! };
  const reply = await fetch(`${service.url}/api/v1/auth/authentication`, { headers });
  expect(await reply.json()).toMatchObject({ success: true });
});

it('does not start twice on one data folder', async () => {
  await expect(startProcess({ DATA_DIR: dataDir })).rejects.toThrow(/another Passbell is running on/);
});

it('serves the API pages without any outside address', async () => {
  for (const path of ['/docs', '/docs/start.js', '/openapi.json', '/docs/swagger-ui.css']) {
    const reply = await fetch(`${service.url}${path}`);
    expect([path, reply.status]).toEqual([path, 200]);
    if (path.startsWith('/docs') && !path.endsWith('.css')) expect(await reply.text()).not.toMatch(/https?:/);
  }
  const page = await fetch(`${service.url}/docs`);
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
});

it('ends with exit code 0 on SIGTERM', async () => {
  expect(await service.end('SIGTERM')).toBe(0);
});
