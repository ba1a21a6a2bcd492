/** The packages of the clients that the service offers. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listDownloads } from '../../backend/src/modules/docs/downloads.js';
import { signIn } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';

let passbell: TestService;
let folder: string;
beforeAll(async () => {
  passbell = await startService();
  folder = mkdtempSync(join(tmpdir(), 'passbell-downloads-'));
});
afterAll(async () => {
  await passbell.stop();
  rmSync(folder, { recursive: true, force: true });
});

const download = (name: string) => fetch(`${passbell.url}/downloads/${name}`);

it.each([
  ['n8n-nodes-passbell.tgz', /^n8n-nodes-passbell-\d+\.\d+\.\d+\.tgz$/, 'package/dist/nodes/Passbell/Passbell.node.js'],
  ['passbell.tgz', /^passbell-\d+\.\d+\.\d+\.tgz$/, 'package/dist/index.js'],
  ['passbell-node-red.tgz', /^passbell-node-red-\d+\.\d+\.\d+\.tgz$/, 'package/dist/passbell.html'],
  ['passbell-piece-passbell.tgz', /^passbell-piece-passbell-\d+\.\d+\.\d+\.tgz$/, 'package/src/index.js'],
  ['passbell-better-auth.tgz', /^passbell-better-auth-\d+\.\d+\.\d+\.tgz$/, 'package/dist/index.js'],
])('%s is served with and without its version', async (name, pattern, content) => {
  const response = await download(name);
  expect(response.status).toBe(200);
  const [, file] = /filename="?([^"]+)"?$/.exec(response.headers.get('content-disposition')!)!;
  expect(file).toMatch(pattern);
  const path = join(folder, file!);
  const bytes = Buffer.from(await response.arrayBuffer());
  writeFileSync(path, bytes);
  expect(spawnSync('tar', ['-tzf', path], { encoding: 'utf8' }).stdout.split('\n')).toContain(content);
  expect(Buffer.from(await (await download(file!)).arrayBuffer())).toEqual(bytes);
});

it('the Zapier app is a zip of its sources, without installed packages and local files', async () => {
  const response = await download('passbell-zapier-app.zip');
  const path = join(folder, 'app.zip');
  writeFileSync(path, Buffer.from(await response.arrayBuffer()));
  const script =
    'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall(sys.argv[2])';
  const { status, stderr } = spawnSync('python3', ['-c', script, path, folder], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  const files = readdirSync(join(folder, 'passbell-zapier-app'));
  expect(files).toEqual(expect.arrayContaining(['package.json', 'package-lock.json', 'src', 'tsconfig.json']));
  expect(files).not.toContain('node_modules');
});

const hasPip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;
(hasPip ? it : it.skip)('pip installs the Python client from its address', async () => {
  const file = listDownloads().get('passbell-py3-none-any.whl')!;
  const target = join(folder, 'python');
  const options = ['--no-index', '--disable-pip-version-check', '--no-cache-dir', '--target', target];
  const install = promisify(execFile)('python3', [
    '-m',
    'pip',
    'install',
    ...options,
    `${passbell.url}/downloads/${file}`,
  ]);
  expect((await install).stdout).toContain('Successfully installed passbell-');
  const program = 'import passbell, sys; assert passbell.__file__.startswith(sys.argv[1]); print(passbell.__version__)';
  const env = { PATH: process.env.PATH, PYTHONPATH: target };
  const { stdout } = spawnSync('python3', ['-c', program, target], { encoding: 'utf8', env });
  expect(file).toBe(`passbell-${stdout.trim()}-py3-none-any.whl`);
  // pip has checked the hashes of the files that it installed.
  const record = readFileSync(join(target, `passbell-${stdout.trim()}.dist-info/RECORD`), 'utf8');
  expect(record).toMatch(/^passbell\/client\.py,sha256=[\w-]{43},\d+$/m);
});

it('no other file is served', async () => {
  for (const name of ['', 'none.tgz', '.stamp', '..%2f..%2fpackage.json', 'passbell-9.9.9.tgz'])
    expect((await download(name)).status).toBe(404);
});

it('the Connect page offers the packages, and says that loopback addresses are reachable from this computer only', async () => {
  const owner = await signIn(passbell);
  const { html } = await owner.get(`/applications/${passbell.keys.appKey}/connect/n8n`);
  const [, link] = /href="(\/downloads\/n8n-nodes-passbell-[^"]+)"/.exec(html)!;
  expect((await fetch(passbell.url + link)).status).toBe(200);
  expect(html).toContain(`npm install --legacy-peer-deps ${passbell.url}/downloads/n8n-nodes-passbell.tgz`);
  expect(html).toContain('docker exec n8n');
  expect(html).toContain('Only programs on this computer can reach');
  const zapier = await owner.get(`/applications/${passbell.keys.appKey}/connect/zapier`);
  expect(zapier.html).toMatch(/href="\/downloads\/passbell-zapier-app-[^"]+\.zip"/);
  expect(zapier.html).toContain('zapier-platform push');
});
