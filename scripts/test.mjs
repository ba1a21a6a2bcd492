/** `npm test`: static checks and all tests. With arguments (`npm test -- test/api`), only the matching tests. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installClient, prepare, root } from './prepare.mjs';

/** Steps that take longer are treated as hanging. */
const STEP_MS = 40 * 60_000;
/** Enough for the output of any check. */
const OUTPUT_BYTES = 64 * 2 ** 20;

const bin = (name) => join(root, 'node_modules/.bin', name);

/** Runs a command, prints its output, and returns whether it passed. */
function check(title, command, args) {
  return new Promise((resolve) => {
    execFile(command, args, { cwd: root, timeout: STEP_MS, maxBuffer: OUTPUT_BYTES }, (error, stdout, stderr) => {
      console.log(`\n— ${title}`);
      process.stdout.write(stdout);
      process.stderr.write(stderr);
      // A timeout, a signal or a missing program produces no output of its own.
      if (error && typeof error.code !== 'number') console.error(error.message);
      resolve(!error);
    });
  });
}

function jest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'passbell-results-'));
  const results = join(folder, 'results.json');
  const options = `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`;
  console.log('\n— tests');
  spawnSync(bin('jest'), [...args, '--json', `--outputFile=${results}`], {
    cwd: root,
    stdio: 'inherit',
    timeout: STEP_MS,
    env: { ...process.env, NODE_OPTIONS: options.trim() },
  });
  try {
    return JSON.parse(readFileSync(results, 'utf8'));
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the checks in parallel, because each uses one thread. */
async function staticChecks() {
  const passed = await Promise.all([
    check('format', bin('prettier'), ['--check', '--log-level=warn', '.']),
    check('lint', bin('eslint'), ['--config', 'eslint.config.mjs', '.']),
    check('types', bin('tsc'), ['-p', '.']),
    check('types of zapier-app', bin('tsc'), ['-p', 'zapier-app', '--noEmit']),
    check('types of the widget', bin('tsc'), ['-p', 'widget']),
    check('generated files', bin('tsx'), ['backend/scripts/generate.ts', '--check']),
  ]);
  return passed.every(Boolean);
}

prepare('everything');
installClient('zapier-app');
const args = process.argv.slice(2);
const checksPassed = args.length > 0 || (await staticChecks());
const results = checksPassed ? jest(args) : undefined;
if (!checksPassed) console.error('\nThe checks above failed, so no test was run.');

const passed = results?.numPassedTests ?? 0;
const skipped = results?.numPendingTests ?? 0;
// A suite that fails to load has no tests, but counts as a failure.
const failed = results ? results.numFailedTests + results.numRuntimeErrorTestSuites : 1;
for (const { assertionResults } of results?.testResults ?? [])
  for (const { status, fullName } of assertionResults) if (status === 'pending') console.log(`skipped: ${fullName}`);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 && results?.success ? 0 : 1;
