/**
 * Runs the sites in `examples` with the service. Next.js requires 342 MB and a build of half a minute, so its test is
 * not part of `npm test`: run `npm run test:examples`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser } from '../support/browser.js';
import { root, startProgram, type PassbellProcess } from '../support/process.js';
import { freshPhone, startService, wrongCode, type TestService } from '../support/service.js';
import { isSource, npm, once } from '../support/toolbox.mjs';
import { startForwarder, type Forwarder } from '../clients/n8n/forwarder.js';
import { createVisitor } from './visitor.js';

const CODE_LINES = 130;
const toolbox = join(root, '.cache/node-client');
const nextjsToolbox = join(root, '.cache/nextjs-example');
const NEXTJS_PACKAGES = { jose: '6.2.17', next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' };

type Settings = Record<'PASSBELL_URL' | 'APP_KEY' | 'APP_SECRET', string>;

/** Copies an example to the folder in which its packages are installed. Returns the path of the copy. */
function copyOf(example: string, folder: string): string {
  const copy = join(folder, 'examples', example);
  rmSync(copy, { recursive: true, force: true });
  const source = join(root, 'examples', example);
  cpSync(source, copy, { recursive: true, filter: (path) => isSource(path.slice(source.length)) });
  return copy;
}

const startExpress = (settings: Settings) =>
  startProgram({
    name: 'the Express example',
    command: process.execPath,
    args: [join(copyOf('express', toolbox), 'server.mjs')],
    settings: { ...settings, PORT: '0' },
    ready: /Open (http:\S+)/,
  });

const startFlask = (settings: Settings) =>
  startProgram({
    name: 'the Flask example',
    command: 'python3',
    args: ['-m', 'flask', 'run', '--port', '0'],
    cwd: join(root, 'examples/flask'),
    settings: { ...settings, PYTHONDONTWRITEBYTECODE: '1' },
    ready: /Running on (http:\S+)/,
  });

