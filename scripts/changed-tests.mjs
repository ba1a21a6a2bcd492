/** Finds the tests that a change can affect, for `npm test -- --changed`. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { readDurations } from './test-durations.mjs';

/** Time that all selected tests may need together. Three run at the same time, besides the static checks. */
const BUDGET_MS = 3 * 60_000;
/** Estimates for test files that have not run here yet. */
const USUAL_MS = 4000;
const SLOW_MS = 60_000;

/** Tests that take minutes. They run only if a changed file matches `changes`; CI always runs them. */
const SLOW_TESTS = [
  {
    tests: /^test\/(browser|docs)\//,
    changes: /^(widget|backend\/(assets|src\/dashboard)|test\/(browser|docs)|docs|README)/,
  },
  { tests: /^test\/(faults|scaled)\//, changes: /^(backend\/src\/(platform|modules\/messages)|test\/(faults|scaled))/ },
  { tests: /^test\/clients\//, changes: /^(n8n-nodes|zapier-app|clients|test\/clients|backend\/openapi)/ },
  { tests: /^test\/(security\/hostile|cli\/process)/, changes: /^test\/(security|cli)|^backend\/src\/(cli|platform)/ },
];

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

/** Returns the commit to compare with: the merge base with main, or the previous commit if HEAD is on main. */
function baseCommit() {
  const [head] = git('rev-parse', 'HEAD');
  const mains = git('for-each-ref', '--format=%(objectname)', 'refs/remotes/origin/main', 'refs/heads/main');
  // Git sorts refs by name, so origin/main is last if it exists.
  const main = mains.at(-1);
  const [base] = git('merge-base', 'HEAD', main ?? 'HEAD');
  const uncommitted = git('status', '--porcelain').length > 0;
  return base === head && !uncommitted ? 'HEAD~1' : base;
}

/** Returns the files that were changed, added or deleted since the base commit, including uncommitted changes. */
export function changedFiles() {
  const base = baseCommit();
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
}

/** Returns the paths of the tests that depend on these files, except slow tests for other areas. */
export function affectedTests(files, jest) {
  const found = execFileSync(
    process.execPath,
    [
      jest,
      '--selectProjects',
      'embedded',
      '--listTests',
      '--json',
      '--findRelatedTests',
      ...files.map((file) => join(root, file)),
    ],
    { cwd: root, encoding: 'utf8' },
  );
  const related = JSON.parse(found).map((path) => path.slice(root.length));
  const isUnrelatedSlowTest = (test) =>
    SLOW_TESTS.some(({ tests, changes }) => tests.test(test) && !files.some((file) => changes.test(file)));
  return related.filter((test) => !isUnrelatedSlowTest(test));
}

/**
 * Returns the tests that fit into the time budget: tests that were changed, then tests that import a changed file, then
 * tests with the name of its module, then all others. Of each group, the shortest tests come first, so that as many as
 * possible run.
 */
export function nearestTests(tests, files) {
  const durations = readDurations();
  const estimate = (test) => (SLOW_TESTS.some(({ tests }) => tests.test(test)) ? SLOW_MS : USUAL_MS);
  const durationOf = (test) => durations[`embedded ${test}`] ?? estimate(test);
  const imports = files.map((file) => `/${file.replace(/\.tsx?$/, '.js')}'`);
  const modules = files.flatMap((file) => /modules\/([a-z-]+?)s?\//.exec(file)?.[1] ?? []);
  function rank(test) {
    if (files.includes(test)) return 0;
    const text = existsSync(join(root, test)) ? readFileSync(join(root, test), 'utf8') : '';
    if (imports.some((path) => text.includes(path))) return 1;
    return modules.some((name) => test.includes(name)) ? 2 : 3;
  }
  const sorted = tests
    .map((test) => ({ test, rank: rank(test), duration: durationOf(test) }))
    .sort((a, b) => a.rank - b.rank || a.duration - b.duration);
  let left = BUDGET_MS;
  const selected = [];
  for (const { test, rank, duration } of sorted) {
    if (rank > 0 && duration > left) continue;
    left -= duration;
    selected.push(test);
  }
  return selected;
}
