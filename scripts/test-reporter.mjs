/** Prints a line for each test file, all failures with their reasons, and the slowest files. */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Number of entries in the list of slowest files. */
const SLOWEST_COUNT = 10;
/** If no test file finishes for this long, the running test files are printed. */
const SILENCE_MS = 60_000;

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** Returns the counts and the names of skipped tests, for `npm test`. */
function summarize({ numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults }) {
  const tests = testResults.flatMap((file) => file.testResults);
  return {
    passed: numPassedTests,
    // A suite that fails to load has no tests, but counts as a failure.
    failed: numFailedTests + numRuntimeErrorTestSuites,
    skipped: tests.filter(({ status }) => status === 'pending').map(({ fullName }) => fullName),
  };
}

export default class TestReporter {
  #root;
  #running = new Map();
  #durations = [];
  #timer;
  #failed = false;

  constructor({ rootDir }) {
    this.#root = rootDir;
  }

  #nameOf({ path, context }) {
    return `${context.config.displayName?.name ?? ''} ${relative(this.#root, path)}`;
  }

  #restartTimer() {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      const running = [...this.#running].map(([name, start]) => `${name} (${seconds(Date.now() - start)})`);
      console.error(`still running: ${running.join(', ')}`);
    }, SILENCE_MS).unref();
  }

  onTestStart(test) {
    this.#running.set(this.#nameOf(test), Date.now());
    this.#restartTimer();
  }

  onTestResult(test, result, { numTotalTestSuites }) {
    const name = this.#nameOf(test);
    const duration = Date.now() - (this.#running.get(name) ?? Date.now());
    this.#running.delete(name);
    this.#durations.push({ name, duration });
    this.#restartTimer();
    const failed = result.numFailingTests > 0 || result.testExecError;
    this.#failed ||= Boolean(failed);
    const count = String(this.#durations.length).padStart(String(numTotalTestSuites).length);
    const tests = `${result.testResults.length} tests`;
    console.error(
      `[${count}/${numTotalTestSuites}] ${failed ? 'FAIL' : 'pass'} ${name}, ${tests}, ${seconds(duration)}`,
    );
    if (failed) console.error(`\n${result.failureMessage ?? result.testExecError?.stack}\n`);
  }

  onRunComplete(_contexts, results) {
    clearInterval(this.#timer);
    if (process.env.TEST_RESULTS_FILE) writeFileSync(process.env.TEST_RESULTS_FILE, JSON.stringify(summarize(results)));
    const slowest = this.#durations.sort((a, b) => b.duration - a.duration).slice(0, SLOWEST_COUNT);
    console.error(`\nThe ${slowest.length} slowest files:`);
    for (const { name, duration } of slowest) console.error(`${seconds(duration).padStart(9)}  ${name}`);
  }

  getLastError() {
    return this.#failed ? new Error('tests failed') : undefined;
  }
}
