/** The package as it would be published: n8n's own checks, its files, and its descriptions in n8n. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../support/process.js';
import { ERRORS } from '../../../backend/src/platform/contract/generated/errors.js';
import { TEMPLATES, VARIABLES } from '../../../backend/src/platform/contract/generated/templates.js';
import type { Body } from '../../support/service.js';
import { sharedEngine, type Engine } from './engine.js';

const built = join(root, '.cache/n8n/n8n-nodes');
/** Omits jest's NODE_ENV, which changes n8n's lint rules. */
const env = { PATH: process.env.PATH, HOME: process.env.HOME };
const run = (command: string, args: string[]) =>
  spawnSync(command, args, { cwd: built, encoding: 'utf8', timeout: 300_000, env });

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'passbell-pack-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('passes `n8n-node lint` in strict mode without errors or warnings', () => {
  expect(JSON.parse(readFileSync(join(built, 'package.json'), 'utf8')).n8n.strict).toBe(true);
  const { status, stdout, stderr } = run('npm', ['run', 'lint']);
  expect(`${stdout}${stderr.replaceAll(/^npm warn.*$/gm, '')}`).not.toMatch(/\b(error|warning|problem|violation)/i);
  expect(status).toBe(0);
});

it('passes the scanner for verified packages without errors or warnings, both as source and packed', () => {
  const { stdout } = run('npm', ['pack', '--json', '--pack-destination', folder]);
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  expect(run('tar', ['-xzf', join(folder, filename), '-C', folder]).status).toBe(0);
  const {
    status,
    stderr,
    stdout: verdict,
  } = run(process.execPath, [join(root, 'test/clients/n8n/scan.mjs'), join(folder, 'package')]);
  expect(stderr).toBe('');
  expect(JSON.parse(verdict)).toEqual({ source: [], packed: [] });
  expect(status).toBe(0);
});

it("is built without n8n's tools by `npm run pack:n8n`, with the same files", () => {
  const { stdout, stderr } = spawnSync('npm', ['run', '--silent', 'pack:n8n'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 300_000,
    env,
  });
  const packed = join(folder, 'packed');
  mkdirSync(packed);
  expect(run('tar', ['-xzf', stdout.trim(), '-C', packed, '--strip-components=1']).status).toBe(0);
  const manifest = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
  // Without a publisher, the docs links that n8n shows are dead.
  expect(stderr.includes('documentation links')).toBe(manifest.homepage.includes('passbell.example'));
  expect(manifest.version).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
  const files = readdirSync(join(packed, 'dist'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(packed, 'dist', name)).isFile(),
  );
  expect(files.length).toBeGreaterThan(25);
  for (const file of files) {
    const text = readFileSync(join(packed, 'dist', file), 'utf8');
    // n8n's tools format JSON differently.
    const content = (source: string): unknown => (file.endsWith('.json') ? JSON.parse(source) : source);
    expect([file, content(text)]).toEqual([file, content(readFileSync(join(built, 'dist', file), 'utf8'))]);
  }
});

it('contains only the files that n8n loads, the icons, the README and the license', () => {
  const { stdout } = run('npm', ['pack', '--dry-run', '--json']);
  const [{ files, size }] = JSON.parse(stdout) as [{ files: { path: string }[]; size: number }];
  const paths = files.map(({ path }) => path);
  const { nodes, credentials } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8')).n8n;
  expect(paths).toEqual(
    expect.arrayContaining([
      ...nodes,
      ...credentials,
      'LICENSE',
      'README.md',
      'dist/icons/passbell.svg',
      'dist/icons/passbell.dark.svg',
    ]),
  );
  const expected =
    /^(LICENSE|README\.md|package\.json|dist\/icons\/[a-z.]+\.svg|dist\/(nodes|credentials)\/[\w/.-]+\.(js|node\.json))$/;
  expect(paths.filter((path) => !expected.test(path))).toEqual([]);
  expect(size).toBeLessThan(60_000);
});

it('the README and the reference show all images, and each is under 150 KB', () => {
  const imagesOf = (file: string, image: RegExp) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(image)].map(([, path]) => path!);
  const shown = [
    ...imagesOf('n8n-nodes/README.md', /!\[[^\]]{20,}\]\((docs\/[a-z-]+\.png)\)/g),
    ...imagesOf('docs/n8n-reference.md', /!\[[^\]]{20,}\]\(\.\.\/n8n-nodes\/(docs\/[a-z-]+\.png)\)/g),
  ];
  expect(shown).toEqual(expect.arrayContaining(['docs/credential.png']));
  expect(readdirSync(join(root, 'n8n-nodes/docs')).map((name) => `docs/${name}`)).toEqual([...shown].sort());
  for (const path of shown) expect(statSync(join(root, 'n8n-nodes', path)).size).toBeLessThan(150_000);
});

