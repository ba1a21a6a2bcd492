/**
 * The layers of the backend: files import values and types only from their own layer and lower layers, as described in
 * CONTRIBUTING.md.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const src = fileURLToPath(new URL('../../backend/src', import.meta.url));

interface Import {
  /** The importing file, relative to backend/src. */
  readonly from: string;
  /** A package, or a file relative to backend/src. */
  readonly to: string;
  /** `dynamic`: an `import()` expression, which loads the file only when it runs. */
  readonly kind: 'value' | 'type' | 'dynamic';
}

/** The layers from top to bottom. A file may import from its own layer and the layers below. */
const LAYERS = [
  /^(main\.ts$|cli\/)/,
  /^server\.ts$/,
  /^dashboard\//,
  /^core\.ts$/,
  /^modules\//,
  /^providers\//,
  /^platform\//,
];
const layerIndexOf = (file: string): number => LAYERS.findIndex((layer) => layer.test(file));

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

const sourceOf = (path: string): string =>
  ['.ts', '.tsx'].map((ending) => path.replace(/\.js$/, ending)).find((file) => existsSync(join(src, file))) ?? path;

function findImports(from: string, text: string): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?([^;]*?)\s*from\s+'([^']+)';/gm);
  const dynamic = text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g);
  const named = [
    ...[...statements].map(([, type, names, to]) => ({
      to: to!,
      kind: type !== undefined || isTypeList(names!) ? ('type' as const) : ('value' as const),
    })),
    ...[...dynamic].map(([, to]) => ({ to: to!, kind: 'dynamic' as const })),
  ];
  return named.map(({ to, kind }) => ({
    from,
    to: to.startsWith('.') ? sourceOf(relative(src, resolve(src, dirname(from), to))) : to,
    kind,
  }));
}

/** Returns whether an import has only inline type names, as in `{ type A, type B }`. */
const isTypeList = (names: string): boolean =>
  /^\{[^}]*\}$/.test(names) && names.split(',').every((name) => /^[\s{]*(type\s|\}?\s*$)/.test(name));

const imports = files.flatMap((from) => findImports(from, readFileSync(join(src, from), 'utf8')));

const describeImport = ({ from, to }: Import) => `${from} imports ${to}`;
const moduleOf = (file: string) => file.match(/^modules\/([^/]+)\//)?.[1];

const findUpwardImports = (all: readonly Import[]) =>
  all.filter(({ from, to }) => layerIndexOf(to) !== -1 && layerIndexOf(to) < layerIndexOf(from));

/** Returns the packages that are loaded with a file, without Node's own modules. */
function packagesLoadedWith(file: string): string[] {
  const loaded = new Set([file]);
  for (const name of loaded)
    for (const { to } of imports.filter(({ from, kind }) => from === name && kind === 'value')) loaded.add(to);
  return [...loaded].filter((name) => !/^node:|\.tsx?$/.test(name));
}

/** Returns the cycles in a graph of names, each as `a → b → a`. */
function findCycles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (name: string, path: string[]) => {
    if (path.includes(name)) cycles.push([...path.slice(path.indexOf(name)), name].join(' → '));
    if (path.includes(name) || done.has(name)) return;
    for (const next of graph.get(name) ?? []) visit(next, [...path, name]);
    done.add(name);
  };
  for (const name of graph.keys()) visit(name, []);
  return cycles;
}

function moduleGraph(all: readonly Import[]): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of all) {
    const a = moduleOf(from);
    const b = moduleOf(to);
    if (a === undefined || b === undefined || a === b) continue;
    graph.set(a, (graph.get(a) ?? new Set()).add(b));
  }
  return graph;
}

it("the test finds the backend's imports", () => {
  expect(imports.length).toBeGreaterThan(500);
  expect(imports.map(describeImport)).toContain('modules/otp/send-service.ts imports modules/otp/otp-store.ts');
  expect(files.filter((file) => layerIndexOf(file) === -1)).toEqual([]);
});

it('backend/src has at most eight entries at its root', () => {
  expect(readdirSync(src).length).toBeLessThanOrEqual(8);
});

it('no file imports a value or a type from a higher layer', () => {
  expect(findUpwardImports(imports).map(describeImport)).toEqual([]);
});

it('the test finds an import from a higher layer', () => {
  const added = findImports(
    'platform/clock.ts',
    `import type { Application } from '../modules/applications/application.js';`,
  );
  expect(findUpwardImports(added).map(describeImport)).toEqual([
    'platform/clock.ts imports modules/applications/application.ts',
  ]);
});

it('modules have no import cycles, including type imports', () => {
  expect(findCycles(moduleGraph(imports))).toEqual([]);
});

it('the test finds an import cycle between modules', () => {
  const added = findImports('modules/webhooks/event.ts', `import type { Message } from '../messages/message.js';`);
  expect(findCycles(moduleGraph([...imports, ...added]))).not.toEqual([]);
});

it('files have no import cycles', () => {
  const graph = files.map((file) => {
    const targets = imports.filter(({ from, kind }) => from === file && kind === 'value').map(({ to }) => to);
    return [file, new Set(targets)] as const;
  });
  expect(findCycles(new Map(graph))).toEqual([]);
});

