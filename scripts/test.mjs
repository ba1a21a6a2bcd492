/**
 * `npm test`: the whole gate, on a fresh machine too. With arguments (`npm test -- test/api`) only those tests run.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installClient, prepare, root } from './prepare.mjs';

/** A step that takes longer hangs: better a clear failure than a machine that waits. */
const STEP_MS = 40 * 60_000;

const bin = (name) => join(root, 'node_modules/.bin', name);

/** Runs a step, which says in its own words what is wrong; answers whether it passed. */
function step(title, command, args, env = {}) {
  console.log(`\n— ${title}`);
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    timeout: STEP_MS,
    env: { ...process.env, ...env },
  });
  return status === 0;
}

function jest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'passbell-results-'));
  const results = join(folder, 'results.json');
  const options = `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`;
  step('tests', bin('jest'), [...args, '--json', `--outputFile=${results}`], { NODE_OPTIONS: options.trim() });
  try {
    return JSON.parse(readFileSync(results, 'utf8'));
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function staticChecks() {
  return [
    step('format', bin('prettier'), ['--check', '--log-level=warn', '.']),
    step('lint', bin('eslint'), ['--config', 'eslint.config.mjs', '.']),
    step('types', bin('tsc'), ['-p', '.']),
    step('types of zapier-app', bin('tsc'), ['-p', 'zapier-app', '--noEmit']),
    step('types of the widget', bin('tsc'), ['-p', 'widget']),
    step('generated files', bin('tsx'), ['backend/scripts/generate.ts', '--check']),
  ].every(Boolean);
}

prepare('everything');
installClient('zapier-app');
const args = process.argv.slice(2);
const clean = args.length > 0 || staticChecks();
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
