/** The GitHub workflows: pinned actions, least rights, no injection, and commands that exist. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { INSTALLATIONS, notesOf } from '../../scripts/release.mjs';
import type { Body } from '../support/service.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, '.github/workflows');
const texts = readdirSync(folder).map((file): [string, string] => [file, readFileSync(join(folder, file), 'utf8')]);
const jobs = texts.flatMap(([file, text]) =>
  Object.entries(parse(text).jobs as Body).map(([name, job]): [string, Body] => [`${file} ${name}`, job as Body]),
);
const steps = jobs.flatMap(([name, job]) => job.steps.map((step: Body): [string, Body] => [name, step]));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Body;

it('there are workflows for tests, code scanning, dependencies and releases', () => {
  expect(texts.map(([file]) => file)).toEqual(['codeql.yml', 'dependencies.yml', 'release.yml', 'test.yml']);
});

it('security: every action is pinned by commit, with its version as a comment, and is the same everywhere', () => {
  const uses = texts.flatMap(([, text]) => [...text.matchAll(/uses: (.+)$/gm)].map(([, action]) => action!));
  for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const names = new Set(uses.map((action) => action.split('@')[0]));
  expect(new Set(uses).size).toBe(names.size);
});

it.each(texts)(
  'security: %s grants no rights to all jobs, and does not run with the secrets of a fork’s target',
  (_file, text) => {
    expect(parse(text).permissions).toEqual({});
    expect(text).not.toMatch(/pull_request_target|workflow_run/);
  },
);

it.each(jobs)('security: %s has rights of its own, a time limit and a fixed runner', (_name, job) => {
  expect(job.permissions).toBeDefined();
  expect(job['timeout-minutes']).toBeGreaterThan(0);
  expect(job['runs-on']).toBe('ubuntu-24.04');
});

it('security: only the jobs of a release may write', () => {
  const writers = jobs.filter(([, { permissions }]) => JSON.stringify(permissions).includes('write'));
  expect(writers.map(([name]) => name)).toEqual([
    'codeql.yml analyze',
    'release.yml image',
    'release.yml npm',
    'release.yml pypi',
    'release.yml github',
    'release.yml site',
  ]);
});

it('security: no step keeps the token of a checkout, and no expression is part of a shell line', () => {
  const checkouts = steps.filter(([, { uses }]) => uses?.startsWith('actions/checkout@'));
  for (const [, step] of checkouts) expect(step.with).toEqual({ 'persist-credentials': false });
  expect(steps.filter(([, { run }]) => run?.includes('${{'))).toEqual([]);
});

it('every npm script that a step runs exists', () => {
  const names = steps.flatMap(([, { run = '' }]) =>
    [...run.matchAll(/npm (?:run )?([a-z:]+)/g)].map(([, name]) => name),
  );
  const builtIn = ['audit', 'ci', 'publish'];
  expect(names.filter((name) => !(name! in scripts) && !builtIn.includes(name!))).toEqual([]);
});

it('tests run on each supported Node, MySQL, MariaDB, Redis and Valkey', () => {
  const engines = jobs.find(([name]) => name === 'test.yml engines')![1].strategy.matrix;
  expect([engines.node, engines.database]).toEqual([
    [24, 22, 20],
    ['mysql:8.4', 'mysql:9', 'mariadb:10.11', 'mariadb:11'],
  ]);
  expect(engines.include.map(({ database }: Body) => database)).toEqual(engines.database);
  expect(new Set(engines.include.map(({ store }: Body) => store))).toEqual(new Set(['redis:7', 'valkey/valkey:9']));
});

it('a release waits for the tests, and publishes packages after the image', () => {
  const needs = Object.fromEntries(
    jobs.filter(([name]) => name.startsWith('release.yml')).map(([name, job]) => [name, job.needs]),
  );
  expect(needs).toEqual({
    'release.yml check': undefined,
    'release.yml image': 'check',
    'release.yml npm': ['check', 'image'],
    'release.yml pypi': ['check', 'image'],
    'release.yml github': ['check', 'npm', 'pypi'],
    'release.yml site': ['check', 'github'],
  });
});

it('a release publishes all packages that the release script installs, except the Zapier app', () => {
  const [, names] = /for name in (.+); do/.exec(texts.find(([file]) => file === 'release.yml')![1])!;
  expect([...names!.split(' '), 'passbell-zapier-app']).toEqual(Object.keys(INSTALLATIONS));
});

it('npm run workflows runs the shell lines in a fresh clone, here those that check publisher and tag', () => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/workflows.mjs', '--only', 'Check that'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/\n2 passed, 0 failed; \d+ steps only run on GitHub\n$/)]);
});

it('the release notes are the section of the version in the changelog', () => {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(notesOf(changelog, version).text).toMatch(/^### /m);
  expect(notesOf('# C\n\n## 2.0.0 (2027-01-02)\n\nNew\n\n## 1.0.0 (2026-01-02)\n\nOld\n', '2.0.0')).toEqual({
    date: '2027-01-02',
    text: 'New',
  });
  expect(notesOf('## 2.0.0 (unreleased)\n\nNew\n', '2.0.0')).toEqual({ date: 'unreleased', text: 'New' });
  expect(() => notesOf('## 2.0.0\n', '2.0.0')).toThrow('has no section "## 2.0.0 (date)"');
  expect(() => notesOf('## 2.0.0 (soon)\n', '2.0.0')).toThrow('the section of 2.0.0 has no date');
});
