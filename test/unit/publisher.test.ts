/** publisher.json and the version: all files contain them, and `npm run publisher` replaces them and finds placeholders. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Body } from '../support/service.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGES = ['.', 'backend', 'widget', 'clients/node', 'clients/better-auth', 'n8n-nodes', 'zapier-app'];
const ANA = {
  name: 'Ana Silva',
  email: 'ana@shop.example',
  repository: 'https://github.com/ana/passbell',
  domain: 'passbell.shop.example',
  image: 'ghcr.io/ana/codes',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'passbell-publisher-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter((name) => name !== '' && !name.startsWith('backend/src')))
    cpSync(join(root, file), join(folder, dirname(file), file.split('/').at(-1)!), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const json = (file: string): Body => JSON.parse(read(file));
const publisher = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/publisher.mjs', ...args], { cwd: folder, encoding: 'utf8' });
const setVersion = (version: string) =>
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...json('package.json'), version }, null, 2));

it('all files contain the values of publisher.json and the version', () => {
  expect(publisher('--check')).toMatchObject({ status: 0, stderr: '' });
});

it('--check names a file that is out of date, and changes nothing', () => {
  const version = json('package.json').version as string;
  setVersion('9.8.7');
  const { status, stderr } = publisher('--check');
  expect([status, stderr]).toEqual([1, expect.stringContaining('clients/node/package.json is out of date.')]);
  expect(json('clients/node/package.json').version).toBe(version);
  setVersion(version);
});

it('finds the placeholders, which publishing does not allow', () => {
  if (!json('publisher.json').domain.endsWith('.passbell.example')) return;
  const { status, stderr } = publisher();
  expect(status).toBe(1);
  expect(stderr).toContain('clients/node/package.json: authors@passbell.example\n');
  expect(stderr).toContain('docker-compose.yml: registry.passbell.example/passbell\n');
});

it('rejects a malformed value', () => {
  const before = read('publisher.json');
  writeFileSync(join(folder, 'publisher.json'), JSON.stringify({ ...ANA, repository: 'github.com/ana/passbell' }));
  expect(publisher().stderr).toBe('publisher.json: "repository" is missing or malformed\n');
  writeFileSync(join(folder, 'publisher.json'), before);
});

it('writes another publisher and another version everywhere, and leaves no placeholder', () => {
  writeFileSync(join(folder, 'publisher.json'), JSON.stringify(ANA));
  setVersion('9.8.7');
  const { status, stdout, stderr } = publisher();
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('No placeholder is left.');
  expect(PACKAGES.map((name) => json(`${name}/package.json`).version)).toEqual(PACKAGES.map(() => '9.8.7'));
  expect(json('clients/node/package.json')).toMatchObject({
    homepage: 'https://github.com/ana/passbell/tree/main/clients/node',
    repository: { url: 'git+https://github.com/ana/passbell.git' },
    author: { name: 'Ana Silva', email: 'ana@shop.example' },
  });
  const project = read('clients/python/pyproject.toml');
  expect(project).toMatch(/^version = "9.8.7"$/m);
  expect(project).toContain('authors = [{ name = "Ana Silva", email = "ana@shop.example" }]');
  expect(read('clients/python/src/passbell/_version.py')).toBe('VERSION = "9.8.7"\n');
  expect(read('clients/python/README.md')).toContain('/downloads/passbell-9.8.7-py3-none-any.whl');
  expect(read('clients/node/src/version.ts')).toBe("export const VERSION = '9.8.7';\n");
  expect(json('clients/better-auth/package.json').peerDependencies.passbell).toBe('^9.8.7');
  expect(parse(read('docker-compose.yml'), { merge: true }).services.api.image).toBe(
    '${PASSBELL_IMAGE:-ghcr.io/ana/codes:9.8.7}',
  );
  expect(parse(read('deploy/kubernetes/base/kustomization.yaml')).images).toEqual([
    { name: 'passbell', newName: 'ghcr.io/ana/codes', newTag: '9.8.7' },
  ]);
  expect(parse(read('backend/openapi/openapi.yaml')).info.version).toBe('9.8.7');
  expect(read('SECURITY.md')).toContain(
    'https://github.com/ana/passbell/.github/workflows/release.yml@refs/tags/v9.8.7\n',
  );
  expect(read('SUPPORT.md')).toContain('Ana Silva (ana@shop.example)');
  expect(read('docs/upgrading.md')).toContain('git checkout v9.8.7\n');
  const unpublished = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(md|yml)$/.test(file) && /^[>#] \*\*Not published yet/m.test(read(file)),
  );
  expect(unpublished).toEqual([]);
  const lock = json('package-lock.json');
  expect(['', 'backend', 'widget'].map((name) => lock.packages[name].version)).toEqual(['9.8.7', '9.8.7', '9.8.7']);
});

it('does nothing the second time', () => {
  expect(publisher()).toMatchObject({ status: 0, stdout: 'No placeholder is left.\n' });
});
