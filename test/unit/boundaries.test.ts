/** The rules of CONTRIBUTING.md on who may import what. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const src = fileURLToPath(new URL('../../backend/src', import.meta.url));

interface Import {
  /** File that imports, relative to backend/src. */
  readonly from: string;
  /** Package, or file relative to backend/src. */
  readonly to: string;
  readonly typeOnly: boolean;
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

/** The source of what an import calls `.js`. */
const sourceOf = (path: string): string =>
  ['.ts', '.tsx'].map((ending) => path.replace(/\.js$/, ending)).find((file) => existsSync(join(src, file))) ?? path;

const imports: Import[] = files.flatMap((from) => {
  const text = readFileSync(join(src, from), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s+(type\s)?[^;]*?from\s+'([^']+)';/gm)].map(([, type, target]) => ({
    from,
    to: target!.startsWith('.') ? sourceOf(relative(src, resolve(src, dirname(from), target!))) : target!,
    typeOnly: type !== undefined,
  }));
});

const show = ({ from, to }: Import) => `${from} imports ${to}`;
const moduleOf = (file: string) => file.match(/^modules\/([^/]+)\//)?.[1];

it('finds the imports it is about to judge', () => {
  expect(imports.length).toBeGreaterThan(100);
  expect(imports.map(show)).toContain('modules/otp/send-service.ts imports modules/otp/otp-store.ts');
});

it('lets only routes, http/ and the entry files touch Express', () => {
  const allowed = /(-routes\.ts$)|^(dashboard\/)?http\/|^(app|compose(-\w+)?|server)\.ts$/;
  expect(imports.filter(({ from, to }) => to === 'express' && !allowed.test(from)).map(show)).toEqual([]);
});

it('lets only stores and db/ run SQL', () => {
  const allowed = /-store\.ts$|^db\//;
  const sql = imports.filter(({ to, typeOnly }) => to === 'knex' && !typeOnly);
  const database = imports.filter(({ to, typeOnly }) => to === 'db/database.ts' && !typeOnly);
  const others = [...sql, ...database].filter(
    ({ from }) => !allowed.test(from) && !/^(compose(-\w+)?|backing)\.ts$/.test(from),
  );
  expect(others.map(show)).toEqual([]);
});

it('lets no module read the store of another', () => {
  const foreign = imports.filter(
    ({ from, to, typeOnly }) =>
      to.endsWith('-store.ts') &&
      !typeOnly &&
      moduleOf(to) &&
      moduleOf(from) !== moduleOf(to) &&
      !/^(compose(-\w+)?|backing)\.ts$/.test(from),
  );
  expect(foreign.map(show)).toEqual([]);
});

it('lets only compose read services and stores together, and nothing import compose but the entries', () => {
  const wrong = imports.filter(({ from, to }) => to === 'compose.ts' && !/^main\.ts$|^cli\//.test(from));
  expect(wrong.map(show)).toEqual([]);
});

it('keeps channels and templates free of modules, db and http', () => {
  const inner = /^(modules|db|http|queue|ratelimit)\//;
  const wrong = imports.filter(({ from, to }) => /^(channels|templates)\//.test(from) && inner.test(to));
  expect(wrong.map(show)).toEqual([]);
});

it('makes the dashboard a client of the services', () => {
  const foreign = imports.filter(
    ({ from, to, typeOnly }) => from.startsWith('dashboard/') && /-store\.ts$|^db\/database\.ts$/.test(to) && !typeOnly,
  );
  expect(foreign.map(show)).toEqual([]);
});

it('has no import cycles', () => {
  const graph = new Map(
    files.map((file) => [file, imports.filter((i) => i.from === file && !i.typeOnly).map((i) => i.to)]),
  );
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (path.includes(file) || done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(cycles).toEqual([]);
});
