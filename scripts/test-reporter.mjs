/** Prints a line for each test file, the slowest files, and all failures: at once, and again at the end of the run. */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { storeDurations } from './test-durations.mjs';

/** Number of entries in the list of slowest files. */
const SLOWEST_COUNT = 10;
/** If no test file finishes for this long, the running test files are printed. */
const SILENCE_MS = 60_000;
/** Maximum number of lines of a failure at the end of the run. The first and the last lines are printed. */
const FAILURE_LINES = 60;

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

/** Returns the failures of a test file. Each starts with the name of the test. */
function failuresOf({ testResults, failureMessage, testExecError }) {
  const failures = testResults.flatMap(({ failureMessages }) => failureMessages);
  // A file that fails to load has no tests.
  return failures.length > 0 ? failures : [failureMessage ?? testExecError?.stack ?? 'no reason'];
}

function shorten(text) {
  const lines = text.trim().split('\n');
  const omitted = lines.length - FAILURE_LINES;
  if (omitted <= 0) return lines.join('\n');
  const half = FAILURE_LINES / 2;
  return [...lines.slice(0, half), `    … ${omitted} lines, printed above …`, ...lines.slice(-half)].join('\n');
}

export default class TestReporter {
  #root;
  #running = new Map();
  #durations = [];
  #timer;
  #failures = [];

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
    if (failed) this.#failures.push({ name, failures: failuresOf(result) });
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
    storeDurations(Object.fromEntries(this.#durations.map(({ name, duration }) => [name, duration])));
    const slowest = this.#durations.sort((a, b) => b.duration - a.duration).slice(0, SLOWEST_COUNT);
    console.error(`\nThe ${slowest.length} slowest files:`);
    for (const { name, duration } of slowest) console.error(`${seconds(duration).padStart(9)}  ${name}`);
    for (const { name, failures } of this.#failures) {
      console.error(`\nFAIL ${name}\n`);
      for (const failure of failures) console.error(`${shorten(failure)}\n`);
    }
  }

  getLastError() {
    return this.#failures.length > 0 ? new Error('tests failed') : undefined;
  }
}
