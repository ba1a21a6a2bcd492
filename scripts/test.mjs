/**
 * `npm test`: the whole gate, on a fresh machine too. With arguments (`npm test -- test/api`) only those tests run.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installClient, prepare, root } from './prepare.mjs';

/** A step that takes longer hangs: better a clear failure than a machine that waits. */
const STEP_MS = 40 * 60_000;
/** More than a check says about files that are all wrong. */
const OUTPUT_BYTES = 64 * 2 ** 20;

const bin = (name) => join(root, 'node_modules/.bin', name);

/** Runs a command, which says in its own words what is wrong; answers whether it passed. */
function check(title, command, args) {
  return new Promise((resolve) => {
    execFile(command, args, { cwd: root, timeout: STEP_MS, maxBuffer: OUTPUT_BYTES }, (error, stdout, stderr) => {
      console.log(`\n— ${title}`);
      process.stdout.write(stdout);
      process.stderr.write(stderr);
      // What ended it says nothing itself: its time, a signal, or a program that is not there.
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

/** All at one time: each is one thread's work. */
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
const clean = args.length > 0 || (await staticChecks());
const results = clean ? jest(args) : undefined;
if (!clean) console.error('\nThe checks above failed, so no test was run.');

const passed = results?.numPassedTests ?? 0;
const skipped = results?.numPendingTests ?? 0;
// A suite that does not load has no tests to count; it is a failure all the same.
const failed = results ? results.numFailedTests + results.numRuntimeErrorTestSuites : 1;
for (const { assertionResults } of results?.testResults ?? [])
  for (const { status, fullName } of assertionResults) if (status === 'pending') console.log(`skipped: ${fullName}`);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 && results?.success ? 0 : 1;