function installNextjs(): void {
  const manifest = join(nextjsToolbox, 'package.json');
  mkdirSync(nextjsToolbox, { recursive: true });
  writeFileSync(manifest, JSON.stringify({ private: true, dependencies: NEXTJS_PACKAGES }));
  once(join(nextjsToolbox, '.installed'), [manifest], () => {
    // Uses no lock file, because some registries do not have Next.js's packages for other platforms.
    npm(nextjsToolbox, 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock');
  });
  const client = join(nextjsToolbox, 'node_modules/passbell');
  rmSync(client, { recursive: true, force: true });
  cpSync(join(toolbox, 'node_modules/passbell'), client, { recursive: true });
}

async function startNextjs(settings: Settings): Promise<PassbellProcess> {
  installNextjs();
  const cwd = copyOf('nextjs', nextjsToolbox);
  const next = join(nextjsToolbox, 'node_modules/next/dist/bin/next');
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, NEXT_TELEMETRY_DISABLED: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [next, 'build'], { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`next build failed:\n${stdout}${stderr}`);
  return startProgram({
    name: 'the Next.js example',
    command: process.execPath,
    args: [next, 'start', '--port', '0'],
    cwd,
    settings: { ...settings, NEXT_TELEMETRY_DISABLED: '1' },
    ready: /Local:\s+(http:\S+)[\s\S]*Ready/,
  });
}

const hasFlask = spawnSync('python3', ['-c', 'import flask, requests']).status === 0;
const EXAMPLES = [
  { name: 'express', start: startExpress, skipped: '' },
  { name: 'flask', start: startFlask, skipped: hasFlask ? '' : 'Flask or Requests is not installed here' },
  { name: 'nextjs', start: startNextjs, skipped: process.env.NEXTJS_EXAMPLE ? '' : 'run npm run test:examples' },
];

let passbell: TestService;
beforeAll(async () => {
  mkdirSync(join(toolbox, 'examples'), { recursive: true });
  passbell = await startService();
});
afterAll(() => passbell.stop());

it.each(EXAMPLES)('$name has fewer than 130 lines of code', ({ name }) => {
  const files = readdirSync(join(root, 'examples', name), { withFileTypes: true, recursive: true })
    .filter((file) => file.isFile() && /\.(mjs|jsx?|py)$/.test(file.name))
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
  expect(files.length).toBeGreaterThan(0);
  const isCode = (line: string) => !/^\s*(\/\/|\/\*\*|#|$)/.test(line);
  expect(files.join('\n').split('\n').filter(isCode).length).toBeLessThan(CODE_LINES);
});

for (const { name, skipped } of EXAMPLES.filter((example) => example.skipped))
  it.skip(`${name} (${skipped})`, () => undefined);

describe.each(EXAMPLES.filter((example) => !example.skipped))('$name', ({ start }) => {
  let site: PassbellProcess;
  let forwarder: Forwarder;
  beforeAll(async () => {
    const { appKey, appSecret } = passbell.keys;
    forwarder = await startForwarder(passbell.url, () => false);
    site = await start({ PASSBELL_URL: forwarder.url, APP_KEY: appKey, APP_SECRET: appSecret });
  });
  afterAll(async () => {
    await site?.stop('SIGKILL');
    forwarder.close();
  });

  it('shows the protected page after the right code, until the user logs out', async () => {
    const visitor = createVisitor(site.url);
    expect((await visitor.open('/')).path).toBe('/login');
    const to = freshPhone();
    expect((await visitor.submit({ to })).html).toContain('name="otp"');
    const code = await passbell.codeFor(to);
    expect((await visitor.submit({ otp: wrongCode(code) })).html).toContain('This code is wrong.');
    const home = await visitor.submit({ otp: code });
    expect(home).toMatchObject({ path: '/', status: 200 });
    // The number is masked.
    expect(home.html).toMatch(/You are logged in as \+1415\*+\d\d\./);
    const cookies = [...visitor.cookies];
    expect(cookies.map(([cookie]) => cookie)).toEqual(['session']);

    expect((await visitor.submit({})).path).toBe('/login');
    expect(visitor.cookies.size).toBe(0);
    // The token has also been revoked.
    cookies.forEach(([cookie, value]) => visitor.cookies.set(cookie, value));
    expect((await visitor.open('/')).path).toBe('/login');
  });

  it('logs in with the code that the phone reads from an SMS', async () => {
    const browser = await startBrowser();
    const page = await browser.newPage();
    // Chromium on this machine receives no SMS.
    await page.addInitScript(`
      window.OTPCredential = class {};
      const code = new Promise((resolve) => (window.receiveSms = resolve));
      navigator.credentials.get = async (options) => {
        window.asked = [options.otp.transport.join(), options.signal.aborted];
        return { code: await code };
      };`);
    const to = freshPhone();
    await page.goto(`${site.url}/login`);
    expect(await page.evaluate('window.asked')).toBeUndefined();
    await page.locator('[name=to]').fill(to);
    await page.locator('button').click();
    await page.waitForFunction('window.asked');
    expect(await page.evaluate('window.asked')).toEqual(['sms', false]);
    await page.evaluate(`receiveSms('${await passbell.codeFor(to)}')`);
    await page.getByText('You are logged in as').waitFor();
    await browser.close();
  });

  it('does not show the protected page to anyone else', async () => {
    const to = freshPhone();
    const visitor = createVisitor(site.url);
    await visitor.open('/login');
    await visitor.submit({ to });
    await visitor.submit({ otp: await passbell.codeFor(to) });
    const token = visitor.cookies.get('session')!;

    const other = createVisitor(site.url);
    for (const session of ['', 'no-token', `${token.slice(0, -4)}AAAA`]) {
      other.cookies.set('session', session);
      expect((await other.open('/')).path).toBe('/login');
    }
    // A browser that did not request the code cannot use it.
    await visitor.open('/login');
    passbell.clock.advance(60_000);
    await visitor.submit({ to });
    await other.open('/login');
    await other.submit({ to: freshPhone() });
    expect((await other.submit({ otp: await passbell.codeFor(to) })).html).toContain('This code is wrong.');
  });

  it('shows when to try again, and explains an invalid recipient', async () => {
    const visitor = createVisitor(site.url);
    const to = freshPhone();
    await visitor.open('/login');
    await visitor.submit({ to });
    const other = createVisitor(site.url);
    await other.open('/login');
    const refused = await other.submit({ to });
    expect(refused.html).toContain('A code was already sent. You can send another one in 30 seconds.');
    expect(refused.html).toContain('name="to"');
    await visitor.open('/login');
    const { html } = await visitor.submit({ to: '"><script>alert(1)</script>' });
    expect(html).toContain('Enter a phone number with its country code, or an email address.');
    expect(html).not.toContain('<script>alert');
  });

  it('keeps the code form open if another code is requested too early', async () => {
    const visitor = createVisitor(site.url);
    const to = freshPhone();
    await visitor.open('/login');
    await visitor.submit({ to });
    // The form for another code contains the number.
    const [, number] = /name="to"[^>]* value="([^"]*)"/.exec((await visitor.open('/login')).html) ?? [];
    expect(number).toBe(to);
    const waiting = await visitor.submit({ to: number! });
    expect(waiting.html).toContain('A code was already sent. You can send another one in 30 seconds.');
    expect(waiting.html).toContain('name="otp"');
    expect((await visitor.submit({ otp: await passbell.codeFor(to) })).path).toBe('/');

    passbell.clock.advance(60_000);
    await visitor.open('/login');
    expect((await visitor.submit({ to: freshPhone() })).html).toContain('name="otp"');
  });

  it("passes the user's IP address to the fraud guard", async () => {
    const visitor = createVisitor(site.url);
    await visitor.open('/login');
    await visitor.submit({ to: freshPhone() });
    const { request } = forwarder.exchanges.filter(({ path }) => path.endsWith('/sendotp')).at(-1)!;
    expect(request.clientIp).toMatch(/^(::ffff:)?127\.0\.0\.1$|^::1$/);
  });

  it('reports that a code has expired', async () => {
    const visitor = createVisitor(site.url);
    const to = freshPhone();
    await visitor.open('/login');
    await visitor.submit({ to });
    const otp = await passbell.codeFor(to);
    passbell.clock.advance(300_000);
    expect((await visitor.submit({ otp })).html).toContain('This code has expired. Send another one.');
  });
});
