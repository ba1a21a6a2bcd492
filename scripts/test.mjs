/** `npm test`: static checks and all tests. With arguments, such as `npm test -- test/api`: only jest, with them. */
import { execFile, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** Runs jest, and returns the counts and the names of skipped tests. */
function jest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'passbell-results-'));
  const resultsFile = join(folder, 'results.json');
  const { version } = process;
  console.log(`\n— tests, on Node ${version}; TEST_SEED=${jestEnvironment.TEST_SEED} repeats them with the same data`);
  const { status } = spawnSync(bin('jest'), ['--json', `--outputFile=${resultsFile}`, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: STEP_MS,
    env: jestEnvironment,
  });
  const success = status === 0;
  try {
    // Jest writes no results if no test file matches, or if it was killed.
    if (!existsSync(resultsFile)) return { success, passed: 0, failed: success ? 0 : 1, skipped: [] };
    const results = JSON.parse(readFileSync(resultsFile, 'utf8'));
    const tests = results.testResults.flatMap((file) => file.assertionResults);
    return {
      success,
      passed: results.numPassedTests,
      // A suite that fails to load has no tests, but counts as a failure.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: tests.filter(({ status }) => status === 'pending').map(({ fullName }) => fullName),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the cache path of a check, which skips files that have not changed since its last run. */
const cache = (name) => join(root, '.cache', name);

/** Runs the checks in parallel, because each uses one thread. */
async function staticChecks() {
  const passed = await Promise.all([
    check('format', bin('prettier'), [
      '--check',
      '--log-level=warn',
      '--cache',
      '--cache-strategy=content',
      `--cache-location=${cache('prettier')}`,
      '.',
    ]),
    check('lint', bin('eslint'), [
      '--config',
      'eslint.config.mjs',
      '--cache',
      '--cache-strategy=content',
      `--cache-location=${cache('eslint')}`,
      '.',
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
    check('types of clients/node-red', bin('tsc'), ['-p', 'clients/node-red', '--noEmit']),
    check('types of clients/activepieces', bin('tsc'), ['-p', 'clients/activepieces', '--noEmit']),
    check('types of the widget', bin('tsc'), ['-p', 'widget']),
    check('generated files', bin('tsx'), ['backend/scripts/generate.ts', '--check']),
  ]);
  return passed.every(Boolean);
}

prepare('everything');
installClient('zapier-app');
installClient('clients/activepieces');
const args = process.argv.slice(2);
const areChecksPassed = args.length > 0 || (await staticChecks());
if (!areChecksPassed) console.error('\nThe checks above failed, so no test was run.');
const noTests = { success: false, passed: 0, failed: 1, skipped: [] };

const { success, passed, failed, skipped } = areChecksPassed ? jest(args) : noTests;
for (const name of skipped) console.log(`skipped: ${name}`);
console.log(`\n${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
process.exitCode = failed === 0 && success ? 0 : 1;