it('uses the homepage as the only documentation URL', () => {
  const manifest = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
  const files = readdirSync(join(built, 'dist'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(credentials\.js|node\.json)$/.test(name),
  );
  expect(files).toHaveLength(3);
  for (const file of files) {
    const addresses = readFileSync(join(built, 'dist', file), 'utf8').match(/https:\/\/[^'"\s]+#?[a-z]*/g)!;
    const ours = addresses.filter((address) => !address.startsWith('https://otp.example.com'));
    expect(ours.length).toBeGreaterThan(0);
    for (const address of ours) expect(address.split('#')[0]).toBe(manifest.homepage);
  }
});

it('has no dependencies, and imports no files from outside its folder', () => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
  expect(dependencies).toBeUndefined();
  expect(peerDependencies).toEqual({ 'n8n-workflow': '*' });
  const sources = readdirSync(join(root, 'n8n-nodes'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  expect(sources.length).toBeGreaterThan(10);
  for (const name of sources) {
    const imports = [...readFileSync(join(root, 'n8n-nodes', name), 'utf8').matchAll(/from '([^']+)'/g)];
    const up = '../'.repeat(name.split('/').length);
    for (const [, from] of imports)
      expect(from!.startsWith('.') ? !from!.startsWith(up) : ['n8n-workflow', 'node:crypto'].includes(from!)).toBe(
        true,
      );
  }
});

describe('the node description', () => {
  let engine: Engine;
  let node: Body;
  beforeAll(async () => {
    engine = await sharedEngine();
    node = await engine.describe('passbell');
  });

  const fields = (operation: string): Body[] =>
    node.properties.filter(({ displayOptions }: Body) => displayOptions?.show?.operation?.includes(operation));
  const OPERATION: Record<string, string> = { order: 'sendOrder', invoice: 'sendInvoice' };

  it('has a subtitle for every operation', () => {
    const operations = node.properties.filter(({ name }: Body) => name === 'operation');
    const values = operations.flatMap(({ options }: Body) => options.map(({ value }: Body) => value));
    expect(values).toHaveLength(11);
    for (const value of values) expect(node.subtitle).toContain(`${value}: "`);
  });

  it('lists every template in the contract by its label', () => {
    for (const kind of ['order', 'invoice']) {
      const shown = fields(OPERATION[kind]!).find(({ name }) => name === 'templateType')!.options;
      const expected = Object.entries(TEMPLATES).filter(([, template]) => template.kind === kind);
      expect(Object.fromEntries(shown.map(({ value, name }: Body) => [value, name]))).toEqual(
        Object.fromEntries(expected.map(([name, { label }]) => [name, label])),
      );
    }
  });

  it.each(Object.entries(TEMPLATES))('has a labeled field for each variable of %s', (name, template) => {
    const { kind, required, oneOf, optional } = template as Body;
    const properties = node.properties.filter(({ type }: Body) => type !== 'notice');
    const shown = properties.filter(({ displayOptions: { show, hide } = {} as Body }: Body) =>
      hide
        ? hide.operation[0]._cnd.not === OPERATION[kind] && !hide.templateType.includes(name)
        : show?.operation?.includes(OPERATION[kind]) && show.templateType?.includes(name),
    );
    const collection = fields(OPERATION[kind]!).find(({ name: field }) => field === 'moreVariables')!;
    const more = collection.options.filter(({ displayOptions }: Body) =>
      displayOptions.show['/templateType'].includes(name),
    );
    const notice = node.properties.find((field: Body) => field.name === `text_${name}`);
    expect(notice.displayName).toContain('My Shop: ');
    expect(notice.displayOptions.show).toMatchObject({ operation: [OPERATION[kind]], templateType: [name] });
    const names = (list: Body[]) => list.map((field) => field.name).sort();
    expect(names(shown.filter((field: Body) => field.required))).toEqual([...required].sort());
    expect(names(shown.filter((field: Body) => !field.required))).toEqual([...oneOf].sort());
    expect(names(more)).toEqual([...optional].sort());
    // Required fields come first.
    expect(shown.map((field: Body) => Boolean(field.required))).toEqual([
      ...required.map(() => true),
      ...oneOf.map(() => false),
    ]);
    for (const field of [...shown, ...more])
      expect(field).toMatchObject({
        displayName: (VARIABLES as Body)[field.name].label,
        description: expect.stringContaining((VARIABLES as Body)[field.name].help),
        placeholder: (VARIABLES as Body)[field.name].sample,
      });
  });

  it('can be used as an agent tool, and describes every field for the model', () => {
    expect(node.usableAsTool).toBe(true);
    for (const { type, description, name, options = [] } of node.properties) {
      if (type === 'collection' || name === 'resource' || name === 'operation')
        for (const option of type === 'collection' ? options : [])
          expect(option.description.length).toBeGreaterThan(10);
      else if (type !== 'notice') expect(description.length).toBeGreaterThan(10);
    }
  });

  it('has advice for every error code of its operations', () => {
    const shared = join(root, 'n8n-nodes/nodes/shared');
    const files = ['failure.ts', 'generated/connectors.ts'];
    const source = files.map((file) => readFileSync(join(shared, file), 'utf8')).join('\n');
    // Error codes of the widget and of the management API, and error codes that only a broken client can cause.
    const others = /TWO_FACTOR|WIDGET|USER_TOKEN|PROOF|ENROLMENT|MALFORMED|HEADERS_TOO_LARGE|FORBIDDEN|EDIT_CONFLICT/;
    const unknown = Object.keys(ERRORS).filter((code) => !others.test(code) && !source.includes(`  ${code}:`));
    // Their advice depends on the request, so the node shows the server's hint.
    expect(unknown).toEqual([
      'INVALID_RECIPIENT',
      'NUMBER_NOT_ALLOWED',
      'CHANNEL_NOT_CONFIGURED',
      'UNKNOWN_TEMPLATE',
      'NOTIFICATION_LIMIT',
      'FRAUD_SUSPECTED',
    ]);
  });
});
