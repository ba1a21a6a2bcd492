/**
 * `npm test`: static checks and all tests. `npm test -- test/api`: only the matching tests. `npm test -- --changed`:
 * only the checks and tests that the changed files affect.
 */
import { execFile, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { affectedTests, changedFiles, nearestTests } from './changed-tests.mjs';
import { installClient, prepare, root } from './prepare.mjs';

/** Time limit of a step. A step that takes longer is considered stuck. */
const STEP_MS = 80 * 60_000;
/** Maximum output size of a check. */
const OUTPUT_BYTES = 64 * 2 ** 20;

const bin = (name) => join(root, 'node_modules/.bin', name);

/** Runs a command, prints its output, and returns whether it passed. */
function check(title, command, args) {
  return new Promise((resolve) => {
    execFile(command, args, { cwd: root, timeout: STEP_MS, maxBuffer: OUTPUT_BYTES }, (error, stdout, stderr) => {
      console.log(`\n— ${title}`);
      process.stdout.write(stdout);
      process.stderr.write(stderr);
      // A command that timed out, was killed or is missing has printed no error.
      if (error && typeof error.code !== 'number') console.error(error.message);
      resolve(!error);
    });
  });
}

const jestEnvironment = {
  ...process.env,
  // Seed for generated test data.
  TEST_SEED: process.env.TEST_SEED ?? String(randomInt(2 ** 31)),
  // Lets worker processes load TypeScript files.
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import tsx`.trim(),
};

function jest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'passbell-results-'));
  const resultsFile = join(folder, 'results.json');
  const { version } = process;
  console.log(`\n— tests, on Node ${version}; TEST_SEED=${jestEnvironment.TEST_SEED} repeats them with the same data`);
  const { status } = spawnSync(bin('jest'), args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: STEP_MS,
    env: { ...jestEnvironment, TEST_RESULTS_FILE: resultsFile },
  });
  try {
    // The reporter writes no results if no test file matches, or if Jest was killed.
    const results = existsSync(resultsFile)
      ? JSON.parse(readFileSync(resultsFile, 'utf8'))
      : { failed: status === 0 ? 0 : 1 };
    return { ...results, success: status === 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the cache path of a check, which skips files that have not changed since its last run. */
const cache = (name) => join(root, '.cache', name);

/** Runs the checks in parallel, because each uses one thread. */
async function staticChecks(files = ['.']) {
  const passed = await Promise.all([
    check('format', bin('prettier'), [
      '--check',
      '--log-level=warn',
      '--ignore-unknown',
      '--cache',
      '--cache-strategy=content',
      `--cache-location=${cache('prettier')}`,
      ...files,
    ]),
    check('lint', bin('eslint'), [
      '--config',
      'eslint.config.mjs',
      '--no-warn-ignored',
      '--no-error-on-unmatched-pattern',
      '--cache',
      '--cache-strategy=content',
      `--cache-location=${cache('eslint')}`,
      ...files,
    ]),
    check('types', bin('tsc'), ['-p', '.', '--incremental', '--tsBuildInfoFile', cache('types.tsbuildinfo')]),
    // With the types of the oldest supported Node.
    check('types of the service', bin('tsc'), [
      '-p',
      'backend',
      '--incremental',
      '--tsBuildInfoFile',
      cache('service-types.tsbuildinfo'),
    ]),
    check('types of zapier-app', bin('tsc'), ['-p', 'zapier-app', '--noEmit']),
    check('types of clients/node', bin('tsc'), ['-p', 'clients/node']),
    check('types of the widget', bin('tsc'), ['-p', 'widget']),
    check('generated files', bin('tsx'), ['backend/scripts/generate.ts', '--check']),
  ]);
  return passed.every(Boolean);
}

/** Runs the static checks and all tests, or only the given test files. */
async function runAll(args) {
  return args.length > 0 || (await staticChecks()) ? jest(args) : undefined;
}

/** Checks the changed files, and runs the tests that they can affect. */
async function runChanged() {
  const files = changedFiles();
  console.log(`Changed files:\n${files.map((file) => `  ${file}`).join('\n')}`);
  const affected = affectedTests(files, bin('jest'));
  const tests = nearestTests(affected, files);
  const existing = files.filter((file) => existsSync(join(root, file)));
  if (!(await staticChecks(existing))) return undefined;
  const selected = tests.length < affected.length ? `; the nearest ${tests.length} run now, for about a minute` : '';
  console.log(`\n${affected.length} test files depend on these changes${selected}.`);
  console.log('Only embedded tests are among them. Before you publish the changes, run all tests: npm test');
  return jest(['--selectProjects', 'embedded', '--passWithNoTests', '--runTestsByPath', ...tests]);
}

prepare('everything');
installClient('zapier-app');
const args = process.argv.slice(2);
const results = args.includes('--changed') ? await runChanged() : await runAll(args);
if (!results) console.error('\nThe checks above failed, so no test was run.');

const { passed = 0, failed = 1, skipped = [] } = results ?? {};
for (const name of skipped) console.log(`skipped: ${name}`);
console.log(`\n${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
process.exitCode = failed === 0 && results?.success ? 0 : 1;
