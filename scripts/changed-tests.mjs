/** Finds the tests that a change can affect, for `npm test -- --changed`. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './prepare.mjs';

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

/**
 * Returns the paths of the tests that depend on these files. Slow tests are included only if a file matches their
 * `changes`.
 */
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