it('each page names the modules that it uses: only the list of pages and the routes know the whole core', () => {
  const users = imports.filter(({ from, to }) => to === 'core.ts' && from.startsWith('dashboard/'));
  const known = ['dashboard/dashboard-routes.ts', 'dashboard/modules.ts', 'dashboard/pages.ts'];
  expect(users.map(({ from }) => from).sort()).toEqual(known);
  const pages = files.filter((file) => /^dashboard\/.*-pages\.tsx?$/.test(file));
  const unlimited = pages.filter((file) => /Modules<keyof|Modules<string/.test(readFileSync(join(src, file), 'utf8')));
  expect(unlimited).toEqual([]);
});

it('the platform knows neither the clients nor the documentation', () => {
  const platform = files.filter((file) => file.startsWith('platform/') && !file.includes('/generated/'));
  const names = /n8n|zapier|better-auth|flask|shopify|woocommerce|swagger/i;
  expect(platform.filter((file) => names.test(readFileSync(join(src, file), 'utf8')))).toEqual([]);
});

it('only files that handle HTTP import Express', () => {
  const allowed =
    /-routes\.ts$|^(dashboard|platform)\/http\/|^server\.ts$|^dashboard\/error-pages\.tsx$|\/(authentication|widget-access)\.ts$/;
  expect(imports.filter(({ from, to }) => to === 'express' && !allowed.test(from)).map(describeImport)).toEqual([]);
});

it('only the HTTP client and the client of the Twilio SDK send HTTP requests', () => {
  const allowed = ['platform/http/exchange.ts', 'platform/http/listen.ts', 'providers/twilio-http.ts'];
  const http = imports.filter(
    ({ from, to, kind }) => /^(node:https?|undici)$/.test(to) && kind !== 'type' && !allowed.includes(from),
  );
  expect(http.map(describeImport)).toEqual([]);
});

it('only the server loads routes, so that the operator command does not load Express', () => {
  const routes = imports.filter(({ from, to }) => /-routes\.ts$/.test(to) && from !== 'server.ts');
  expect(routes.map(describeImport)).toEqual([]);
});

it('only stores and platform/db contain SQL', () => {
  const allowed = /-store\.ts$|^platform\/(db|rate-limit)\//;
  const sql = imports.filter(({ to, kind }) => to === 'knex' && kind !== 'type');
  expect(sql.filter(({ from }) => !allowed.test(from)).map(describeImport)).toEqual([]);
});

it('a store and its types are imported only inside their module', () => {
  const foreign = imports.filter(
    ({ from, to }) => /^modules\/.*-store\.ts$/.test(to) && moduleOf(from) !== moduleOf(to),
  );
  expect(foreign.map(describeImport)).toEqual([]);
});

it('modules import only pure files, services and index files of other modules', () => {
  const foreign = imports.filter(
    ({ from, to, kind }) =>
      kind !== 'type' &&
      moduleOf(from) !== undefined &&
      moduleOf(to) !== undefined &&
      moduleOf(from) !== moduleOf(to) &&
      /-(service|routes|store)\.ts$/.test(to),
  );
  expect(foreign.map(describeImport)).toEqual([]);
});

/** Returns the files and packages that are loaded when a file is imported. */
function loadedBy(entry: string): { files: Set<string>; packages: Set<string>; lines: number } {
  const loaded = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string) => {
    if (layerIndexOf(file) === -1) return void packages.add(file);
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const { to } of imports.filter(({ from, kind }) => from === file && kind === 'value')) visit(to);
  };
  visit(entry);
  const lines = [...loaded].map((file) => readFileSync(join(src, file), 'utf8').split('\n').length - 1);
  return { files: loaded, packages, lines: lines.reduce((sum, n) => sum + n, 0) };
}

it.each(['modules/otp/send-service.ts', 'modules/otp/verify-service.ts'])('%s loads at most 30 files', (entry) => {
  const { files: loaded, lines } = loadedBy(entry);
  expect(loaded.size).toBeLessThanOrEqual(30);
  expect(lines).toBeLessThanOrEqual(2700);
});

it('the operator command does not load a web server, pages, GeoIP or Bull', () => {
  const { files: loaded, packages } = loadedBy('cli/passbell.ts');
  expect([...packages].filter((name) => /^(express|preact|maxmind|bull)/.test(name))).toEqual([]);
  expect([...loaded].filter((file) => /^dashboard\/|-routes\.ts$/.test(file))).toEqual([]);
});

it("the operator command's help loads no package but commander, so that it is fast", () => {
  expect(packagesLoadedWith('cli/passbell.ts')).toEqual(['commander']);
});

it('a server loads packages that it may never need only when it needs them', () => {
  const packages = packagesLoadedWith('main.ts');
  expect(packages).toContain('knex');
  const late = ['@modelcontextprotocol/server', 'altcha-lib', 'bull', 'ioredis', 'nodemailer', 'qrcode'];
  const ofPages = ['d3-shape', 'diff', 'highlight.js', 'marked', 'minisearch', 'preact'];
  expect(packages.filter((name) => [...late, ...ofPages].includes(name))).toEqual([]);
});
